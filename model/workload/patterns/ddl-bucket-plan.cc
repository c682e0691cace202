// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-bucket-plan.h"

#include "ddl-split-bytes.h"

namespace ns3
{
namespace ddl
{

TransferPlan
PlanInBuckets(const CommunicationPattern& pattern, const PatternView& view, uint32_t buckets)
{
    TransferPlan all;
    for (uint32_t bucket = 0; bucket < buckets; ++bucket)
    {
        PatternView part = view;
        part.bytes = SplitBytes(view.bytes, buckets, bucket);
        const uint32_t begin = all.size();
        for (Transfer transfer : pattern.Plan(part))
        {
            transfer.bucket = bucket;
            transfer.offset += SplitOffset(view.bytes, buckets, bucket);
            for (uint32_t& earlier : transfer.after)
            {
                earlier += begin;
            }
            all.push_back(std::move(transfer));
        }
    }
    return all;
}

} // namespace ddl
} // namespace ns3
