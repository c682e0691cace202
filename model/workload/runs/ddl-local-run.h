// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LOCAL_RUN_H
#define DDL_LOCAL_RUN_H

#include "ddl-checkpoints.h"
#include "ddl-leaping-run.h"
#include "ddl-rank.h"
#include "ddl-run-part.h"

#include "ns3/event-id.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::ddl
{

class LocalRun;

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

/**
 * The part of a job's run that is on one machine: its ranks there, their GPUs, and the ends of the
 * streams that begin or end there. It knows other machines only by what arrives on its streams.
 *
 * An iteration of a worker is: forward pass, backward pass, its part of the plan. The next one
 * follows at once, as far as iterations have been granted. With buckets, each part of the plan
 * begins when its part of the backward pass is over.
 *
 * It runs from its constructor to Stop. The machine's software calls it when a message says that a
 * stage starts, that the workers pause, or that they may send.
 */
class LocalRun : public RunPart
{
  public:
    /**
     * Take the GPUs, make the ranks, open the streams that begin here, and accept those that end
     * here.
     *
     * \param run a run that has ranks on this machine
     * \param site this machine; random draws of workers that are not in its noise begin anew
     */
    LocalRun(std::shared_ptr<const RunSpec> run, const RunSite& site);

    /** Makes a worker. Its arguments are its number, its GPU (null: it has none), and the noise of
     * its compute times, which outlives it. */
    using WorkerFactory =
        std::function<Ptr<WorkerRank>(uint32_t rank, Ptr<Gpu> gpu, TaskTimes& noise)>;

    /** The same, with workers of another kind. \param makeWorker makes them */
    LocalRun(std::shared_ptr<const RunSpec> run,
             const RunSite& site,
             const WorkerFactory& makeWorker);
    ~LocalRun() override;

    void StartStage(uint32_t stage, uint64_t iterations) override;
    uint64_t Pause() override;
    void StopBefore(uint64_t iteration) override;
    void Admit(uint64_t iteration) override;

    bool IsLoading() const override
    {
        return m_checkpoints.IsLoading();
    }

    /** As in RunPart; worker 0, which has stayed at that iteration, goes on when it is saved. */
    void Save(uint64_t iterations) override;

    /** \return the object that does its leaps */
    LocalLeap& GetLeap()
    {
        return m_leap;
    }

    LeapingRun* FindLeap() override
    {
        return &m_leap;
    }

    /** \return number of workers here */
    uint32_t GetWorkers() const
    {
        return m_workers.size();
    }

    /**
     * LocalLeap calls it when iterations are over that were not simulated.
     * \param skipped number of these
     * \param unsent number of these whose bytes no stream was given, and are credited now
     */
    void Advance(uint64_t skipped, uint64_t unsent);

    /** \return number of iterations that all workers here have finished, over all stages; the
     * greatest number without workers */
    uint64_t GetFinished() const override;

    // Its ranks call the following. They number iterations without those that were skipped.
    /** \return number, over all stages, of an iteration as a rank numbers it */
    uint64_t Number(uint64_t iteration) const
    {
        return iteration + m_skipped;
    }

    /** \return L_J of Ada-SRSF, when the rank has done so many iterations */
    Time GetRemainingService(uint64_t done) const;

    // Workers report these.
    void WorkerBegan(WorkerRank& worker, uint64_t iteration);
    void WorkerReady(uint64_t iteration);    //!< the worker has something to send
    void WorkerComputed(uint64_t iteration); //!< the worker has done both passes
    void WorkerFinished(const WorkerRank& worker, uint64_t iteration);
    /** A worker begins or ends a node of its task graph, in the iteration as it numbers it. */
    void NodeChanged(const WorkerRank& worker, uint64_t iteration, uint32_t node, bool isEnd);

  private:
    /** How many workers here have come how far in an iteration. */
    struct Progress
    {
        uint32_t ready{0};
        uint32_t finished{0};
    };

    void MakeRanks(const std::map<uint32_t, TaskTimes>& noise, const WorkerFactory& makeWorker);
    void OpenStreams(Mark initial);
    void AcceptStreams(Mark initial);
    Progress& At(uint64_t iteration);
    void Grant(uint64_t end);
    void NoteSaved(uint64_t iterations);
    void DoStop() override;

    const RunSpec::Part& m_part;
    bool m_isCoflow;                                    //!< whether ranks share streams
    std::map<uint32_t, Ptr<Rank>> m_ranks;              //!< all ranks here, by number
    std::map<uint32_t, Ptr<WorkerRank>> m_workers;      //!< the workers among them
    std::vector<std::unique_ptr<SendingEnd>> m_sending; //!< one for each channel in m_part.sends
    uint64_t m_finished;         //!< iterations that all workers here have finished
    uint64_t m_reported;         //!< iterations reported to the leader as finished
    std::deque<Progress> m_open; //!< iterations from m_finished on
    uint64_t m_skipped{0};       //!< iterations of this run that leaps have skipped
    LocalLeap m_leap;
    Checkpoints m_checkpoints;
    std::optional<uint64_t> m_saving; //!< iterations whose state is being saved, or was saved last
    bool m_isSaved{false};            //!< whether the state after m_saving has been saved
};

} // namespace ns3::ddl

#endif // DDL_LOCAL_RUN_H
