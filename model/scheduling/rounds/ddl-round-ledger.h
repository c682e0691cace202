// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ROUND_LEDGER_H
#define DDL_ROUND_LEDGER_H

#include "ddl-round-scheduler.h"

#include <map>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * What the control side knows of jobs of rounds: which GPUs run which tasks, and which rounds are
 * done. It asks the round scheduler, and keeps the histories that the scheduler needs.
 *
 * Invariants: a GPU that is not idle has one task, of a live job; each task of a live job's round
 * is open, on a GPU, or ended; all are open when a round begins.
 */
class RoundLedger
{
  public:
    /**
     * \param scheduler that is asked
     * \param types of the GPUs: index of the type of each
     */
    RoundLedger(Ptr<RoundScheduler> scheduler, const std::vector<uint32_t>& types);

    /**
     * Before the first arrival: GPUs are grouped by the models of these jobs, and the median of
     * their round times is that of the run. Otherwise groups are made anew whenever a model first
     * appears, and the first job's round time counts as the median.
     */
    void Expect(const std::vector<RoundJob>& jobs);

    /**
     * \param gpus of the cluster
     * \param groups into which they are divided
     * \param tasks of a round
     * \param taskTime by type of GPU
     * \return mean time of a round on a group: tasks over the mean of the groups' sums of speeds,
     *         speed being tasks per second (Hare §IV-C)
     */
    static RoundTime FindRoundTime(const std::vector<RoundGpu>& gpus,
                                   std::size_t groups,
                                   uint32_t tasks,
                                   const std::vector<Time>& taskTime);

    /**
     * \param now date
     * \param job what is known of it; the ledger fills in what happens to it
     * \throws InputError when it can never run
     */
    void Arrive(Time now, RoundJob job);

    /** \return tasks for idle GPUs, which have them from now on */
    std::vector<RoundAssignment> Assign(Time now);

    /** The task of a GPU has ended: the GPU is idle. */
    void EndTask(Time now, uint32_t gpu);

    /**
     * All tasks of a job's round have ended, and their gradients are in.
     *
     * \param loss after it, accuracy likewise; none: not known
     * \param isLast whether the job is done
     */
    void EndRound(Time now,
                  JobId job,
                  bool isLast,
                  std::optional<double> loss = std::nullopt,
                  std::optional<double> accuracy = std::nullopt);

    /** \return what is known of a live job */
    const RoundJob& Get(JobId job) const;

    const std::vector<RoundJob>& GetJobs() const
    {
        return m_jobs;
    }

    const std::vector<RoundGpu>& GetGpus() const
    {
        return m_gpus;
    }

    const GpuGroups& GetGroups() const
    {
        return m_groups;
    }

  private:
    /** Of the present round of a job. */
    struct Round
    {
        uint32_t running{0}; //!< tasks on GPUs
        bool hasBegun{false};
        Time begin; //!< date at which its first task was assigned
    };

    RoundView GetView(Time now);
    bool AddModel(const RoundJob& job);
    RoundTime FindRoundTime(const RoundJob& job) const;
    void Predict(Time now, RoundJob& job);
    void Requeue(Time now, RoundJob& job);
    void TakeFrom(uint32_t gpu, JobId but);
    RoundJob& Find(JobId job);

    Ptr<RoundScheduler> m_scheduler;
    std::vector<RoundGpu> m_gpus;
    GpuGroups m_groups;
    std::vector<std::vector<Time>> m_taskTimes; //!< of the models that have appeared
    std::vector<RoundJob> m_jobs;               //!< live, by arrival, then id
    std::map<JobId, Round> m_rounds;            //!< of live jobs
    std::vector<PastJob> m_past;
    std::optional<Ratio> m_median; //!< of mean round times, in ns
    Time m_changed;                //!< date at which a job last arrived or ended
};

} // namespace ns3::ddl

#endif // DDL_ROUND_LEDGER_H
