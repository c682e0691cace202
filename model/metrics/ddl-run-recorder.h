// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RUN_RECORDER_H
#define DDL_RUN_RECORDER_H

#include "ddl-accuracy-watch.h"
#include "ddl-row-files.h"
#include "ddl-run-result.h"

#include "ns3/ddl-fabric.h"
#include "ns3/ddl-job-manager.h"

#include <map>

namespace ns3
{
namespace ddl
{

/**
 * Watches a cluster through its trace sources and keeps what will be rows, or writes rows to files
 * as they come: then its memory grows with the number of jobs, and not with what they do. Whoever
 * is watched does not know it; a run with a recorder has the same events as one without.
 *
 * Connect to everything before the run; it must outlive what it is connected to, or at least the
 * run.
 */
class RunRecorder
{
  public:
    /** \param iterations whether to keep a record for each iteration of each job */
    explicit RunRecorder(bool iterations);
    RunRecorder(const RunRecorder&) = delete;
    RunRecorder& operator=(const RunRecorder&) = delete;

    /**
     * Before the run: write rows as they come, and keep none of iterations, remarks and scheduler
     * runs.
     *
     * \param folder that exists
     * \throws RunError when a file cannot be made
     */
    void EnableFiles(const std::filesystem::path& folder, RowFiles::Choice choice);

    void Watch(Ptr<JobManager> manager);
    void Watch(Ptr<Coordinator> coordinator);
    void Watch(Ptr<Agent> agent);

    /** \return stages of cojobs and of plain jobs that are over, for progress */
    std::size_t GetStagesDone() const;

    /** \return when the first cojob or job arrived, Time::Max() before */
    Time GetFirstArrival() const;

    /** Once, at the end. \return all rows: stages, jobs, iterations, remarks, schedule, cojobs,
     * makespan; they are not kept here, as there may be very many */
    RunResult TakeResult();

    /** Complete the files, if there are any. \throws RunError when one could not be written */
    void FinishFiles();

  private:
    void NotifyArrival(const CojobSpec& cojob);
    void NotifyStageEnd(const StageRecord& stage);
    void NotifyCojobEnd(CojobId cojob);
    void NotifyJobStart(Ptr<Job> job);
    void NotifyJobStageStart(Ptr<const Job> job, uint32_t stage);
    void NotifyJobEnd(Ptr<Job> job, bool stoppedEarly);
    void NotifyIteration(const IterationRecord& iteration);
    void NotifyRemark(const RemarkRecord& remark);
    void NotifySchedule(const ScheduleRecord& schedule);

    /** What is known of a cojob, or of a plain job, from its arrival to its end. */
    struct Group
    {
        bool plain{false};
        Time submit;
    };

    bool m_iterations;
    std::map<CojobId, Group> m_groups;
    Time m_firstArrival{Time::Max()};
    std::map<JobId, Time> m_started; //!< first worker of the job began
    AccuracyWatch m_accuracy;
    std::size_t m_stagesDone{0};
    RunResult m_result;
    std::unique_ptr<RowFiles> m_files; //!< null: rows are kept
};

/**
 * \param fabric after a run
 * \param transport what moved the bytes
 * \param duration of the run, more than 0
 * \return one row for each queue of each port; what only packets have is left out without them
 */
std::vector<PortRow> ReadPorts(Ptr<Fabric> fabric, Ptr<Transport> transport, Time duration);

} // namespace ddl
} // namespace ns3

#endif // DDL_RUN_RECORDER_H
