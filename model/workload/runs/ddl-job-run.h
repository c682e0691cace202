// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_RUN_H
#define DDL_JOB_RUN_H

#include "ddl-job-service.h"
#include "ddl-task-times.h"

#include "ns3/ddl-bucket-plan.h"
#include "ns3/ddl-cluster.h"
#include "ns3/ddl-job-spec.h"
#include "ns3/ddl-nic-bytes.h"
#include "ns3/ddl-transport.h"

#include <map>
#include <memory>
#include <vector>

namespace ns3::ddl
{

class Job;
class Rank;
class RankChannel;

/**
 * One run of a job: its ranks on the GPUs that it was given, and the streams between them, from
 * Open until the last of its machines has been told to stop. A job that is suspended and resumed
 * has several runs, one after the other.
 *
 * Ranks 0 to W - 1 are workers, W to W + S - 1 servers. There is one stream from a rank to another,
 * if the plan sends anything that way. Each machine receives its own orders, and passes them to its
 * own ranks only.
 */
class JobRun
{
  public:
    /**
     * \param spec of the job
     * \param buckets how its gradients are cut
     * \param placement that fits it
     * \param machines number of the server (chassis) of each worker; empty: each host is one
     * \param first iteration that it does, from 0 over all stages
     */
    JobRun(const JobSpec& spec,
           const BucketPlan& buckets,
           const Placement& placement,
           const std::vector<uint32_t>& machines,
           uint64_t first);
    ~JobRun();
    JobRun(const JobRun&) = delete;
    JobRun& operator=(const JobRun&) = delete;

    /**
     * Claim the GPUs (those that the job holds already stay its own), count the servers at their
     * machines, make the ranks and open the streams. Once, from inside a running simulation.
     *
     * \param job whose run it is, which outlives it
     * \param initial mark of the streams until an agent says otherwise
     * \param times of the job's workers, which go on from run to run; live as long as the job
     */
    void Open(Job* job,
              Ptr<Cluster> cluster,
              Ptr<Transport> transport,
              Mark initial,
              std::vector<TaskTimes>& times);

    bool IsOpen() const
    {
        return m_cluster != nullptr;
    }

    /** The ranks on that machine may begin all iterations before `end`, from 0 over all stages. */
    void Grant(HostId host, uint64_t end);

    /**
     * The workers on that machine begin no more iterations until the next Grant.
     *
     * \return iterations that the foremost of them has begun, over all stages; 0 when none is there
     */
    uint64_t Pause(HostId host);

    /** The ranks on that machine may send in the iteration that they have computed. */
    void Admit(HostId host);

    /**
     * The ranks on that machine end at once, in whatever they are doing. No effect the second time.
     *
     * \return true if it was the last machine: the streams are closed, what was under way in them
     *         is lost, and the GPUs are free
     */
    bool Stop(HostId host);

    /** \return whether a rank of the job is on that machine */
    bool Has(HostId host) const
    {
        return m_orders.count(host) > 0;
    }

    bool IsStopped(HostId host) const
    {
        return m_orders.at(host).stopped;
    }

    const Placement& GetPlacement() const
    {
        return m_placement;
    }

    /** \return machines with a rank, ascending; the leader is the machine of worker 0 */
    const std::vector<HostId>& GetHosts() const
    {
        return m_hosts;
    }

    HostId GetLeader() const
    {
        return m_rankHosts.front();
    }

    /** \return what one iteration moves, per machine in order, without what stays inside one */
    const std::vector<HostBytes>& GetHostBytes() const
    {
        return m_hostBytes;
    }

    /** \return the streams, from Open on; closed ones after the end */
    const std::vector<Ptr<MessageStream>>& GetStreams() const
    {
        return m_streams;
    }

    const JobPlan& GetPlan() const
    {
        return m_plan;
    }

    /** \return when it was opened, absolute */
    Time GetStart() const
    {
        return m_start;
    }

    /** \return the first iteration that it does, from 0 over all stages */
    uint64_t GetFirst() const
    {
        return m_first;
    }

    uint64_t GetBytes() const;          //!< given to streams so far
    uint64_t GetDeliveredBytes() const; //!< of these, that have arrived

    /** \return forward and backward pass, without noise, of the slowest worker; from Open on */
    Time GetTaskTime() const
    {
        return m_taskTime;
    }

    /** \return of an iteration, through the busiest NIC; 0 before Open */
    Time GetCommunicationTime() const
    {
        return m_communication;
    }

  private:
    void MakeRanks(Job* job, std::vector<TaskTimes>& times);
    Ptr<Rank> MakeWorker(uint32_t rank, std::vector<TaskTimes>& times);
    void OpenStreams(Ptr<Transport> transport, Mark initial);
    void Close();

    /** What a machine has been ordered to do. */
    struct HostOrders
    {
        std::vector<uint32_t> ranks; //!< of the job, that run there
        bool stopped{false};
    };

    const HostOrders& GetOrders(HostId host) const;

    const JobSpec& m_spec;
    Placement m_placement;
    uint64_t m_first;
    Time m_start;
    JobPlan m_plan;
    std::vector<HostId> m_rankHosts; //!< by rank
    std::vector<HostId> m_hosts;
    std::vector<HostBytes> m_hostBytes;
    std::map<HostId, HostOrders> m_orders;
    Time m_taskTime;
    Time m_communication;

    Ptr<Cluster> m_cluster; //!< null before Open and when all machines have stopped
    std::vector<Ptr<Rank>> m_ranks;
    std::vector<std::unique_ptr<RankChannel>> m_channels;
    std::vector<Ptr<MessageStream>> m_streams;
};

} // namespace ns3::ddl

#endif // DDL_JOB_RUN_H
