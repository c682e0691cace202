// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CLUSTER_BOOK_H
#define DDL_CLUSTER_BOOK_H

#include "ns3/ddl-cluster-view.h"
#include "ns3/ddl-job-oracle.h"
#include "ns3/ddl-run-spec.h"

#include <map>
#include <memory>
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

    /**
     * A job has got GPUs; nothing may be reserved for it.
     * \param done iterations before this run
     */
    void Add(std::shared_ptr<const RunSpec> run, uint64_t done);
    /** The job has given back its GPUs, except for those of them that are reserved for it. */
    void Remove(JobId job);

    /**
     * Keep GPUs for a job that runs elsewhere. Those that it holds now are kept when it frees them.
     *
     * \param job that runs, for which nothing is reserved
     * \param to where it will run; what it does not hold of it is free
     */
    void Reserve(JobId job, const Placement& to);
    /** The GPUs that are reserved for the job are free again. */
    void EndReservation(JobId job);

    /**
     * Keep GPUs for a job that waits for more.
     *
     * \param job for which nothing is reserved
     * \param gpus with room \param memory bytes of each that the job takes; 0: all of it
     */
    void Hold(JobId job, const std::vector<GpuId>& gpus, uint64_t memory);
    /**
     * Free the GPUs that a waiting job holds.
     * \return these GPUs; empty if it held none
     */
    std::vector<GpuId> LetGo(JobId job);
    /** \return number of GPUs that a waiting job holds */
    std::size_t CountHeld(JobId job) const;

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
    void UpdateLoads(const JobOracle& oracle);

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
    /** What a job adds to the load of its GPUs. */
    struct Load
    {
        std::shared_ptr<const RunSpec> run;
        uint64_t done{0}; //!< iterations, as of the last look
        Time service{};   //!< that the loads contain
    };

    /** GPUs that are kept for a job. */
    struct Reservation
    {
        Placement all;
        Placement held; //!< of these, those that are kept so far
        uint64_t memory{0};
    };

    static Time GetService(const Load& load);
    void WriteLoad(Load& load, Time service);
    void Take(const Placement& placement, uint64_t memory);
    void GiveBack(const Placement& placement, uint64_t memory);
    MachineView& GetMachine(HostId host);
    void ExchangeFailed();

    ClusterView m_view;
    uint32_t m_freeGpus{0};
    bool m_isShared{false};
    std::map<JobId, Load> m_loads;
    std::map<JobId, Reservation> m_reserved;         //!< for jobs that run
    std::map<JobId, Reservation> m_held;             //!< by jobs that wait
    std::map<HostId, std::vector<GpuView>> m_failed; //!< GPUs as if their machines had not
};

} // namespace ns3::ddl

#endif // DDL_CLUSTER_BOOK_H
