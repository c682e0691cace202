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
     * \param job that the worker belongs to
     * \param worker its number, below 2^16
     */
    TaskTimes(const ComputeNoise& noise, JobId job, uint32_t worker);

    /** \param base compute time of the next iteration, or task, without noise \return with noise */
    Time Draw(Time base);

    /** \return this worker's own factor */
    double GetStragglerFactor() const
    {
        return m_straggler;
    }

  private:
    /** A random variable. A copy has its own generator, and draws the numbers that the original
     * would draw next. */
    class Jitter
    {
      public:
        Jitter() = default;
        Jitter(const ObjectFactory& factory, int64_t stream);
        Jitter(const Jitter& other);
        Jitter& operator=(const Jitter& other);

        double Draw(); //!< 1 without a distribution

      private:
        ObjectFactory m_factory;
        int64_t m_stream{0};
        uint64_t m_drawn{0};                  //!< numbers, by this one and those it was copied from
        Ptr<RandomVariableStream> m_variable; //!< null: nothing has been drawn from this copy
    };

    double m_straggler{1};
    Jitter m_jitter;
};

} // namespace ns3::ddl

#endif // DDL_TASK_TIMES_H
