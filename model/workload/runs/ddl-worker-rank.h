// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_WORKER_RANK_H
#define DDL_WORKER_RANK_H

#include "ddl-rank.h"
#include "ddl-task-times.h"

#include "ns3/ddl-gpu.h"
#include "ns3/event-id.h"

namespace ns3::ddl
{

/**
 * A worker: it computes an iteration on its GPU, sends, waits for the transfers to it, and begins
 * the next one at once until the stage's iterations are done.
 *
 * An iteration begins with the preparation of its samples on the CPU (ModelProfile::input), while
 * other jobs can use the GPU. Then come a forward task and one backward task per bucket (or one for
 * all), each submitted when the one before is over; a bucket is sent when its task is over. For a
 * pass of length 0 no task is submitted.
 */
class WorkerRank : public Rank
{
  public:
    /**
     * \param rank its number; worker 0 pauses while a checkpoint is made
     * \param gpu held by the job; null: it computes without one, and delays no other task
     * \param time of an iteration on it, without noise
     * \param forward part of that time that is the forward pass, 0 to 1
     * \param noise of its iterations; outlives it
     */
    WorkerRank(uint32_t rank, Ptr<Gpu> gpu, Time time, double forward, TaskTimes& noise);

    uint32_t GetRank() const
    {
        return m_rank;
    }

    /** Begin no more iterations until the next Grant. \return iterations begun */
    uint64_t Pause();
    /** The job may send in its oldest iteration. */
    void Admit();
    /** The state that it waits for has been saved. */
    void Resume();

    /** Finish the iteration that is running, if nothing is missing. */
    void CheckFinished();
    /** Finish it. */
    void Finish();
    /** Its GPU has computed so many iterations that were not simulated. */
    void Credit(uint64_t iterations);

  private:
    void DoGrant() override;
    void DoArrive(uint64_t iteration) override;
    void DoAcknowledged(uint64_t iteration) override;
    void DoHalt() override;
    bool IsReadyFor(uint64_t iteration) const override;

    void Begin();
    void Compute(); //!< the samples of the iteration are there
    void RunTask(Pass pass, Time duration);
    void TaskDone();
    void RunBucket(); //!< the next one
    /** So many buckets more have been computed. */
    void Computed(uint32_t buckets);
    /** The job may send what it has computed. */
    void SendComputed();
    /** \return whether nothing is missing to the iteration that is running */
    bool IsComplete();
    void BeginNext(); //!< if it may

    uint32_t m_rank;
    Ptr<Gpu> m_gpu;
    Time m_time;
    double m_forwardShare;
    TaskTimes& m_noise;
    Gpu::DoneCallback m_taskDone;
    EventId m_task;         //!< end of the task without a GPU, or of the time before the first one
    bool m_holds{false};    //!< it pauses until its state is saved
    bool m_running{false};  //!< iteration GetOldest() has begun
    bool m_admitted{false}; //!< and may send
    Pass m_pass{};          //!< of the task that runs
    Time m_backward;        //!< of the iteration that is running
    uint32_t m_computed{0}; //!< buckets of it
};

} // namespace ns3::ddl

#endif // DDL_WORKER_RANK_H
