// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GPU_OFFERS_H
#define DDL_GPU_OFFERS_H

#include "ddl-check-workload.h"
#include "ddl-cluster-book.h"
#include "ddl-gpu-sharing.h"
#include "ddl-switch-cost.h"
#include "ddl-waiting-queue.h"

#include "ns3/ddl-job-queue-policy.h"
#include "ns3/ddl-job-table.h"
#include "ns3/ddl-place-all.h"
#include "ns3/ddl-placement-policy.h"
#include "ns3/ddl-trace-records.h"
#include "ns3/event-id.h"
#include "ns3/traced-callback.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/**
 * Offers GPUs to waiting groups, and decides which groups are suspended and which move. It asks the
 * policies, starts and suspends groups, and makes new offers when a priority changes, a lease or a
 * minimum run time ends, or a placement policy asked for it. One timer serves all groups.
 *
 * It keeps data that policies see: the waits of jobs that have got GPUs, and the order of running
 * groups between the changes that the job queue policy names.
 */
class GpuOffers
{
  public:
    /** Its environment; all of it must outlive it, or the call of Stop. */
    struct Parts
    {
        Ptr<JobQueuePolicy> queue;
        Ptr<PlacementPolicy> placement;
        JobTable* table{nullptr}; //!< of all groups
        ClusterBook* book{nullptr};
        const JobOracle* oracle{nullptr}; //!< progress of jobs
        /**
         * Starts a waiting group on these GPUs; if a job is named, the group trains only after that
         * job.
         */
        std::function<void(GroupRecord&, const std::vector<Placement>&, std::optional<JobId> after)>
            start;
        /** Suspends a running group; with the reason, as in runs.csv. */
        std::function<void(GroupRecord&, const std::string&)> suspend;
        const TracedCallback<const WaitRecord&>* waits{nullptr}; //!< called when a reason changes
        SharingSpec sharing;                                     //!< of GPUs by jobs of one GPU
        const SwitchSpec* switching{nullptr};                    //!< times to start jobs
        const TracedCallback<const TimersRecord&>* timers{nullptr}; //!< called when timers decided
    };

    void Install(const Parts& parts);
    void Stop(); //!< no more offers

    Time lease;       //!< time for which a group gets GPUs; 0: until it ends or is preempted
    Time minRun;      //!< time after a start in which a group is not preempted
    Time batchWindow; //!< time for which offers are collected; 0: each is made at once
    Time improve;     //!< interval at which running groups may be moved; 0: never

    void Enqueue(GroupRecord& group);          //!< it waits, or waits again
    void NoteDemand(const GroupRecord& group); //!< it waits, and its demand may have changed
    void NoteStart(GroupRecord& group);        //!< it has got GPUs
    void NoteSuspension(GroupRecord& group);   //!< it is being suspended
    void Forget(GroupRecord& group);           //!< it leaves
    /** Machines have failed: no group moves there. */
    void NoteFailed(const std::set<HostId>& machines);

    /**
     * GPUs may have become free, or a group has begun to wait: start groups that fit and suspend
     * those that are preempted, now or at the end of the batch window.
     */
    void Offer();

    /** \return whether a group waits for GPUs */
    bool HasWaiting() const
    {
        return !m_waiting.IsEmpty();
    }

    /** \return date of the next offer whose time is known; Time::Max(): none */
    Time GetNextOffer() const;

    /**
     * \return date until which nothing may happen because all free GPUs have been declined; none:
     *         some group runs, or no policy has asked to be asked again
     */
    std::optional<Time> GetIdleUntil() const;

    /** \return why a group waits, in words; "" of a group that does not */
    std::string DescribeWait(CojobId group) const;

  private:
    /** A running group that competes for its GPUs. */
    struct Competitor
    {
        double priority;
        GroupRecord* group;
    };

    /** Groups that wait by choice, and when to ask them again. */
    using Declining = std::map<GroupRecord*, std::optional<Time>, JobTable::ByNumber>;

    GroupDemand MakeDemand(const GroupRecord& group) const;
    void NoteChange(const GroupRecord& group);
    void NoteLeaseEnd(GroupRecord& group, Time at);
    void HeedChanges();
    void HeedWakes();

    void MakeOffer();
    void UpdateLoads();
    void OfferInTurn();
    void OfferTogether();
    std::vector<CojobId> ListBatch() const;
    bool StartIfPlaced(GroupRecord& group, const GroupAnswer& answer);
    GroupRequest MakeRequest(const GroupRecord& group) const;
    uint32_t CountWanted(const GroupDemand& demand) const;
    GroupAnswer Ask(GroupRecord& group);
    GroupAnswer AskOnce(const GroupRequest& request);
    void AskForSecond(GroupRecord& group, GroupAnswer& answer);
    std::vector<GpuHolder> ListGpuHolders() const;
    void NoteAnswer(GroupRecord& group, const GroupAnswer& answer);
    void SetWake(GroupRecord& group, std::optional<Time> at);
    void StartGroup(GroupRecord& group, const std::vector<Placement>& placements);

    bool IsIdle() const;
    bool IsPreemptive() const;
    bool Competes(const GroupRecord& group) const;
    uint32_t CountComingGpus() const;
    void SetPriority(GroupRecord& group);
    bool KnowsPriorities() const;
    bool MayGiveWay() const;
    std::vector<Competitor> ListCompeting() const;
    void LetGiveWay();
    bool IsBefore(const Competitor& holder, double priority, const GroupRecord& waiting) const;
    std::pair<std::vector<GroupRecord*>, std::vector<GroupRecord*>> Compete(
        const std::vector<Competitor>& holders,
        uint32_t gpus,
        const Declining& declining) const;
    void Vacate(const GroupRecord& group, ScratchView& scratch) const;
    GroupAnswer TryToPlace(const GroupRecord& group, ScratchView& scratch) const;
    std::vector<GroupRecord*> FindInTheWay(const std::vector<GroupRecord*>& winners,
                                           const std::vector<GroupRecord*>& losers,
                                           Declining& declining);
    bool TakesBackLeases() const;
    bool IsAt(const GroupRecord& group, const std::vector<Placement>& placements) const;
    void RenewLeases();
    void NoteRenewal(const GroupRecord& group, const std::vector<Placement>& placements);

    void SetImproveTimer();
    void Improve();
    bool MayMove(const GroupRecord& group) const;
    bool FindBetter(GroupRecord& group);
    void StartMoved();
    void EndMove(GroupRecord& group);

    WaitRecord Explain(const GroupRecord& group) const;
    void TraceWaits();
    void TraceTimers(const GroupAnswer& answer) const;
    void SetTimer();

    Parts m_parts;
    WaitingQueue m_waiting;
    std::set<std::pair<Time, CojobId>> m_changes; //!< dates of priorities, and ends of leases
    std::set<std::pair<Time, CojobId>> m_wakes;   //!< OfferNotes::askAgain of groups that wait
    JobTable::Groups m_moving;                    //!< groups that are suspended to go on elsewhere
    std::vector<GroupRecord*> m_moved;            //!< of these, that have given back their GPUs
    WaitHistory m_history;
    uint64_t m_offers{0};   //!< made so far
    uint64_t m_starts{0};   //!< of groups so far
    EventId m_timer;        //!< of the next offer that nothing else causes
    EventId m_batchTimer;   //!< of the offer at the end of the batch window
    Time m_batchEnd;        //!< its date
    EventId m_improveTimer; //!< of the next call of Improve
};

} // namespace ns3::ddl

#endif // DDL_GPU_OFFERS_H
