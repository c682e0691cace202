// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-offer-plan.h"

#include "ns3/ddl-placement-helpers.h"

#include <algorithm>

namespace ns3::ddl
{

GroupDemand
MakeDemand(const OfferState& state, const GroupRecord& group)
{
    const PlacementWishes wishes = state.placement->GetWishes();
    return GetDemand(group.ListLiveSpecs(),
                     group.CountIterationsLeft(),
                     !wishes.ignoresLoads,
                     wishes.AsksEach());
}

uint32_t
CountWanted(const OfferState& state, const GroupDemand& demand)
{
    const uint32_t gpus = CountWholeGpus(demand, state.book.IsShared());
    return state.placement->GetWishes().holdsParts ? std::min(gpus, 1U) : gpus;
}

uint32_t
CountComingGpus(const OfferState& state)
{
    uint32_t gpus = 0;
    for (const GroupRecord* const group : state.table.GetSuspending())
    {
        for (const JobRecord& job : group->GetJobs())
        {
            const Placement kept = job.moveTo.value_or(Placement());
            gpus += job.HoldsGpus() ? GetRest(job.GetPlacement(), kept).workers.size() : 0;
        }
    }
    return gpus;
}

void
Vacate(const OfferState& state, const GroupRecord& group, ScratchView& scratch)
{
    for (const JobId id : group.ListStaying())
    {
        const RunSpec& run = *state.table.GetJob(id).run;
        scratch.Vacate(id, run.placement, run.job.model.gpuMemory);
    }
}

GroupAnswer
TryToPlace(const OfferState& state, const GroupRecord& group, ScratchView& scratch)
{
    const GroupRequest request = group.AsRequest(state.waits);
    const GroupAnswer answer = PlaceGroup(state.placement, scratch.Get(), request);
    for (std::size_t i = 0; answer.placements && i < request.jobs.size(); ++i)
    {
        const JobSpec& job = request.jobs[i];
        scratch.Occupy(job.id, (*answer.placements)[i], job.model.gpuMemory);
    }
    return answer;
}

bool
AreSamePlaces(Placement a, Placement b)
{
    for (Placement* placement : {&a, &b})
    {
        std::sort(placement->workers.begin(), placement->workers.end());
        std::sort(placement->servers.begin(), placement->servers.end());
    }
    return a == b;
}

} // namespace ns3::ddl
