// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_HELD_WORKERS_H
#define DDL_HELD_WORKERS_H

#include "ddl-leaping-run.h"

#include "ns3/event-id.h"
#include "ns3/ptr.h"

#include <map>
#include <optional>

namespace ns3::ddl
{

class WorkerRank;

/**
 * One leap of the workers of a run on one machine (LeapingRun): holds each worker at the end of an
 * iteration, and lets it end that iteration later. Iterations are numbered as ranks do.
 */
class HeldWorkers
{
  public:
    using Workers = std::map<uint32_t, Ptr<WorkerRank>>;

    /**
     * \param job to which they belong
     * \param workers all those on this machine, by rank
     * \param iteration at whose end they are held
     * \param silent its length, if they send nothing in it
     * \param leap to report to
     */
    HeldWorkers(JobId job,
                const Workers& workers,
                uint64_t iteration,
                std::optional<Time> silent,
                RunLeap& leap);
    HeldWorkers(const HeldWorkers&) = delete;
    HeldWorkers& operator=(const HeldWorkers&) = delete;

    /** \return whether the leap goes on, and workers send nothing in the iteration that holds them
     */
    bool IsSilent() const
    {
        return m_silent && !m_isReleased;
    }

    /** \return whether workers send nothing in that iteration */
    bool IsSilentIn(uint64_t iteration) const
    {
        return IsSilent() && iteration == m_iteration;
    }

    /** A worker begins an iteration. */
    void NoteBegan(uint32_t rank, uint64_t iteration);

    /**
     * A worker lacks nothing to end an iteration.
     * \return true if it must wait: WorkerRank::Finish is called later, or CheckFinished again
     */
    bool Hold(uint32_t rank, uint64_t iteration);

    /** The run is about to change: end the leap. */
    void Wake();

    /** Let the workers go on. \param over as in LeapingRun::Skip */
    void Release(const Repetition& over);

    /** The run ends: there are no more calls. */
    void Stop();

  private:
    struct Held
    {
        Ptr<WorkerRank> worker;
        std::optional<Time> since; //!< it reached the end of the iteration
        EventId event;             //!< that end, of a silent one; then the end of the hold
        uint64_t credited{0};      //!< skipped iterations whose GPU time is accounted for
    };

    void Credit(Held& held);
    void End(uint32_t rank);

    JobId m_job;
    uint64_t m_iteration;
    std::optional<Time> m_silent;
    RunLeap& m_leap;
    std::map<uint32_t, Held> m_workers; //!< by rank
    std::size_t m_count{0};             //!< of workers that are held
    bool m_isReleased{false};
    Repetition m_over; //!< iterations that are skipped, once it is released
};

} // namespace ns3::ddl

#endif // DDL_HELD_WORKERS_H
