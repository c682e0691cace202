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
 * The control side's record of jobs of rounds: which GPUs run which tasks, and which rounds are
 * done. It invokes the round scheduler, and keeps the histories that the scheduler needs.
 *
 * Invariants: a GPU that is not idle has one task, of a live job; each task of a live job's round
 * is open, on a GPU, or ended; all are open when a round begins.
 */
class RoundLedger
{
  public:
    /**
     * \param scheduler the round scheduler
     * \param types index of the type of each GPU
     */
    RoundLedger(Ptr<RoundScheduler> scheduler, const std::vector<uint32_t>& types);

    /**
     * Call before the first arrival to group GPUs by the models of all jobs, and to take the median
     * of all their round times. Otherwise groups are made anew whenever a model first appears, and
     * the first job's round time counts as the median.
     *
     * \param jobs all jobs of the simulation
     */
    void Expect(const std::vector<RoundJob>& jobs);

    /**
     * Add a job.
     * \param now present date
     * \param job the job as it arrives; later changes are filled in here
     * \throws InputError when the job can never run
     */
    void Arrive(Time now, RoundJob job);

    /** \return new assignments of tasks to idle GPUs, which have them from now on */
    std::vector<RoundAssignment> Assign(Time now);

    /** Called when the task of a GPU has ended: the GPU is idle. */
    void EndTask(Time now, uint32_t gpu);

    /**
     * Called when all tasks of a job's round have ended, and their gradients have arrived.
     *
     * \param now present date
     * \param job the job
     * \param isLast whether the job is done
     * \param loss loss after the round; none: not known
     * \param accuracy accuracy after the round; none: not known
     */
    void EndRound(Time now,
                  JobId job,
                  bool isLast,
                  std::optional<double> loss = std::nullopt,
                  std::optional<double> accuracy = std::nullopt);

    /** \return the record of a live job */
    const RoundJob& Get(JobId job) const;

    const std::vector<RoundGpu>& GetGpus() const
    {
        return m_gpus;
    }

    const GpuGroups& GetGroups() const
    {
        return m_groups;
    }

  private:
    RoundView GetView(Time now);
    bool AddModel(const RoundJob& job);
    /**
     * \return mean time of a round of the job on a group of GPUs: tasks over the mean of the
     * groups' sums of speeds, speed being tasks per second (Hare §IV-C)
     */
    RoundTime FindRoundTime(const RoundJob& job) const;
    void Predict(Time now, RoundJob& job);
    void TakeFrom(uint32_t gpu, JobId but);
    RoundJob& Find(JobId job);

    Ptr<RoundScheduler> m_scheduler;
    std::vector<RoundGpu> m_gpus;
    GpuGroups m_groups;
    std::vector<std::vector<Time>> m_taskTimes; //!< task times by type, of the models so far
    std::vector<RoundJob> m_jobs;               //!< live jobs, by arrival, then id
    std::map<JobId, Time> m_begun;              //!< dates at which live jobs' newest rounds began
    std::vector<PastJob> m_past;
    std::optional<Ratio> m_median; //!< median of mean round times, ns
    Time m_changed;                //!< date at which a job last arrived or ended
};

} // namespace ns3::ddl

#endif // DDL_ROUND_LEDGER_H
