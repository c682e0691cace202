// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_BUCKET_PLAN_H
#define DDL_BUCKET_PLAN_H

#include "ddl-communication-pattern.h"

namespace ns3
{
namespace ddl
{

/**
 * The transfers of an iteration whose gradients are sent in buckets: the pattern's plan for each
 * bucket's share of the bytes, one behind the other. Nothing of a bucket waits for another one.
 *
 * \param pattern that serves the job
 * \param view the job, with all its bytes
 * \param buckets at least 1; the first `bytes % buckets` have one byte more
 * \return the plan, by bucket; with one bucket what the pattern says
 */
TransferPlan PlanInBuckets(const CommunicationPattern& pattern,
                           const PatternView& view,
                           uint32_t buckets);

} // namespace ddl
} // namespace ns3

#endif // DDL_BUCKET_PLAN_H
