// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CLUSTER_BOOK_H
#define DDL_CLUSTER_BOOK_H

#include "ns3/ddl-cluster-view.h"
#include "ns3/ddl-job-record.h"
#include "ns3/ddl-run-spec.h"

#include <map>
#include <set>
#include <vector>

namespace ns3::ddl
{

/**
 * The cluster view that placement policies get: which job holds which GPU, and the remaining
 * service of these jobs. The view is updated where something changes, and never rebuilt.
 *
 * Invariant: the view's GPUs and servers are those of Cluster::GetView, as long as only the jobs
 * named here claim and release GPUs.
 */
class ClusterBook
{
  public:
    ClusterBook() = default;

    /** \param empty the cluster before the first job */
    explicit ClusterBook(ClusterView empty);

    /** A run of the job has got GPUs; nothing may be reserved for it. */
    void Add(JobRecord& job);
    /** The job has given back its GPUs, except for those of them that are reserved for it. */
    void Remove(JobRecord& job);

    /**
     * Keep GPUs for a job that runs, where it goes on (JobRecord::moveTo). Those that it holds now
     * are kept when it frees them; the others are free.
     */
    void Reserve(JobRecord& job);

    /**
     * Keep GPUs for a job that waits for more, instead of those that it has kept so far.
     *
     * \param job waiting job
     * \param gpus GPUs with room for it; none: it keeps none any more
     * \param memory bytes that the job takes of each GPU; 0: all of it
     */
    void Hold(JobRecord& job, const std::vector<GpuId>& gpus, uint64_t memory);
    /** GPUs that were kept for a job are free again. \param kept its `held` or `reserved` */
    void LetGo(std::optional<KeptPlaces>& kept);

    /**
     * Machines have failed: their GPUs are not free, even if released, until the machines are back.
     * No effect on machines that have failed before.
     */
    void NoteFailed(const std::set<HostId>& machines);
    void NoteReturned(HostId machine);

    /** \return whether there are machines that have failed */
    bool HasFailed() const
    {
        return !m_failed.empty();
    }

    /**
     * Update the loads of GPUs by the progress of jobs. O(jobs), and O(GPUs) of jobs with progress.
     */
    void UpdateLoads(JobTable& table);

    /** \return the cluster, with loads as of UpdateLoads; the caller must leave it unchanged */
    ClusterView& GetView()
    {
        return m_view;
    }

    /** \return number of GPUs that no job holds */
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
    void WriteLoad(JobRecord& job, Time service);
    void Take(const Placement& placement, uint64_t memory);
    void GiveBack(const Placement& placement, uint64_t memory);
    void ExchangeFailed();

    ClusterView m_view;
    uint32_t m_freeGpus{0};
    bool m_isShared{false};
    /** The GPUs of failed machines, as the view would show them if these had not failed. */
    std::map<HostId, std::vector<GpuView>> m_failed;
};

} // namespace ns3::ddl

#endif // DDL_CLUSTER_BOOK_H
