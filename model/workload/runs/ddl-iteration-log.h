// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ITERATION_LOG_H
#define DDL_ITERATION_LOG_H

#include "ns3/ddl-ids.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <deque>
#include <optional>

namespace ns3::ddl
{

/**
 * Records for each iteration of a job when it began, when it had been computed, and when it was
 * over. The workers may be in different iterations. Iterations are numbered over all stages, from
 * 0. O(1) per call.
 */
class IterationLog
{
  public:
    /** An iteration that is not over at all workers. */
    struct Entry
    {
        Time start;                     //!< when the first worker began
        std::optional<Time> firstReady; //!< when the first worker had something to send
        Time computeEnd;                //!< when the latest worker so far had computed
        uint32_t finished{0};           //!< number of workers that have finished it
        uint32_t ready{0};              //!< number of workers that have something to send
    };

    /** \param workers number of workers of the job, at least 1 */
    explicit IterationLog(uint32_t workers);

    void Begin(uint64_t iteration, Time now);
    /** \return how many workers have something to send, this one included */
    uint32_t Ready(uint64_t iteration, Time now);

    void Computed(uint64_t iteration, Time now)
    {
        At(iteration).computeEnd = now;
    }

    /**
     * One worker has finished an iteration.
     *
     * \return its times if this was the last worker: then the iteration is over and forgotten
     */
    std::optional<Entry> Finish(uint64_t iteration, Time now);

    /** Forget the iterations that are not over. */
    void DropOpen()
    {
        m_open.clear();
    }

    /** Count this iteration and later ones as not done, when none is open. */
    void GoBackTo(uint64_t iteration);

    /**
     * Skip iterations: the only open iteration ends at all workers, and `count` iterations of the
     * same kind follow. The last one of these is then the open one.
     *
     * \param count number of iterations that end by this, at least 1
     * \param period time from the end of one iteration to that of the next
     * \param end end of the open iteration
     * \param communication time of each from when the last worker has computed to the end; none:
     *        as in the open iteration
     * \return the times of the iteration that was open
     */
    Entry Skip(uint64_t count, Time period, Time end, std::optional<Time> communication = {});

    /** \return whether no worker has finished the oldest iteration that is open */
    bool IsInStep() const
    {
        return m_open.empty() || m_open.front().finished == 0;
    }

    /** \return the first iteration that no worker has finished */
    uint64_t GetUnfinished() const;

    /** \return number of iterations that are over at all workers */
    uint64_t GetDone() const
    {
        return m_done;
    }

    /** \return sum of computeEnd - start over the iterations that are over */
    Time GetComputeTime() const
    {
        return m_compute;
    }

    /** \return sum of end - computeEnd over the iterations that are over */
    Time GetCommunicationTime() const
    {
        return m_communication;
    }

    /** \return standard deviation of the share (computeEnd - start) / (end - start) of the
     * iterations that are over */
    double GetShareDeviation() const;

  private:
    Entry& At(uint64_t iteration);
    void NoteShare(const Entry& entry, Time end, uint64_t count);

    uint32_t m_workers;
    uint64_t m_done{0};
    std::deque<Entry> m_open; //!< iterations from m_done on
    Time m_compute;
    Time m_communication;
    double m_counted{0}; //!< number of shares in m_share and m_squares
    double m_share{0};   //!< mean of the shares
    double m_squares{0}; //!< sum of squared deviations of the shares from their mean
};

/** When a run trained, absolute. */
struct TrainingSpan
{
    Time start; //!< when the first worker began the first iteration
    Time end;   //!< when a worker last finished an iteration
};

/** One iteration that is over, as it really happened on all machines. Times are absolute. */
struct IterationRecord
{
    JobId job;
    uint64_t iteration{0}; //!< its number from 1, over all stages
    Time start;            //!< when the first worker began to compute
    Time transferStart;    //!< when the first worker had a first bucket, so that bytes may move
    Time computeEnd;       //!< when the last worker had computed
    Time end;              //!< when the last worker had finished it
    uint64_t bytes{0};     //!< bytes given to streams, machine-local ones included
    uint64_t flows{0};     //!< number of messages
};

/** Iterations of a job that are over and were not simulated; see LeapingRun. */
struct IterationLeap
{
    IterationRecord first;
    uint64_t count{0}; //!< number of iterations, the first one included
    Time period;       //!< time from one iteration to the next
    Time held;         //!< time for which workers were held meanwhile (Repetition::GetLength)

    /** \return iteration i of the leap, from 0 to count - 1 */
    IterationRecord Get(uint64_t i) const
    {
        const Time later = TimeStep(period.GetTimeStep() * i);
        IterationRecord record = first;
        record.iteration += i;
        for (Time* time : {&record.start, &record.transferStart, &record.computeEnd, &record.end})
        {
            *time += later;
        }
        return record;
    }
};

} // namespace ns3::ddl

#endif // DDL_ITERATION_LOG_H
