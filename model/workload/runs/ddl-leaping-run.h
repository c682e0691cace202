// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LEAPING_RUN_H
#define DDL_LEAPING_RUN_H

#include "ns3/ddl-ids.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace ns3::ddl
{

/** Iterations of a run that end one after the other and are not simulated. */
struct Repetition
{
    uint64_t count{0}; //!< number of iterations; if 0, the other members mean nothing
    Time end;          //!< end of the first one, absolute
    Time period;       //!< time from the end of one to that of the next
    Time delay;        //!< time from when the last worker was held to the end of the first one

    /** \return time for which workers are held at the end of an iteration */
    Time GetLength() const
    {
        return count == 0 ? Time() : delay + TimeStep(period.GetTimeStep() * count);
    }

    /** \return how many of them are over at present */
    uint64_t CountOver() const
    {
        if (count == 0 || Simulator::Now() < end)
        {
            return 0;
        }
        const int64_t later = (Simulator::Now() - end).GetTimeStep() / period.GetTimeStep();
        return std::min<uint64_t>(later + 1, count);
    }
};

/** Interface by which runs call whoever decides when they leap; that object outlives them. */
class RunLeap
{
  public:
    virtual ~RunLeap() = default;

    /** All workers of a job on one machine have reached the end of the iteration and are held. */
    virtual void HandleHeld(JobId job) = 0;
    /**
     * An event is about to change the run, so that its state must be up to date. The leap ends:
     * LeapingRun::Skip is called before this returns, unless the workers are in an iteration in
     * which they send nothing. Then Skip is called as soon as all have reached its end.
     */
    virtual void Wake(JobId job) = 0;
};

/**
 * Interface of a run that can leap, on one machine: iterations that repeat are not simulated, but
 * counted. All calls are made at all machines of the run at the same instant.
 *
 * A leap is: Hold; once all workers of the run are held, Repeat, perhaps several times; then Skip.
 * Skip may also come at once after Hold. What the skipped iterations used is credited to GPUs
 * (Gpu::Credit) and, where no packets travel, to streams (SendingStream::Credit), by the run; where
 * packets do, to ports (Port::Credit) and the transport (Transport::Credit), by whoever decides.
 */
class LeapingRun
{
  public:
    virtual ~LeapingRun() = default;

    /**
     * Hold each worker at the end of an iteration until Skip, and call RunLeap::HandleHeld when all
     * workers here are held.
     *
     * \param iteration the iteration, from 0 over all stages; no worker has reached its end
     * \param silent if given, the workers compute in that iteration but send nothing, and each
     *        reaches the end so long after its beginning: at least the time to compute. No worker
     *        has begun it, and the run has no parameter servers
     * \param leap the object to report to
     */
    virtual void Hold(uint64_t iteration, std::optional<Time> silent, RunLeap& leap) = 0;

    /**
     * Iterations pass while the workers are held: reports of progress count those that are over.
     *
     * \param iterations iterations that pass; the first is the one in which the workers are held
     */
    virtual void Repeat(const Repetition& iterations) = 0;

    /**
     * Iterations are over. Each worker ends the last one, by now or later, when
     * Repetition::GetLength has passed since it was held; those that are not held go on as if
     * nothing had been.
     *
     * \param over the iterations; if there are none, the iteration in which workers are held is
     *        simulated to its end. They must not end in the past
     */
    virtual void Skip(const Repetition& over) = 0;
};

} // namespace ns3::ddl

#endif // DDL_LEAPING_RUN_H
