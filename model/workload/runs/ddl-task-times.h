// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TASK_TIMES_H
#define DDL_TASK_TIMES_H

#include "ns3/ddl-compute-noise.h"
#include "ns3/ddl-ids.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

namespace ns3::ddl
{

/**
 * What noise makes of the compute times of one worker: straggler factor x jitter factor.
 *
 * Every worker of every job has RNG streams of its own, so what it draws depends on nothing but the
 * run's seed, its job and its number.
 */
class TaskTimes
{
  public:
    TaskTimes() = default;

    /**
     * \param noise which factors
     * \param job that the worker belongs to
     * \param worker its number, below 2^16
     */
    TaskTimes(const ComputeNoise& noise, JobId job, uint32_t worker);

    /** \param base time of the next task without noise \return with it */
    Time Draw(Time base);

    /** \return this worker's own factor */
    double GetStragglerFactor() const
    {
        return m_straggler;
    }

  private:
    double m_straggler{1};
    Ptr<RandomVariableStream> m_jitter; //!< null: always 1
};

} // namespace ns3::ddl

#endif // DDL_TASK_TIMES_H
