// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TIMELINE_RECORDER_H
#define DDL_TIMELINE_RECORDER_H

#include "ddl-series-recorder.h"
#include "ddl-trace-file.h"

#include "ns3/ddl-cluster.h"
#include "ns3/ddl-job-observer.h"

#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/**
 * Writes a timeline of the simulation, in Chrome's trace format, while it goes on. Each machine is
 * a process. It has a track per GPU with its tasks, and tracks for the messages that it sends,
 * receives and moves inside itself (as many as there are messages at a time) and for the runs of
 * jobs on it. A message lasts from its Send to the arrival of its last byte, and an arrow leads
 * from its sender to its receiver. One more process has a track per job, with its runs and the
 * times between them. Another process has the counters of a SeriesRecorder.
 *
 * It uses trace sources only: a simulation with it has the same events as one without. Only tasks,
 * messages and runs that are not over take memory.
 */
class TimelineRecorder
{
  public:
    /** \param file path of timeline.json, see TraceFile */
    explicit TimelineRecorder(const std::filesystem::path& file);
    TimelineRecorder(const TimelineRecorder&) = delete;
    TimelineRecorder& operator=(const TimelineRecorder&) = delete;

    /** Call it before the simulation. The recorder must outlive the simulation. */
    void Watch(Ptr<Cluster> cluster);
    void Watch(Ptr<JobObserver> observer);

    /**
     * Add counters: throughput of jobs in an interval, and backlogs of queues at its end. They are
     * 0 where there is no row.
     *
     * \param begin, end begin and end of the interval
     * \param rows the interval's rows of series.csv
     */
    void AddCounters(Time begin, Time end, const std::vector<SeriesRow>& rows);

    /** End all open tasks, messages and runs now, and complete the file. \throws RunError when it
     * could not be written */
    void Finish();

  private:
    /** A running task. */
    struct RunningTask
    {
        GpuTask task;
        Time start;
    };

    /** A message in transit, and where it is drawn. */
    struct OpenMessage
    {
        uint64_t bytes{0};
        Time start;
        uint32_t sendLane{0};
        uint32_t receiveLane{0};
    };

    struct WatchedStream
    {
        JobId job;
        HostId source;
        HostId destination;
        std::deque<OpenMessage> open; //!< messages in transit, in order of arrival
    };

    void NotifyTaskStart(GpuId gpu, const GpuTask& task);
    void NotifyTaskEnd(GpuId gpu, const GpuTask& task);
    void NotifyJobStart(Ptr<Job> job);
    void NotifyLaunched(Ptr<const Job> job);
    void NotifySending(Ptr<const Job> job, Ptr<SendingStream> stream);
    void NotifyReceiving(Ptr<const Job> job, Ptr<ReceivingStream> stream);
    void NotifyJobStopped(Ptr<const Job> job);
    void NotifyRunEnd(const JobRunRecord& run);
    void NotifySent(const StreamName& stream, uint64_t bytes);
    void NotifyDelivered(const StreamName& stream, uint64_t bytes);

    /** Kinds of tracks other than those of GPUs. */
    enum class TrackKind
    {
        SEND,
        RECEIVE,
        LOCAL,
        RUN
    };

    /** A run of a job, and where it is drawn. */
    struct OpenRun
    {
        uint32_t number{1};
        Time start;
        std::vector<std::pair<HostId, uint32_t>> tracks; //!< track of the run on each machine
    };

    /** Time between two runs of a job: why the first ended, and when. */
    struct Suspension
    {
        std::string reason;
        Time start;
    };

    void WriteRun(JobId job, const OpenRun& run, bool cut);
    /** Write the time from the end of a job's last run, if there was one, to now. */
    void WriteSuspension(JobId job, Time end, bool cut);
    void WriteTask(GpuId gpu, const RunningTask& running, bool cut);
    /** Write the oldest message in transit of a stream. */
    void WriteMessage(WatchedStream& stream, bool cut);

    /** Take the first free lane for a message or run, as those of one kind may overlap. \return the
     * lane's track */
    uint32_t TakeLane(HostId host, TrackKind kind);
    void FreeLane(HostId host, TrackKind kind, uint32_t track);
    static uint32_t GetFirstTrack(TrackKind kind);

    TraceFile m_file;
    std::map<std::pair<HostId, TrackKind>, std::vector<bool>> m_lanes; //!< true: taken
    std::map<GpuId, RunningTask> m_running;
    std::map<StreamName, WatchedStream> m_streams;
    std::map<JobId, OpenRun> m_runs;
    std::map<JobId, Suspension> m_suspended;
    uint32_t m_jobsProcess{0};                //!< number of the process of all jobs
    std::map<std::string, double> m_counters; //!< counters that are not 0, by name
    uint64_t m_arrows{0};
};

} // namespace ns3::ddl

#endif // DDL_TIMELINE_RECORDER_H
