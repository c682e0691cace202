// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-offer-plan.h"

#include "ns3/ddl-job-hosts.h"

#include <algorithm>
#include <limits>

namespace ns3::ddl
{

namespace
{

/** \return groups that need no more GPUs than are free and not kept for one before them, in order
 */
std::vector<GroupRecord*>
ListBatch(const OfferState& state)
{
    const WaitingQueue& waiting = state.table.GetWaiting();
    const bool letsPass = state.queue->LetsOthersPass();
    const uint64_t free = state.book.CountFreeGpus();
    const uint64_t coming = CountComingGpus(state);
    uint64_t available = free + coming;
    std::vector<GroupRecord*> batch;
    waiting.Visit(std::numeric_limits<uint32_t>::max(), [&](CojobId id, double) {
        const uint64_t wanted = waiting.GetGpus(id);
        if (wanted <= std::min(available, free))
        {
            batch.push_back(state.table.Find(id));
            return true;
        }
        if (coming > 0 && wanted <= free + coming)
        {
            available -= std::min(available, wanted);
        }
        return letsPass;
    });
    return batch;
}

/** \return whether the user has given places to jobs of the group */
bool
IsGiven(const GroupRequest& request)
{
    return std::any_of(request.jobs.begin(), request.jobs.end(), [](const JobSpec& job) {
        return job.placement.has_value();
    });
}

/** A plan that is being made, and which GPUs will be held when it is done; loads stay as they are.
 */
struct Batch
{
    const OfferState& state;
    OfferPlan plan;
    ScratchView cluster;
    std::vector<GpuHolder> starting{}; //!< jobs that get GPUs by the plan

    /**
     * The group starts if it has places, else it waits.
     *
     * \param after job behind which it trains, if any
     * \return whether it starts
     */
    bool Add(GroupRecord& group, const GroupAnswer& answer, std::optional<JobId> after)
    {
        if (!answer.placements)
        {
            plan.wait.push_back({&group, answer});
            return false;
        }
        auto place = answer.placements->begin();
        for (const JobSpec& job : group.ListLiveSpecs())
        {
            cluster.Occupy(job.id, *place, job.model.gpuMemory);
            starting.push_back(MakeGpuHolder(state.table.GetJob(job.id), *place++));
        }
        plan.start.push_back({&group, *answer.placements, after});
        return true;
    }
};

/** \return what the placement policy says of these requests, all together */
std::vector<GroupAnswer>
PlaceTogether(const OfferState& state, const std::vector<GroupRequest>& requests)
{
    std::optional<ClusterView> free;
    if (state.sharing.IsAny())
    {
        free = HideHeldGpus(state.book.GetView());
    }
    const ClusterView& shown = free ? *free : state.book.GetView();
    std::vector<GroupQuestion> questions;
    for (const GroupRequest& request : requests)
    {
        questions.emplace_back();
        for (std::size_t job = 0; job < request.jobs.size(); ++job)
        {
            questions.back().push_back(AsView(shown, request, job));
        }
    }
    return state.placement->PlaceTogether(questions);
}

} // namespace

/** A group with places that the user has given is no matter of the policy's, and comes first. */
OfferPlan
PlanBatch(const OfferState& state)
{
    Batch batch{state, {}, ScratchView(state.book.GetView())};
    std::vector<GroupRecord*> asked;
    std::vector<GroupRequest> requests;
    for (GroupRecord* const group : ListBatch(state))
    {
        GroupRequest request = group->AsRequest(state.waits);
        if (IsGiven(request))
        {
            const auto answer = PlaceGroup(state.placement, state.book.GetView(), request);
            batch.Add(*group, answer, std::nullopt);
            continue;
        }
        asked.push_back(group);
        requests.push_back(std::move(request));
    }
    std::vector<GroupAnswer> answers = PlaceTogether(state, requests);
    bool isBlocked = false; // by one that waits, where nobody may pass
    for (std::size_t i = 0; i < answers.size() && !isBlocked; ++i)
    {
        GroupAnswer& answer = answers[i];
        batch.plan.timers.insert(batch.plan.timers.end(),
                                 answer.timers.begin(),
                                 answer.timers.end());
        const auto after = AddSecondPlace(state, batch.starting, *asked[i], answer);
        isBlocked = !batch.Add(*asked[i], answer, after) && !state.queue->LetsOthersPass();
    }
    return std::move(batch.plan);
}

} // namespace ns3::ddl
