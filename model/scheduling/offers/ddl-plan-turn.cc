// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-offer-plan.h"

#include "ns3/ddl-placement-helpers.h"

#include <algorithm>
#include <iterator>

namespace ns3::ddl
{

namespace
{

/** \return those of a waiting job's GPUs whose machines have not failed */
Placement
GetUsable(const ClusterView& cluster, const std::vector<GpuId>& gpus)
{
    Placement usable;
    std::copy_if(gpus.begin(),
                 gpus.end(),
                 std::back_inserter(usable.workers),
                 [&cluster](const GpuId& gpu) { return !FindMachine(cluster, gpu.host)->failed; });
    return usable;
}

/** \return the policy's answer. A job that keeps GPUs while it waits sees them free, and then keeps
 * those of the answer */
GroupAnswer
Ask(const OfferState& state, GroupRecord& group, ScratchView& scratch, OfferPlan& plan)
{
    GroupRequest request = group.AsRequest(state.waits);
    const JobSpec& job = request.jobs.front();
    JobRecord& record = state.table.GetJob(job.id);
    if (record.held)
    {
        request.views.front().held = record.held->places.workers;
        scratch.Vacate(std::nullopt,
                       GetUsable(scratch.Get(), record.held->places.workers),
                       record.held->memory);
    }
    const GroupAnswer answer = PlaceOnFree(state, request);
    plan.timers.insert(plan.timers.end(), answer.timers.begin(), answer.timers.end());
    if (record.held || !answer.held.empty())
    {
        plan.hold.push_back({&record, answer.held, job.model.gpuMemory});
        scratch.Occupy(std::nullopt, {answer.held, {}}, job.model.gpuMemory);
    }
    return answer;
}

} // namespace

OfferPlan
PlanTurn(const OfferState& state)
{
    OfferPlan plan;
    ScratchView scratch(state.book.GetView());
    const WaitingQueue::Supply supply{state.book.CountFreeGpus(), CountComingGpus(state)};
    const auto offer = [&](CojobId id) {
        GroupRecord& group = *state.table.Find(id);
        GroupAnswer answer = Ask(state, group, scratch, plan);
        const auto after = AddSecondPlace(state, {}, group, answer);
        if (answer.placements)
        {
            plan.start.push_back({&group, *std::move(answer.placements), after});
            return WaitingQueue::Reply::TAKES;
        }
        plan.wait.push_back({&group, std::move(answer)});
        return plan.wait.back().answer.declines ? WaitingQueue::Reply::DECLINES
                                                : WaitingQueue::Reply::NO_ROOM;
    };
    state.table.GetWaiting().OfferInTurn(supply, state.queue->LetsOthersPass(), offer);
    return plan;
}

} // namespace ns3::ddl
