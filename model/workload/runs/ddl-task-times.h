// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TASK_TIMES_H
#define DDL_TASK_TIMES_H

#include "ns3/ddl-compute-noise.h"
#include "ns3/ddl-ids.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

namespace ns3::ddl
{

/**
 * Compute times of one worker with noise: straggler factor x jitter factor. A worker of ranks draws
 * once per iteration. In a job of tasks, each machine draws once per task, as if it were a worker.
 *
 * Every worker of every job has RNG streams of its own, so its draws depend only on the run's seed,
 * its job and its number. A copy is independent: draws from one do not advance the other. So a copy
 * may travel in a message, and be kept in case a run fails.
 */
class TaskTimes
{
  public:
    TaskTimes() = default;

    /**
     * \param noise distributions of the factors
     * \param job the job that the worker belongs to
     * \param worker its number, below 2^16
     */
    TaskTimes(const ComputeNoise& noise, JobId job, uint32_t worker);

    /** \param base compute time of the next iteration or task without noise \return the time with
     * noise */
    Time Draw(Time base);

  private:
    /** A generator that is not copied: a copy of TaskTimes makes one of its own. */
    struct Generator
    {
        Generator() = default;

        Generator(const Generator& /* other */)
        {
        }

        Generator& operator=(const Generator& /* other */)
        {
            variable = nullptr;
            return *this;
        }

        Ptr<RandomVariableStream> variable; //!< null: nothing has been drawn here
    };

    double DrawJitter(); //!< \return the next factor, 1 without a distribution

    double m_straggler{1};
    ObjectFactory m_jitter;
    int64_t m_stream{0};   //!< RNG stream of the jitter
    uint64_t m_drawn{0};   //!< number of jitters drawn, also by objects it was copied from
    Generator m_generator; //!< draws the jitter
};

} // namespace ns3::ddl

#endif // DDL_TASK_TIMES_H
