// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LOCAL_LEAP_H
#define DDL_LOCAL_LEAP_H

#include "ddl-leaping-run.h"

#include "ns3/event-id.h"

#include <map>
#include <optional>

namespace ns3::ddl
{

class LocalRun;
class WorkerRank;

/**
 * How a LocalRun leaps: it holds each worker at the end of an iteration, and lets it end that
 * iteration later, with the number of a later one. Workers ask it at the beginning and at the end
 * of each iteration; they number iterations without those that were skipped.
 */
class LocalLeap : public LeapingRun
{
  public:
    /** \param run the run that leaps, which owns this object */
    explicit LocalLeap(LocalRun& run);

    void Hold(uint64_t iteration, std::optional<Time> silent, RunLeap& leap) override;
    void Repeat(const Repetition& iterations) override;
    void Skip(const Repetition& over) override;

    /** \return number of iterations that have passed in the leap */
    uint64_t CountOver() const
    {
        return m_repetition.CountOver();
    }

    /** \return whether a leap goes on, and workers send nothing in the iteration that holds them */
    bool IsSilent() const
    {
        return m_leap && m_silent;
    }

    /** \return whether a leap goes on, and workers send nothing in this iteration */
    bool IsSilentIn(uint64_t iteration) const
    {
        return IsSilent() && iteration == m_iteration;
    }

    /** End the leap, because the run is about to change. */
    void Wake();
    /** The run ends: call workers no more. */
    void Stop();

    /** A worker begins an iteration. */
    void NoteBegan(WorkerRank& worker, uint64_t iteration);
    /**
     * A worker lacks nothing to end an iteration.
     * \return true if it must wait: WorkerRank::Finish is called later, or CheckFinished again
     */
    bool Holds(WorkerRank& worker, uint64_t iteration);

  private:
    struct Held
    {
        WorkerRank* worker{nullptr};
        std::optional<Time> since; //!< it reached the end of the iteration
        EventId event;             //!< the end of a silent iteration; later, the end of the hold
        uint64_t credited{0};      //!< skipped iterations whose GPU time is accounted for
    };

    void Credit(Held& held) const;
    void End(uint32_t rank);

    LocalRun& m_run;
    RunLeap* m_leap{nullptr}; //!< not owned; null if no leap goes on: workers may still be held
    std::optional<uint64_t> m_iteration; //!< the iteration that holds workers, or did last
    std::optional<Time> m_silent;        //!< length of m_iteration, if nothing is sent in it
    std::map<uint32_t, Held> m_held;     //!< workers in m_iteration, by rank
    uint32_t m_count{0};                 //!< number of them that have reached its end
    Repetition m_repetition;             //!< iterations that pass in the present leap
    Repetition m_over;                   //!< iterations that were skipped last
};

} // namespace ns3::ddl

#endif // DDL_LOCAL_LEAP_H
