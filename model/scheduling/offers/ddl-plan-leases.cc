// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-offer-plan.h"

#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-placement-helpers.h"

namespace ns3::ddl
{

namespace
{

/** \return whether the jobs of a group that runs are at these places */
bool
IsAt(const OfferState& state, const GroupRecord& group, const std::vector<Placement>& placements)
{
    const std::vector<JobSpec> jobs = group.ListLiveSpecs();
    for (std::size_t i = 0; i < jobs.size(); ++i)
    {
        if (!AreSamePlaces(placements[i], state.table.GetJob(jobs[i].id).GetPlacement()))
        {
            return false;
        }
    }
    return true;
}

/** The jobs of a group go on at their places, which the next ones that are asked see. */
void
Renew(const OfferState& state,
      const GroupRecord& group,
      const std::vector<Placement>& placements,
      ScratchRenewals& renewals,
      OfferPlan& plan)
{
    if (group.offers.leaseOver != Time::Max()) // an earlier offer at this date has counted it
    {
        return;
    }
    for (const Placement& placement : placements)
    {
        const std::vector<GpuId> gpus = ListGpus(placement);
        const Tier tier = FindTier(state.book.GetView(), gpus);
        plan.renew.push_back({tier, gpus.size()});
        renewals.Add(tier, gpus.size(), state.now);
    }
}

/**
 * A holder goes on if it would be placed where it is, and gives its GPUs back otherwise.
 *
 * \return number of GPUs that it would have
 */
uint32_t
AskHolder(const OfferState& state,
          GroupRecord& group,
          ScratchView& scratch,
          ScratchRenewals& renewals,
          OfferPlan& plan)
{
    const auto placements = TryToPlace(state, group, scratch).placements;
    if (placements && IsAt(state, group, *placements))
    {
        Renew(state, group, *placements, renewals, plan);
    }
    else
    {
        plan.suspend.push_back(&group);
    }
    return placements ? group.GetHeldGpus() : 0;
}

} // namespace

bool
TakesBackLeases(const OfferState& state)
{
    return !state.lease.IsZero() && state.placement->GetWishes().takesBackLeases;
}

bool
IsLeaseOver(const OfferState& state, const GroupRecord& group, Time at)
{
    const Time lasted = at - *group.GetLastStart();
    return !state.lease.IsZero() && lasted.IsStrictlyPositive() &&
           (lasted % state.lease).IsZero() && at == state.now;
}

OfferPlan
PlanLeases(const OfferState& state)
{
    OfferPlan plan;
    const std::vector<Competitor> holders = ListCompeting(state);
    if (holders.empty())
    {
        return plan;
    }
    uint32_t gpus = state.book.CountFreeGpus();
    ScratchView scratch(state.book.GetView());
    ScratchRenewals renewals(state.waits);
    for (const Competitor& each : holders)
    {
        gpus += each.group->GetHeldGpus();
        Vacate(state, *each.group, scratch);
    }
    const auto askHolder = [&](GroupRecord& group) {
        gpus -= AskHolder(state, group, scratch, renewals, plan);
    };
    const auto askWaiting = [&](const GroupRecord& group, bool isBeforeHolders) {
        const uint32_t wanted = state.table.GetWaiting().GetGpus(group.GetId());
        const bool takes =
            isBeforeHolders && wanted <= gpus && TryToPlace(state, group, scratch).placements;
        gpus -= takes ? wanted : 0;
        return isBeforeHolders && (takes || state.queue->LetsOthersPass());
    };
    VisitByPriority(state, holders, gpus, askHolder, askWaiting);
    return plan;
}

} // namespace ns3::ddl
