// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_BATCH_ENGINE_H
#define DDL_BATCH_ENGINE_H

#include "ddl-batch.h"
#include "ddl-engine.h"
#include "ddl-study-state.h"

#include <chrono>
#include <map>
#include <set>

namespace ns3::ddl
{

class SignalWatch;

/**
 * Carries out runs as tasks of a batch system. All that the machines share is a file system, on
 * which no lock is trusted: a fact is a file that appears by rename.
 *
 * The folder `tasks` of the study has `state.json` (what was submitted), a script for each task,
 * `logs/NAME.txt` (the output of a run; it is there when the run has started) and `ended/NAME`
 * (exit status and seconds; it is there when the run is over). It is removed when all runs are
 * over.
 *
 * Invariant: a run is in at most one task that is not over. A task whose runs have all ended is
 * over, whatever the batch system says.
 */
class BatchEngine final : public Engine
{
  public:
    BatchEngine(const EngineOptions& options, std::unique_ptr<Batch> batch);

  private:
    using Clock = std::chrono::steady_clock;

    StudyEnd DoRun(const std::vector<StudyRun>& runs, const StudyListener& listener) override;

    void Load();
    void Adopt(const StudyState& state, std::set<std::size_t>& fresh);
    std::vector<std::size_t> FindRuns(const std::vector<SubmittedRun>& earlier) const;
    void Save() const;
    void Pack(const std::vector<std::size_t>& runs);
    void AddTask(BatchTask task);
    void Submit();
    void SubmitOrCancel(const std::vector<BatchTask*>& tasks);
    void Collect();
    bool CollectRun(std::size_t run);
    void End(std::size_t run, const RunEnd& end);
    void Look();
    void Settle(const BatchTask& task, TaskState state);
    void AskForTwice(BatchTask task, unsigned BatchTask::*factor, const std::string& what);
    void AskAgain(BatchTask task, const std::string& why);
    void GiveUp(const BatchTask& task, const std::string& cause);
    void FailFirst(BatchTask task, const std::string& cause);
    StudyEnd Stop();
    StudyEnd Detach();
    void Finish();
    std::vector<const BatchTask*> ListSubmitted() const;
    std::vector<std::size_t> ListLeft(const BatchTask& task) const;
    bool IsStarted(std::size_t run) const;

    EngineOptions m_options;
    std::unique_ptr<Batch> m_batch;
    std::filesystem::path m_folder; //!< absolute path of the folder `tasks`
    const std::vector<StudyRun>* m_runs{nullptr};
    const StudyListener* m_listener{nullptr};
    std::map<std::string, std::size_t> m_numbers; //!< indices of the runs, by name
    std::map<std::size_t, BatchTask> m_tasks;     //!< tasks that are not over, by number
    std::size_t m_next{0};                        //!< number of the next task
    std::set<std::size_t> m_left;                 //!< runs that are not over
    std::set<std::size_t> m_started;              //!< runs whose start was told to the listener
    std::map<std::size_t, Clock::time_point> m_unseen; //!< ended runs whose results do not show yet
    std::map<std::size_t, Clock::time_point> m_over; //!< tasks that are over, runs of which do not
                                                     //!< show an end yet
    std::set<std::size_t> m_memory; //!< runs that were killed once, and have twice the memory
    Clock::time_point m_looked{};
    Clock::time_point m_tried{}; //!< when tasks were last submitted, or would have been
    bool m_hasLosses{false};     //!< a task failed, so its files stay
};

} // namespace ns3::ddl

#endif // DDL_BATCH_ENGINE_H
