// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-offer-plan.h"

#include "ns3/ddl-placement-helpers.h"

#include <algorithm>

namespace ns3::ddl
{

namespace
{

/** \return whether the group runs, may be suspended, and is where a policy has placed it */
bool
MayMove(const OfferState& state, const GroupRecord& group)
{
    if (group.GetState() != GroupState::RUNNING || !group.IsPreemptible() || !group.HasStaying() ||
        state.now - *group.GetLastStart() < state.minRun)
    {
        return false;
    }
    const std::vector<JobRecord>& jobs = group.GetJobs();
    return std::all_of(jobs.begin(), jobs.end(), [](const JobRecord& job) {
        return !job.IsStaying() || (!job.spec->placement && job.HoldsGpus());
    });
}

/**
 * Find places for all jobs of a group, if some would be placed better elsewhere. None takes GPUs
 * that another job of the group has to leave first.
 *
 * \return one place per job of the request; empty: all stay
 */
std::vector<Placement>
FindBetter(const OfferState& state, const GroupRequest& request)
{
    ScratchView scratch(state.book.GetView());
    std::vector<Placement> places;
    bool isAny = false;
    for (std::size_t i = 0; i < request.jobs.size(); ++i)
    {
        const JobSpec& job = request.jobs[i];
        const Placement& present = request.views[i].placement;
        scratch.Vacate(job.id, present, job.model.gpuMemory);
        auto better = state.placement->Improve(AsView(scratch.Get(), request, i));
        if (!better || AreSamePlaces(*better, present))
        {
            better = present;
        }
        isAny = isAny || !(*better == present);
        scratch.Occupy(job.id, GetRest(present, *better), job.model.gpuMemory);
        scratch.Occupy(job.id, *better, job.model.gpuMemory);
        places.push_back(*better);
    }
    return isAny ? places : std::vector<Placement>();
}

} // namespace

OfferPlan
PlanMoves(const OfferState& state)
{
    OfferPlan plan;
    ScratchView reserved(state.book.GetView());
    for (GroupRecord* const group : state.table.GetHolders())
    {
        if (!MayMove(state, *group))
        {
            continue;
        }
        const GroupRequest request = group->AsRequest(state.waits);
        const std::vector<Placement> places = FindBetter(state, request);
        if (places.empty())
        {
            continue;
        }
        OfferPlan::Move move{group, {}};
        for (std::size_t i = 0; i < places.size(); ++i)
        {
            const JobSpec& job = request.jobs[i];
            const Placement& present = request.views[i].placement;
            move.places.emplace_back(&state.table.GetJob(job.id), places[i]);
            reserved.Occupy(std::nullopt, GetRest(places[i], present), job.model.gpuMemory);
        }
        plan.move.push_back(std::move(move));
    }
    return plan;
}

} // namespace ns3::ddl
