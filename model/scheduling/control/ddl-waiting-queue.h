// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_WAITING_QUEUE_H
#define DDL_WAITING_QUEUE_H

#include "ns3/ddl-ids.h"
#include "ns3/ddl-job-spec.h"

#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** The resources that one job of a waiting group needs. */
struct JobDemand
{
    uint32_t workers{1};
    uint32_t servers{0};
    uint64_t memory{0};                 //!< bytes of a GPU that a worker takes; 0: all of it
    Time service{};                     //!< the load that it adds for the jobs placed after it
    std::optional<Placement> placement; //!< its GPUs, if the user has given them
    std::optional<JobId> job{};         //!< the job, if the placement policy looks at it
    uint32_t serverGpus{0};             //!< GPUs that each parameter server takes

    bool operator<(const JobDemand& other) const;
};

/** The resources that a group needs, job by job. Of two equal demands, both fit or neither does. */
using GroupDemand = std::vector<JobDemand>;

/**
 * \param jobs of a group that start together
 * \param iterations that each of them has before it
 * \param mindsLoads whether the placement policy looks at the loads of GPUs; if not, all services
 *        are 0
 * \param looksAtJobs whether it looks at who asks; if so, no two groups ask for the same
 * \return what they ask for; the service of the job that is placed last stays 0
 */
GroupDemand GetDemand(const std::vector<JobSpec>& jobs,
                      uint64_t iterations,
                      bool mindsLoads,
                      bool looksAtJobs = false);

/**
 * \param isShared true if GPUs of the cluster are shared by memory
 * \return GPUs that nobody may hold when the group starts
 */
uint32_t CountWholeGpus(const GroupDemand& demand, bool isShared);

/**
 * The groups (cojobs, or single plain jobs) that wait for GPUs, in the order in which GPUs are
 * offered to them.
 *
 * Groups of equal demand are kept together: when one of them does not fit, none does, so that an
 * offer tries each demand once, however many groups have it. Demands that need more GPUs than are
 * free are passed over all at once. A placement policy's answer is a function of its view; that is
 * what both rest on.
 *
 * Cost: Add and a group's departure O(log n); an offer O(demands with no more GPUs than are free or
 * coming).
 */
class WaitingQueue
{
  public:
    /**
     * \param id not in the queue
     * \param priority least first, of equals the one that was added first; not NaN
     * \param gpus that nobody may hold when it starts
     * \param demand what it asks for
     */
    void Add(CojobId id, double priority, uint32_t gpus, const GroupDemand& demand);

    bool IsEmpty() const
    {
        return m_buckets.empty();
    }

    double GetFirstPriority() const; //!< the least of all; the queue is not empty

    /** \param id in the queue, whose priority is another now; of equals it keeps its turn */
    void SetPriority(CojobId id, double priority);

    /** \param id in the queue, which asks for something else now; it keeps its turn
     *  \param gpus, demand as of Add */
    void SetDemand(CojobId id, uint32_t gpus, const GroupDemand& demand);

    /** \param id in the queue, which it leaves */
    void Remove(CojobId id);

    /** \param id in the queue \return GPUs that it needs, which nobody may hold when it starts */
    uint32_t GetGpus(CojobId id) const
    {
        return m_places.at(id).gpus;
    }

    /**
     * \return the group that is tried in place of all groups with the same demand as this waiting
     *         one
     */
    CojobId GetFirstAlike(CojobId id) const
    {
        return m_places.at(id).demand->second.begin()->second;
    }

    bool Contains(CojobId id) const
    {
        return m_places.count(id) > 0;
    }

    /** What a group says when it is offered GPUs. */
    enum class Reply
    {
        TAKES,   //!< it has a place
        NO_ROOM, //!< it has none
        DECLINES //!< it waits by choice, and blocks no group behind it
    };

    /** GPUs that waiting groups may get. */
    struct Supply
    {
        uint32_t free{0};   //!< GPUs that nobody holds
        uint32_t coming{0}; //!< GPUs whose holders have been told to give them back
    };

    /**
     * Offer GPUs to one group after another, in their order, until one takes them. A group that
     * waits for GPUs which are coming keeps those behind it from taking its share.
     *
     * \param letsPass false: only the first group is tried
     * \param offer says what a group makes of the offer; the queue stays as it is
     * \return the first group that takes them, still in the queue; none when there is none
     */
    std::optional<CojobId> OfferInTurn(Supply supply,
                                       bool letsPass,
                                       const std::function<Reply(CojobId)>& offer) const;

    /**
     * Call `visit` with one group after another, in their order, until it returns false.
     *
     * \param mostGpus groups that need more are left out
     */
    void Visit(uint32_t mostGpus, const std::function<bool(CojobId, double priority)>& visit) const;

  private:
    /** Priority, and number of arrival. */
    using Position = std::pair<double, uint64_t>;
    /** Groups of one demand. */
    using Alike = std::map<Position, CojobId>;
    using Demands = std::map<GroupDemand, Alike>;

    /** All that need the same number of GPUs. */
    struct Bucket
    {
        Demands demands;
        std::map<Position, Demands::iterator> heads; //!< by position: first groups
    };

    using Buckets = std::map<uint32_t, Bucket>;

    /** Where a group stands. */
    struct Place
    {
        uint32_t gpus;
        Demands::iterator demand;
        Position position;
    };

    void Insert(CojobId id, Position position, uint32_t gpus, const GroupDemand& demand);

    Buckets m_buckets; //!< buckets by number of GPUs; none is empty
    std::map<CojobId, Place> m_places;
    uint64_t m_added{0};
};

} // namespace ns3::ddl

#endif // DDL_WAITING_QUEUE_H
