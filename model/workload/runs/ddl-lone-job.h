// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LONE_JOB_H
#define DDL_LONE_JOB_H

#include "ddl-job.h"
#include "ddl-run-part.h"
#include "ddl-task-run.h"

#include "ns3/ddl-cluster.h"
#include "ns3/ddl-transport.h"

#include <map>
#include <memory>

namespace ns3::ddl
{

/**
 * A job without the control side of a cluster, for tests, benchmarks and scripts that need no
 * scheduler. Its functions take effect at once on all its machines. It has the trace sources of
 * Job. Its kind must not use rounds: nobody assigns tasks.
 */
class LoneJob : public Job, private RunHost
{
  public:
    static TypeId GetTypeId();

    /** \param cluster the cluster with its machines \param transport the transport between them */
    LoneJob(const JobSpec& spec,
            const Placement& placement,
            Ptr<Cluster> cluster,
            Ptr<Transport> transport);
    ~LoneJob() override;

    /** The job will wait for Admit before each iteration's transfers. Call it before Launch. */
    void SetGated()
    {
        m_spec->isGated = true;
    }

    /** Take its GPUs and open its streams. Call it once, from inside a running simulation. */
    void Launch(Mark initial);
    /** Run a stage on all machines. */
    void StartStage(uint32_t stage, uint64_t iterations);
    /** End the run on all machines. */
    void Stop();

    /** \return the part on a machine, from Launch on */
    RunPart& On(HostId machine);

  protected:
    void DoDispose() override;

  private:
    LoneJob(std::shared_ptr<RunSpec> run, Ptr<Cluster> cluster, Ptr<Transport> transport);

    void Clear();
    void Observe(const RankEvent& event) override;

    void ObserveStream(const RunSpec& /* run */, Ptr<SendingStream> stream) override
    {
        NoteStream(stream);
    }

    void ObserveStream(const RunSpec& /* run */, Ptr<ReceivingStream> stream) override
    {
        NoteStream(stream);
    }

    Mark GetDataMark(const RunSpec& /* run */, HostId /* peer */) const override
    {
        return m_mark;
    }

    Mark GetAckMark(const RunSpec& /* run */, HostId /* peer */) const override
    {
        return m_mark;
    }

    std::shared_ptr<RunSpec> m_spec;
    Ptr<Cluster> m_cluster;
    Ptr<Transport> m_transport;
    Mark m_mark; //!< mark of all its streams
    std::map<HostId, TaskExecutor> m_executors;
    std::map<HostId, std::shared_ptr<RunPart>> m_parts;
};

} // namespace ns3::ddl

#endif // DDL_LONE_JOB_H
