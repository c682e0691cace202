// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RUN_RECORDER_H
#define DDL_RUN_RECORDER_H

#include "ddl-accuracy-watch.h"
#include "ddl-run-result.h"

#include "ns3/ddl-training-cluster.h"
#include "ns3/rng-seed-manager.h"

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace ns3::ddl
{

class BoundRecorder;
class GraphRecorder;
class PathRecorder;
class ResultRows;

/**
 * Measures a simulation: it observes a training cluster through its trace sources and keeps the
 * rows of the result files, or writes them to the files at once. In the latter case its memory
 * grows only with the number of jobs. A simulation with a recorder has the same events as one
 * without. WriteResults() takes its rows and totals.
 *
 * Construct it before the simulation; it must outlive the simulation.
 */
class RunRecorder
{
  public:
    /**
     * \param cluster the training cluster, before its simulation
     * \param tables result tables whose rows to keep or write besides those that always are:
     *        "iterations", "waits", ...
     * \throws InputError when there is no such table, or what is in it needs another setting
     * \param seed seed of the simulation, for rows that name it
     */
    explicit RunRecorder(Ptr<TrainingCluster> cluster,
                         const std::set<std::string>& tables = {},
                         uint32_t seed = RngSeedManager::GetSeed());
    ~RunRecorder();
    RunRecorder(const RunRecorder&) = delete;
    RunRecorder& operator=(const RunRecorder&) = delete;

    /**
     * Call before the simulation, to write rows as they come, and to keep none of iterations,
     * remarks and scheduler invocations.
     *
     * \param folder an existing folder
     * \throws RunError when a file cannot be made
     */
    void EnableFiles(const std::filesystem::path& folder);

    /** \return number of stages of cojobs and plain jobs that are over, for progress displays */
    std::size_t GetStagesDone() const
    {
        return m_stagesDone;
    }

    /** \return true if the simulation was stopped because its files could not be written */
    bool HasFailed() const;

    /**
     * Call once, after the simulation and before Simulator::Destroy.
     *
     * \return all rows and totals; they are not kept here, as there may be very many. CPU time,
     *         wall-clock time and memory are left out, as they belong to the whole process
     */
    RunResult TakeResult();

    /** Complete the files, if there are any. \throws RunError when one could not be written */
    void FinishFiles();

  private:
    void AddTotals(RunResult& result) const;
    void NotifyArrival(const CojobSpec& cojob);
    void NotifyStageEnd(const StageRecord& stage);
    void NotifyCojobEnd(CojobId cojob);
    void NotifyTimers(const TimersRecord& timers);
    void NotifyEstimate(const EstimateRecord& estimate);
    void NotifyRunEnd(const JobRunRecord& run);
    void NotifyLaunch(Ptr<const Job> job);
    void NotifyJobStart(Ptr<Job> job);
    void NotifyJobStageStart(Ptr<const Job> job, uint32_t stage);
    void NotifyJobEnd(Ptr<Job> job, bool stoppedEarly);
    void NotifyIteration(const IterationRecord& iteration);
    void NotifyLeap(const IterationLeap& leap);
    void AddIteration(const IterationRecord& iteration);
    void NotifyRemark(const RemarkRecord& remark);
    void NotifySchedule(const ScheduleRecord& schedule);

    /** A cojob, or a plain job, from its arrival to its end. */
    struct Group
    {
        bool plain{false};
        Time submit;
    };

    Ptr<TrainingCluster> m_cluster;
    uint32_t m_seed;
    std::unique_ptr<BoundRecorder> m_bound;
    std::map<CojobId, Group> m_groups;
    Time m_firstArrival{Time::Max()};
    std::map<JobId, Time> m_started;   //!< time at which each job's first worker began
    std::map<JobId, Placement> m_left; //!< last placement of each job that waits to be resumed
    std::map<GpuId, std::vector<TrainingSpan>> m_trainings; //!< trainings of past runs, by GPU
    AccuracyWatch m_accuracy;
    TimersWatch m_timers;
    std::size_t m_stagesDone{0};
    uint64_t m_coflows{0}; //!< number of coflows so far
    RunResult m_result;
    std::unique_ptr<ResultRows> m_rows;
    std::unique_ptr<GraphRecorder> m_graphs; //!< null if its tables are not wanted
    std::unique_ptr<PathRecorder> m_paths;   //!< null if its table is not wanted
};

} // namespace ns3::ddl

#endif // DDL_RUN_RECORDER_H
