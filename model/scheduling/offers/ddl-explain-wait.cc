// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-offer-plan.h"

#include <algorithm>
#include <sstream>

namespace ns3::ddl
{

WaitRecord
ExplainWait(const OfferState& state, const GroupRecord& group)
{
    const CojobSpec& spec = group.GetSpec();
    WaitRecord record;
    record.time = state.now;
    record.cojob = spec.id;
    record.job = spec.plain ? std::make_optional(spec.jobs.front().id) : std::nullopt;
    const JobSpec first = group.ListLiveSpecs().front(); // only groups of one job hold GPUs
    const std::optional<KeptPlaces>& kept = state.table.GetJob(first.id).held;
    const auto held = static_cast<uint32_t>(kept ? kept->places.workers.size() : 0);
    const uint32_t needed = CountWholeGpus(MakeDemand(state, group), state.book.IsShared());
    record.gpus = needed - std::min(needed, held);
    record.free = state.book.CountFreeGpus();
    const CojobId alike = state.table.GetWaiting().GetFirstAlike(spec.id);
    const OfferNotes& notes = state.table.Get(alike).offers;
    if (held > 0)
    {
        record.reason =
            "holds " + std::to_string(held) + " of " + std::to_string(first.CountGpus()) + " GPUs";
    }
    else if (record.gpus > record.free)
    {
        record.reason = "no GPUs";
    }
    else if (notes.offer > 0 && notes.offer == state.offer)
    {
        const GroupAnswer& said = notes.answer;
        record.reason = !said.why.empty() ? said.why : said.declines ? "declined" : "no place";
        record.until = said.askAgain;
    }
    else if (state.nextBatch)
    {
        record.reason = "no offer yet";
        record.until = state.nextBatch;
    }
    else
    {
        record.reason = "behind another job";
    }
    return record;
}

std::string
DescribeWait(const OfferState& state, const GroupRecord& group)
{
    const WaitRecord record = ExplainWait(state, group);
    std::ostringstream text;
    text << record.reason;
    if (record.gpus > record.free)
    {
        text << " (needs " << record.gpus << ", " << record.free << " free)";
    }
    if (record.until)
    {
        text << " until " << record.until->GetSeconds() << " s";
    }
    return text.str();
}

} // namespace ns3::ddl
