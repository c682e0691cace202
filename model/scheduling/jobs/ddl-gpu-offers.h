// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GPU_OFFERS_H
#define DDL_GPU_OFFERS_H

#include "ddl-cluster-book.h"
#include "ddl-group-ledger.h"
#include "ddl-job-queue-policy.h"
#include "ddl-waiting-queue.h"

#include "ns3/ddl-placement-policy.h"
#include "ns3/event-id.h"

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
 * Offers GPUs to groups that wait, and says who gives way: asks the policies, starts and suspends
 * groups, and makes an offer again when a priority changes, or a lease or a minimum time to run is
 * over. One timer serves all groups.
 */
class GpuOffers
{
  public:
    /** What it works with; all of it outlives it, or the call of Stop. */
    struct Parts
    {
        Ptr<JobQueuePolicy> queue;
        Ptr<PlacementPolicy> placement;
        std::map<CojobId, GroupLedger>* groups{nullptr}; //!< that have not left
        ClusterBook* book{nullptr};
        std::function<void(CojobId, const std::vector<Placement>&)> start; //!< a group that waits
        std::function<void(CojobId)> suspend;                              //!< a group that runs
    };

    void Install(const Parts& parts);
    void Stop(); //!< no more offers

    Time lease;  //!< for which a group gets GPUs; 0: until it is done, or gives way
    Time minRun; //!< for which a group that has got GPUs does not give way

    void Enqueue(const GroupLedger& group);        //!< it waits, or waits again
    void NoteStart(const GroupLedger& group);      //!< it has got GPUs
    void NoteSuspension(const GroupLedger& group); //!< it has been told to give them back
    void Forget(CojobId group);                    //!< it leaves

    /** GPUs may have come free, or a group waits: start those that can start, and let others give
     * way. */
    void Offer();

  private:
    /** A running group that competes for its GPUs. */
    struct Holder
    {
        double priority;
        Time start; //!< of its present run
        CojobId id;
        const GroupLedger* group;

        bool operator<(const Holder& other) const;
    };

    void NoteChange(const GroupLedger& group);
    void HeedChanges();
    bool IsPreemptive() const;
    bool Competes(const GroupLedger& group) const;
    uint32_t CountComingGpus() const;
    void SetPriority(const GroupLedger& group);
    void EraseHolder(CojobId group);
    bool KnowsPriorities() const;
    bool MayGiveWay() const;
    std::vector<Holder> ListCompeting() const;
    void LetGiveWay();
    bool IsBefore(const Holder& holder, double priority, CojobId waiting) const;
    std::pair<std::vector<CojobId>, std::vector<CojobId>> Compete(
        const std::vector<Holder>& holders,
        uint32_t gpus) const;
    std::vector<CojobId> FindInTheWay(const std::vector<CojobId>& winners,
                                      const std::vector<CojobId>& losers);
    void SetTimer();
    std::optional<CojobId> FindNext(std::vector<Placement>& placements);

    Parts m_parts;
    WaitingQueue m_waiting;
    std::set<std::pair<Time, CojobId>> m_changes; //!< of priorities; and ends of leases
    std::map<CojobId, Holder> m_holders;          //!< groups that run
    std::set<Holder> m_order;       //!< these; priorities as of the last change that was named
    std::set<CojobId> m_givingBack; //!< groups that have been told to
    EventId m_timer;                //!< of the next offer that nothing else causes
};

} // namespace ns3::ddl

#endif // DDL_GPU_OFFERS_H
