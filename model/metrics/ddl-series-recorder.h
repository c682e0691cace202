// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SERIES_RECORDER_H
#define DDL_SERIES_RECORDER_H

#include "ddl-csv-file.h"

#include "ns3/ddl-gpu.h"
#include "ns3/ddl-job.h"
#include "ns3/ddl-port.h"
#include "ns3/ddl-training-cluster.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A row of series.csv. */
struct SeriesRow
{
    Time time;        //!< end of the interval
    std::string kind; //!< kind of the subject: "port", "job", ...
    std::string name;
    std::optional<uint32_t> queue; //!< queue of a port
    std::string quantity;
    double value{0};
};

/**
 * Writes series.csv during a simulation: activity of ports, jobs and GPUs in each interval, and
 * states at its end. Values of 0 have no row. The amounts of a port, summed over intervals, equal
 * those of ports.csv; those of a job equal its bytes.
 *
 * It only reads counters: a simulation with it moves the same packets at the same times as one
 * without, but has one more event per interval. It must outlive the simulation.
 */
class SeriesRecorder
{
  public:
    /**
     * Construct it before the simulation.
     *
     * \param file path of series.csv
     * \param interval length of the intervals, more than 0; the first begins now
     * \param cluster the cluster to observe
     * \throws RunError when the file cannot be made
     */
    SeriesRecorder(const std::filesystem::path& file, Time interval, Ptr<TrainingCluster> cluster);
    ~SeriesRecorder();
    SeriesRecorder(const SeriesRecorder&) = delete;
    SeriesRecorder& operator=(const SeriesRecorder&) = delete;

    /** Called at the end of each interval with its begin, its end and all its rows. */
    using Listener = std::function<void(Time, Time, const std::vector<SeriesRow>&)>;

    /** \param listener callback for each interval from now on */
    void SetListener(Listener listener);

    /**
     * Call after the simulation: ends the open interval.
     * \throws RunError when a row could not be written
     */
    void Finish();

    /** \return number of the simulator's events that this recorder has scheduled */
    uint64_t GetEvents() const
    {
        return m_events;
    }

  private:
    /** The counters of a port's queue so far. */
    struct QueueCounts
    {
        uint64_t bytes{0};
        uint64_t dropped{0};
        uint64_t marked{0};
        Time busy;
    };

    struct WatchedPort
    {
        Ptr<Port> device;
        std::string name; //!< name of the port: NODE-PORT-PEER
        std::vector<QueueCounts> queues;
    };

    struct WatchedJob
    {
        Ptr<Job> job;
        uint64_t bytes{0}; //!< bytes that had arrived when the interval began
    };

    /** The port, job, ... that a row describes. */
    struct Subject
    {
        const char* kind;
        std::string name;
        std::optional<uint32_t> queue{}; //!< queue of a port
    };

    void NotifyArrival(const CojobSpec& cojob);
    void NotifyJobStart(Ptr<Job> job);
    void NotifyJobEnd(Ptr<Job> job, bool stoppedEarly);
    void Sample();
    void WriteAll();
    void WritePort(WatchedPort& port);
    void WriteJobs();
    void WriteGpus();
    QueueCounts Count(const WatchedPort& port, uint32_t queue) const;
    /** Write a row, unless the value is 0. */
    void Write(const Subject& subject, const char* quantity, double value);

    CsvFile m_file;
    Time m_interval;
    Time m_begin; //!< begin of the open interval
    Ptr<TrainingCluster> m_cluster;
    std::vector<WatchedPort> m_ports;
    std::map<JobId, WatchedJob> m_jobs; //!< jobs that have run in the open interval
    GpuTimes m_gpus;                    //!< times of all GPUs when the interval began
    uint64_t m_arrived{0};              //!< number of jobs that have arrived
    uint64_t m_ended{0};                //!< number of jobs that have ended
    std::vector<JobId> m_endedNow;      //!< jobs that ended in the open interval
    EventId m_next;
    uint64_t m_events{0};
    Listener m_listener;
    std::vector<SeriesRow> m_rows; //!< rows of the interval, if there is a listener
};

} // namespace ns3::ddl

#endif // DDL_SERIES_RECORDER_H
