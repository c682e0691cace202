// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PRIORITY_BOOK_H
#define DDL_PRIORITY_BOOK_H

#include "ddl-control-message.h"
#include "ddl-job-record.h"

#include "ns3/ddl-scheduler-view.h"

#include <limits>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** Identifies a unit of the network scheduler (stage, job or coflow) from one run to the next. */
struct UnitKey
{
    CojobId cojob;
    uint32_t stage{0};     //!< the stage of a unit of kind STAGE, otherwise 0
    JobId job;             //!< 0 for a unit of kind STAGE
    uint64_t iteration{0}; //!< the iteration of a unit of kind COFLOW, otherwise 0

    bool operator<(const UnitKey& other) const
    {
        return std::tie(cojob, stage, job, iteration) <
               std::tie(other.cojob, other.stage, other.job, other.iteration);
    }
};

/** \return the key of the unit to which an iteration in a stage of a job belongs */
UnitKey GetUnitKey(UnitKind kind, CojobId cojob, uint32_t stage, JobId job, uint64_t iteration = 0);

/** A job that has something to send now, or may have at any time. */
struct PresentJob
{
    JobRecord* record{nullptr};
    uint32_t stage{1}; //!< the active stage of its cojob, from 1
    UnitKey unit;
    std::vector<HostId> hosts; //!< machines whose NIC it uses
};

/**
 * Keeps the priority of each unit (stage, job or coflow) at each machine, and finds the changes
 * that have to be sent to the machines.
 *
 * The network scheduler gives one order of all units. It stands until the scheduler runs again;
 * units that arrived since are appended in arrival order. At each machine, the units present on its
 * server have the priorities 1, 2, 3, ... in that order (Grouper §IV-B, Fig. 7). A server is one
 * machine, or several where each GPU has a NIC of its own: then jobs share links above the NICs.
 *
 * These priorities are local: a unit may be first on one server and second on another. So two units
 * that share an uplink may both be first at the servers to which they send. Common priorities are
 * the same everywhere: the least numbers from 1 with which units that share a server keep their
 * order.
 *
 * Levels are common priorities, too: that of a unit is its place in the order.
 *
 * Only changes are sent. A job between two stages keeps its entries, since its machines keep them
 * too.
 */
class PriorityBook
{
  public:
    /** The priorities that have to be sent, by machine. */
    using Changes = std::map<HostId, std::vector<JobPriority>>;

    /** \param servers of the machines, by HostId; without it each machine is one */
    void SetServers(std::vector<uint32_t> servers)
    {
        m_servers = std::move(servers);
    }

    /** \param isCommon whether a unit has the same priority at all its machines */
    void SetCommon(bool isCommon)
    {
        m_isCommon = isCommon;
    }

    /** \param areLevels whether the priority of a unit is its place in the order */
    void SetLevels(bool areLevels)
    {
        m_areLevels = areLevels;
    }

    /** Replace the order by the answer of a network scheduler. */
    void SetOrder(const SchedulerView& view, const UnitOrder& order, UnitKind kind);

    /** \return the place of a unit in the order, 1 = first; a unit without one is appended */
    uint32_t GetPlace(const UnitKey& unit);

    /**
     * \param jobs all jobs that are present; of units without a place, those named first go first
     * \param last priority as which all later ones are sent: they share a queue
     * \return the priorities that differ from those sent before, by job, then machine. A machine
     *         gets its own and those of its peers in the job (RunSpec::ListPeers), since marks need
     *         the priority at the other end, too
     */
    Changes Update(const std::vector<PresentJob>& jobs,
                   uint32_t last = std::numeric_limits<uint32_t>::max());

    /**
     * \return the largest priority of a unit at any time, not limited by `last`
     */
    uint32_t GetMost() const
    {
        return m_most;
    }

  private:
    /** Priorities by server, then place. */
    using Priorities = std::map<uint32_t, std::map<uint32_t, uint32_t>>;

    static void AssignLevels(Priorities& priorities);
    static void AssignLocal(Priorities& priorities);
    static void AssignCommon(Priorities& priorities);
    std::vector<std::pair<JobRecord*, JobPriority>> Assign(const std::vector<PresentJob>& jobs,
                                                           uint32_t last);

    uint32_t GetServer(HostId host) const;

    std::vector<uint32_t> m_servers; //!< the server of each machine
    bool m_isCommon{false};
    bool m_areLevels{false};
    std::map<UnitKey, uint32_t> m_places;
    uint32_t m_lastPlace{0}; //!< the highest place given
    uint32_t m_most{0};
};

} // namespace ns3::ddl

#endif // DDL_PRIORITY_BOOK_H
