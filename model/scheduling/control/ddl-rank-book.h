// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RANK_BOOK_H
#define DDL_RANK_BOOK_H

#include "ddl-local-priorities.h"

#include <map>

namespace ns3
{
namespace ddl
{

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

#endif // DDL_RANK_BOOK_H
