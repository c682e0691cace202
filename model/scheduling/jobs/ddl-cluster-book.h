// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CLUSTER_BOOK_H
#define DDL_CLUSTER_BOOK_H

#include "ns3/ddl-cluster-view.h"
#include "ns3/ddl-job.h"

#include <map>

namespace ns3::ddl
{

/**
 * The cluster view that placement policies get: which job holds which GPU, and the remaining
 * service of these jobs. The view is updated where something changes, and never rebuilt.
 *
 * Invariant: the view's GPUs and servers are those of Cluster::GetView, as long as nobody but the
 * jobs named here claims and releases any.
 */
class ClusterBook
{
  public:
    ClusterBook() = default;

    /** \param empty the cluster before the first job */
    explicit ClusterBook(ClusterView empty);

    /** A job has been launched. */
    void Add(Ptr<const Job> job);
    /** The job has given back its GPUs; it counts as their load until Remove. */
    void Free(Ptr<const Job> job);
    /** Nobody waits for the job any more. */
    void Remove(JobId job);

    /** Count what the jobs have done since. O(jobs), and O(GPUs) of those that have done something
     */
    void UpdateLoads();

    /** \return the cluster, loads as of UpdateLoads. What it is used for must leave it unchanged.
     */
    ClusterView& GetView()
    {
        return m_view;
    }

    /** \return that nobody holds */
    uint32_t CountFreeGpus() const
    {
        return m_freeGpus;
    }

    /** GPUs are held by their memory */
    bool IsShared() const
    {
        return m_isShared;
    }

  private:
    /** What a job adds to the load of its GPUs. */
    struct Load
    {
        Ptr<const Job> job;
        uint64_t done{0}; //!< iterations, as of the last look
        Time service{};   //!< that the loads contain
    };

    void WriteLoad(Load& load, Time service);

    ClusterView m_view;
    uint32_t m_freeGpus{0};
    bool m_isShared{false};
    std::map<JobId, Load> m_loads;
};

} // namespace ns3::ddl

#endif // DDL_CLUSTER_BOOK_H
