// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GRAPH_RECORDER_H
#define DDL_GRAPH_RECORDER_H

#include "ddl-result-tables.h"

#include "ns3/ddl-job-observer.h"
#include "ns3/ddl-job.h"
#include "ns3/ddl-run-spec.h"
#include "ns3/ddl-task-graph.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::ddl
{

struct GraphPlan;
class TrainingCluster;

/**
 * How the ranks of one run of a task graph spend their time, from what its nodes report.
 *
 * The time of a rank counts from the beginning of its iteration until its last node has ended.
 * While some ranks of the run are in an iteration, it also counts for ranks that have not begun one
 * yet, or have ended their last one. It does not count while a leap holds the rank. At any counted
 * instant a rank is
 *
 * - computing, if a node of a GPU lane has begun and not ended (its GPU may be busy with others);
 * - else in exposed communication, if something of it is under way: its own message, until that is
 *   acknowledged; a message that it awaits, once its source has begun to send; a collective, once
 *   all members have begun it;
 * - else in a bubble.
 *
 * A node that waits for the gate has begun.
 */
class GraphRunWatch
{
  public:
    /** Sums over ranks. */
    struct Times
    {
        Time compute;
        Time exposed;
        Time bubble;
        uint64_t finished{0}; //!< iterations, each counted at each rank

        void Add(const Times& other);
    };

    /** Takes a collective that is over: its group, type and bytes, and how long it took. */
    using CollectiveListener =
        std::function<void(uint32_t group, Collective type, uint64_t bytes, Time time)>;

    /** \param plan of the run \param listener called at the end of each collective; may be empty */
    GraphRunWatch(std::shared_ptr<const GraphPlan> plan, CollectiveListener listener);

    void Begin(uint32_t rank);  //!< a rank begins an iteration
    void Finish(uint32_t rank); //!< a rank has finished its iteration, and may have been held
    void Note(const NodeEvent& event);
    void Leap(Time held); //!< ranks that are held are held for so long, which does not count

    /** \return sums until now, after which it counts no more */
    Times Stop();

  private:
    struct Rank
    {
        enum class State
        {
            OUTSIDE, //!< has not begun, or has finished
            INSIDE,
            HELD //!< all nodes have ended, and it has not finished
        };

        State state{State::OUTSIDE};
        uint32_t left{0};          //!< nodes of the iteration that have not ended
        uint32_t computing{0};     //!< nodes on GPU lanes that have begun
        uint32_t communicating{0}; //!< communications that are under way
        Time since;                //!< its time has been counted until then
        Time leapt;                //!< part of the time since then that a leap takes
    };

    /** Messages of an iteration between two ranks with one tag. */
    struct Channel
    {
        uint32_t unreceived{0}; //!< sends that have begun, less receives that have ended
        uint32_t waiting{0};    //!< receives that have begun and not ended

        bool IsUnderWay() const
        {
            return unreceived > 0 && waiting > 0;
        }
    };

    /** A collective of an iteration. */
    struct Instance
    {
        uint32_t begun{0};
        uint32_t ended{0};
        std::vector<uint32_t> early; //!< members that ended before the last one began
        Time start;
    };

    void Count(Rank& rank);
    void Release(Rank& rank);
    void CountAll();
    void NoteMessage(const NodeEvent& event, const GraphNode& node);
    void NoteCollective(const NodeEvent& event, const GraphNode& node);

    std::shared_ptr<const GraphPlan> m_plan;
    CollectiveListener m_listener;
    std::vector<Rank> m_ranks;
    uint32_t m_outside; //!< number of ranks in State::OUTSIDE
    Times m_times;
    /** By iteration, source, destination and tag. */
    std::map<std::tuple<uint64_t, uint32_t, uint32_t, uint32_t>, Channel> m_channels;
    /** By iteration, group and number in the group. */
    std::map<std::tuple<uint64_t, uint32_t, uint32_t>, Instance> m_instances;
};

/**
 * Makes the rows of training.csv and collectives.csv: watches the nodes of all jobs of task graphs.
 * It listens to trace sources only.
 */
class GraphRecorder
{
  public:
    /** \param rows takes the rows; outlives it, as the cluster does */
    GraphRecorder(Ptr<TrainingCluster> cluster, ResultRows& rows);
    ~GraphRecorder();
    GraphRecorder(const GraphRecorder&) = delete;
    GraphRecorder& operator=(const GraphRecorder&) = delete;

  private:
    /** Equal collectives: group, type, bytes and algorithm. */
    using Kind = std::tuple<uint32_t, Collective, uint64_t, std::string>;

    /** What is known of equal collectives. */
    struct Sum
    {
        uint64_t count{0};
        Time all;
        Time least{Time::Max()};
        Time most;
    };

    struct Watched
    {
        Ptr<Job> job;
        std::shared_ptr<const GraphPlan> plan; //!< of the latest run
        uint32_t run{0};                       //!< its number; 0: none has begun
        std::unique_ptr<GraphRunWatch> watch;  //!< null between runs
        GraphRunWatch::Times times;            //!< of the runs that are over
        Time training;
        double peak{0}; //!< FLOPs that its GPUs could have done while it trained
        bool hasEnded{false};
        std::map<Kind, Sum> collectives;
    };

    void NotifyJobStart(Ptr<Job> job);
    void NotifyJobEnd(Ptr<Job> job, bool stoppedEarly);
    void NotifyRunEnd(const JobRunRecord& run);
    void NotifyRank(const RankEvent& event);
    void NotifyNode(const NodeEvent& event);
    void NotifyLeap(const IterationLeap& leap);
    void BeginRun(Watched& watched);
    void EndRun(Watched& watched);
    double SumPeaks(const JobSpec& job, const Placement& placement) const;
    void AddRows(Watched& watched);

    Ptr<TrainingCluster> m_cluster;
    ResultRows& m_rows;
    std::map<JobId, Watched> m_jobs; //!< jobs of task graphs that have not left
};

} // namespace ns3::ddl

#endif // DDL_GRAPH_RECORDER_H
