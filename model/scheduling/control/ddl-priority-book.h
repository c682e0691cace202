// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PRIORITY_BOOK_H
#define DDL_PRIORITY_BOOK_H

#include "ns3/ddl-ids.h"
#include "ns3/ddl-scheduler-view.h"

#include <cstdint>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

namespace ns3
{
namespace ddl
{

/** Names a unit from one run of the network scheduler to the next. */
struct UnitKey
{
    CojobId cojob;
    uint32_t stage{0};     //!< of a unit of kind STAGE, otherwise 0
    JobId job;             //!< 0 for a unit of kind STAGE
    uint32_t iteration{0}; //!< of a unit of kind COFLOW, otherwise 0

    bool operator<(const UnitKey& other) const
    {
        return std::tie(cojob, stage, job, iteration) <
               std::tie(other.cojob, other.stage, other.job, other.iteration);
    }
};

/** \return the key of the unit to which an iteration in a stage of a job belongs */
UnitKey GetUnitKey(UnitKind kind, CojobId cojob, uint32_t stage, JobId job, uint32_t iteration = 0);

/**
 * The order that holds until the network scheduler runs again. A unit that came since the last run
 * goes last, those that came first before others.
 */
class StandingOrder
{
  public:
    /** Replace the order by the answer of a network scheduler. */
    void Set(const SchedulerView& view, const UnitOrder& order, UnitKind kind);

    /** \return the place of a unit, 1 = first; an unknown unit is put last from now on */
    uint32_t GetPlace(const UnitKey& unit);

  private:
    std::map<UnitKey, uint32_t> m_places;
    uint32_t m_last{0}; //!< highest place given
};

/** A live job in an active stage. */
struct PresentJob
{
    JobId job;
    uint32_t stage{1};         //!< active stage of its cojob, from 1
    uint32_t place{0};         //!< place of its unit in the global order; equal places share a rank
    std::vector<HostId> hosts; //!< machines whose NIC it uses
};

/** Local priority of a job at one machine. */
struct JobRank
{
    JobId job;
    uint32_t stage{1}; //!< for which the rank holds
    HostId host;
    uint32_t rank{1}; //!< 1 goes first

    bool operator==(const JobRank& other) const
    {
        return job == other.job && stage == other.stage && host == other.host && rank == other.rank;
    }
};

/**
 * Map the global order to local priorities (Grouper §IV-B, Fig. 7): at each machine, the units
 * present there are ranked 1, 2, 3, ... in global order.
 *
 * \param jobs all jobs that are present, in any order
 * \param last rank that greater ones are told as: that of the queue which they share
 * \return one rank for each job and machine of it, by job, then machine
 */
std::vector<JobRank> RankLocally(const std::vector<PresentJob>& jobs,
                                 uint32_t last = std::numeric_limits<uint32_t>::max());

/** \return the most units that are present at one machine, each with a rank of its own there */
uint32_t CountMostRanks(const std::vector<PresentJob>& jobs);

/**
 * The local priorities that the agents have been told, so that only changes are sent. A job that is
 * between two stages keeps its entries: its agents do too.
 */
class RankBook
{
  public:
    /** What each machine has to be told, by machine. */
    using Changes = std::map<HostId, std::vector<JobRank>>;

    /** A job, and the machines that have to know its ranks. */
    void AddJob(JobId job, const std::vector<HostId>& machines);
    void RemoveJob(JobId job);

    /**
     * \param ranks of all jobs present
     * \return the entries that differ from what was told before; every machine of a job gets all
     *         that changed for this job, since marks need the rank at the other end too
     */
    Changes Update(const std::vector<JobRank>& ranks);

  private:
    struct Entry
    {
        std::vector<HostId> machines;
        std::map<HostId, uint32_t> told;
    };

    std::map<JobId, Entry> m_jobs;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_PRIORITY_BOOK_H
