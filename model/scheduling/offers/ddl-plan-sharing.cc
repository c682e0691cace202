// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-offer-plan.h"

#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-placement-helpers.h"

#include <algorithm>

namespace ns3::ddl
{

namespace
{

/** \return part of its GPU's time that a job is expected to take */
double
GetUtilisation(const JobRecord& job)
{
    return job.estimate ? Get(job.estimate->usage.worker, UsageLabel::GPU_UTILISATION) : 1;
}

/** \return whether it is a job on one GPU, without traffic, that has no place given */
bool
IsOnOneGpu(const CojobSpec& group)
{
    const JobSpec& job = group.jobs.front();
    return group.plain && job.workers == 1 && job.servers == 0 && !job.placement;
}

/** \return the jobs that hold GPUs */
std::vector<GpuHolder>
ListGpuHolders(const OfferState& state)
{
    std::vector<GpuHolder> holders;
    for (const GroupRecord* const group : state.table.GetHolders())
    {
        for (const JobRecord& job : group->GetJobs())
        {
            if (!job.IsKnown())
            {
                continue;
            }
            GpuHolder holder = MakeGpuHolder(job, job.GetPlacement());
            if (IsOnOneGpu(group->GetSpec()) && group->GetState() == GroupState::RUNNING)
            {
                const GpuType& type =
                    FindMachine(state.book.GetView(), holder.gpus.front().host)->gpuType;
                const ModelProfile& model = job.spec->model;
                const Time iteration =
                    model.input + type.GetTime(model.forward + model.backward, model.name);
                const auto iterations = static_cast<int64_t>(job.run->iterations - job.run->first);
                holder.trainsUntil = group->GetStateSince() + iteration * iterations;
            }
            holders.push_back(std::move(holder));
        }
    }
    return holders;
}

} // namespace

GpuHolder
MakeGpuHolder(const JobRecord& job, const Placement& placement)
{
    return {job.GetId(), ListGpus(placement), GetUtilisation(job), std::nullopt};
}

GroupAnswer
PlaceOnFree(const OfferState& state, const GroupRequest& request)
{
    if (!state.sharing.IsAny())
    {
        return PlaceGroup(state.placement, state.book.GetView(), request);
    }
    ClusterView free = HideHeldGpus(state.book.GetView());
    return PlaceGroup(state.placement, free, request);
}

std::optional<JobId>
AddSecondPlace(const OfferState& state,
               const std::vector<GpuHolder>& starting,
               const GroupRecord& group,
               GroupAnswer& answer)
{
    if (!state.sharing.IsAny() || answer.placements || answer.declines ||
        !IsOnOneGpu(group.GetSpec()))
    {
        return std::nullopt;
    }
    const JobSpec job = group.ListLiveSpecs().front(); // with the memory that was estimated
    const SecondQuestion question{job.model.gpuMemory,
                                  GetUtilisation(state.table.GetJob(job.id)),
                                  state.switching.Get(job.model.name).GetLaunch(1)};
    std::vector<GpuHolder> holders = ListGpuHolders(state);
    holders.insert(holders.end(), starting.begin(), starting.end());
    const SecondAnswer second =
        FindSecondPlace(state.book.GetView(), holders, question, state.sharing, state.now);
    if (second.gpu)
    {
        answer.placements = {Placement{{*second.gpu}, {}}};
    }
    if (second.askAgain)
    {
        answer.askAgain = std::min(answer.askAgain.value_or(Time::Max()), *second.askAgain);
    }
    return second.after;
}

} // namespace ns3::ddl
