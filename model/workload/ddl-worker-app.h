// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_WORKER_APP_H
#define DDL_WORKER_APP_H

#include "ddl-rank-app.h"
#include "ddl-task-times.h"

#include "ns3/ddl-gpu.h"
#include "ns3/event-id.h"

namespace ns3
{
namespace ddl
{

/**
 * A worker: computes an iteration on its GPU, sends, waits for what it is sent, and begins the next
 * one at once until the stage's iterations are done.
 */
class WorkerApp : public RankApp
{
  public:
    static TypeId GetTypeId();

    WorkerApp();
    ~WorkerApp() override;

    /**
     * \param gpu held by the job; null: it computes without one, beside whatever else does
     * \param times of its tasks; one task an iteration, forward and backward together
     */
    void SetCompute(Ptr<Gpu> gpu, const TaskTimes& times);

    void Admit() override;

  private:
    void DoAddIterations() override;
    void DoArrive(uint32_t iteration) override;
    void DoDelivered(uint32_t iteration) override;
    void DoHalt() override;
    bool IsReadyFor(uint32_t iteration) const override;

    void Begin();
    void Computed();
    /** Finish the iteration that is running, if nothing is missing. */
    void CheckFinished();

    Ptr<Gpu> m_gpu;
    TaskTimes m_times;
    Gpu::DoneCallback m_computed;
    EventId m_task;        //!< end of the computation, without a GPU
    bool m_running{false}; //!< iteration GetOldest() has begun
};

} // namespace ddl
} // namespace ns3

#endif // DDL_WORKER_APP_H
