// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ROUND_MANAGER_H
#define DDL_ROUND_MANAGER_H

#include "ns3/ddl-cluster.h"
#include "ns3/ddl-coordinator.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-job-record.h"
#include "ns3/ddl-round-ledger.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::ddl
{

/**
 * The part of the job manager that runs the tasks of jobs that use rounds
 * (TrainingJob::UsesRounds): asks the round scheduler when a job begins, a task has ended or a
 * round has ended, once for all that happens at one instant, and sends its decisions to the
 * machines. It knows what messages have told it.
 *
 * The time of a task that the scheduler is shown is the compute time on the GPU, without noise, and
 * twice the model's bytes at the full rate of the machine's NIC (T^c + T^s of Hare, Table I).
 */
class RoundManager
{
  public:
    /**
     * Once.
     *
     * \param table records of all jobs
     * \param scheduler, coordinator, cluster parts of the job manager, which outlive this
     */
    void Install(JobTable& table,
                 Ptr<RoundScheduler> scheduler,
                 Ptr<Coordinator> coordinator,
                 Ptr<const Cluster> cluster);

    /** \return why it cannot run the tasks of a group, some of whose jobs use rounds */
    std::vector<Diagnostic> Check(const CojobSpec& group) const;

    /** Before the first job begins: jobs of this run, whose models the scheduler may know. */
    void Expect(const std::vector<JobSpec>& jobs);

    /** A job begins its rounds. */
    void Begin(JobRecord& job);

    /** A task has ended, and its GPU is free. */
    void NoteTaskEnded(JobId job, GpuId gpu, uint64_t round);
    /** So many rounds of a job are done. */
    void NoteRoundEnded(JobId job, uint64_t rounds);

    /** Ask nobody any more. */
    void Stop();

  private:
    RoundJob MakeJob(const JobSpec& job, std::optional<CojobId> search, uint64_t rounds) const;
    Time GetTaskTime(const ModelProfile& model, HostId host) const;
    RoundLedger& GetLedger();
    void EndTask(JobRecord& job, uint32_t gpu);
    void ScheduleQuestion();
    void Ask();

    JobTable* m_table{nullptr};
    Ptr<RoundScheduler> m_scheduler;
    Ptr<Coordinator> m_coordinator;
    Ptr<const Cluster> m_cluster;
    std::vector<GpuId> m_gpus;             //!< GPUs by number
    std::map<GpuId, uint32_t> m_numbers;   //!< numbers of GPUs
    std::vector<uint32_t> m_types;         //!< by GPU
    std::vector<HostId> m_typical;         //!< by type: a machine that has it
    std::unique_ptr<RoundLedger> m_ledger; //!< null before the first job of tasks
    std::size_t m_live{0};                 //!< jobs whose rounds go on
    bool m_isDue{false}; //!< the scheduler will be asked at the end of this instant
};

} // namespace ns3::ddl

#endif // DDL_ROUND_MANAGER_H
