// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CONTROL_MESSAGE_H
#define DDL_CONTROL_MESSAGE_H

#include "ns3/ddl-ids.h"
#include "ns3/ddl-run-spec.h"
#include "ns3/ddl-task-times.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace ns3::ddl
{

// What the coordinator and the agents on the machines say to each other. A leader is the machine of
// a job's worker 0; a rank is a process of the job, worker or parameter server.

/** State of the random draws of workers' compute times, by rank; it moves with the job. */
using WorkerNoise = std::map<uint32_t, TaskTimes>;

/** Coordinator to a machine: launch its ranks of that run. */
struct LaunchRun
{
    HostId machine;
    std::shared_ptr<const RunSpec> run;
    WorkerNoise noise; //!< draws of the machine's workers that have drawn before
};

/**
 * Machine to the coordinator: its ranks of the run have been launched, and their streams are open.
 */
struct RunLaunched
{
    JobId job;
    uint32_t run{1}; //!< number of the job's run
};

/** Coordinator to a machine: its ranks of the job run that stage. */
struct StartStage
{
    JobId job;
    uint32_t stage{1};      //!< number of the stage, from 1
    uint64_t iterations{1}; //!< iterations of this stage that are left
};

/** Coordinator to a machine: its workers of the job begin no more iterations, and what they have
 * begun goes on. */
struct PauseJob
{
    JobId job;
    uint32_t run{1}; //!< number of the job's run
};

/** Machine to the coordinator: its workers begin no more iterations. */
struct JobPaused
{
    JobId job;
    uint32_t run{1};
    uint64_t begun{0}; //!< iterations that the foremost worker there has begun, over all stages
};

/** Coordinator to a machine: its workers run all iterations before that one, and then no more. */
struct StopBefore
{
    JobId job;
    uint64_t iteration{0}; //!< number of the iteration, from 0 over all stages
};

/** Leader to the coordinator: a checkpoint has been made. */
struct CheckpointSaved
{
    JobId job;
    uint32_t run{1};
    uint64_t iterations{0}; //!< iterations done by all workers, over all stages
};

/** Leader to the coordinator: all workers have stopped there, and the state is saved. */
struct JobDrained
{
    JobId job;
    uint32_t run{1};
    uint64_t iterations{0}; //!< iterations done, over all stages
};

/** Coordinator to a machine: its ranks of the job end. */
struct StopJob
{
    JobId job;
    bool isDone{false}; //!< whether it saves its results and leaves; part of the kind of message
};

/** Leader to the coordinator: all workers of the job have finished the stage. */
struct StageDone
{
    JobId job;
    uint32_t stage{1};
};

/** Machine to the coordinator: no rank of the job is left there, and its GPUs are free. */
struct JobStopped
{
    JobId job;
    uint32_t run{1};
    /** Iterations that all workers there have finished, over all stages; where there are only
     * parameter servers, the largest number. */
    uint64_t iterations{0};
    WorkerNoise noise; //!< draws of the workers that were there
};

/** A point in an iteration that the workers on one machine have reached. */
enum class WorkersPoint
{
    SENDING, //!< the first of them has something to send in that iteration
    READY,   //!< all of them have
    FINISHED //!< all of them have finished that iteration
};

/** Machine to the leader: progress of its workers. */
struct WorkersReport
{
    JobId job;
    uint32_t run{1};
    WorkersPoint point{WorkersPoint::FINISHED};
    uint64_t iteration{1}; //!< number of the iteration, from 1 over all stages
    bool isForGate{false}; //!< whether only a gate needs it; on the wire part of the point
};

/** Coordinator to a leader: request of the progress of all jobs that it leads. */
struct ProgressRequest
{
    uint32_t round{0}; //!< number that comes back in the report
};

/** Progress of one job. */
struct JobProgress
{
    JobId job;
    uint32_t stage{1};          //!< current or last one
    uint64_t iterationsDone{0}; //!< iterations done by the workers on its leader, over all stages
};

/** Leader to the coordinator: progress of the jobs that this machine leads. */
struct ProgressReport
{
    uint32_t round{0};
    std::vector<JobProgress> jobs; //!< all jobs that it leads
};

/** Leader to the coordinator: an iteration of the job begins to move bytes. */
struct CoflowStarted
{
    JobId job;
    uint64_t iteration{1}; //!< number of the iteration, from 1 over all stages
};

/** Leader to the coordinator: all bytes of that iteration have arrived. Or a machine: a task there
 * has its parameters. */
struct CoflowEnded
{
    JobId job;
    uint64_t iteration{1};
    std::optional<uint32_t> gpu{}; //!< GPU of that task, on this machine
};

/** Leader to the coordinator: all workers of the job have computed; may they communicate? Or a
 * machine: may a task there move its parameters, or its gradients? */
struct GateRequest
{
    JobId job;
    uint64_t iteration{1};         //!< number of the iteration, from 1 over all stages
    uint64_t bytes{0};             //!< bytes that it will move through the job's busiest NIC
    std::optional<uint32_t> gpu{}; //!< GPU of that task, on this machine
};

/** Coordinator to a machine: its ranks of the job may send in that iteration, or a task may. */
struct GateGrant
{
    JobId job;
    uint64_t iteration{1};
    std::optional<uint32_t> gpu{}; //!< GPU of that task
};

/** Coordinator to a machine: request of the bytes that each job has moved there. */
struct BytesRequest
{
    uint32_t round{0}; //!< number that comes back in the report
};

/** What one job has moved through one machine's NIC since its present run was launched. */
struct JobBytes
{
    JobId job;
    uint32_t run{1};
    uint64_t sent{0};
    uint64_t received{0};
};

/** Machine to the coordinator: what the jobs on it have moved. */
struct BytesReport
{
    uint32_t round{0};
    std::vector<JobBytes> jobs; //!< all jobs that have a rank there
};

/** The priority of one job among all jobs that send from or to one machine. */
struct JobPriority
{
    JobId job;
    uint32_t stage{1}; //!< the stage for which the priority holds
    HostId host;
    uint32_t priority{1}; //!< 1 goes first

    bool operator==(const JobPriority& other) const
    {
        return job == other.job && stage == other.stage && host == other.host &&
               priority == other.priority;
    }
};

/** Coordinator to a machine: priorities that have changed, its own and its peers'. */
struct Priorities
{
    std::vector<JobPriority> priorities;
};

/** The path of one stream. */
struct PathPin
{
    JobId job;
    uint32_t source{0};      //!< as in its StreamName
    uint32_t destination{0}; //!< as in its StreamName
    uint32_t label{0};       //!< flow label, see SendingStream::SetPath
};

/** Coordinator to a machine: the paths of streams that begin there, where they change. */
struct PinPaths
{
    std::vector<PathPin> pins;
};

/** Machine to the coordinator: its server had failed and is back, with no state. */
struct RejoinRequest
{
    std::vector<HostId> server; //!< all machines of the server
};

/**
 * Coordinator to a machine that had failed: it may take part again. It has ignored all messages
 * before this one.
 */
struct RejoinGrant
{
};

/** Coordinator to a machine: run a task of the job's present round on that GPU. */
struct RunTask
{
    JobId job;
    uint32_t gpu{0};   //!< index on the machine
    uint64_t round{0}; //!< number of the round, from 0 over all stages
};

/** Machine to the machine of the job's server: a task there wants the parameters of a round. */
struct PullRequest
{
    JobId job;
    uint32_t run{1};
    HostId executor; //!< machine of the task
    uint32_t gpu{0};
    uint64_t round{0};
};

/** Machine to the coordinator: a task has ended, and its GPU is free. */
struct TaskEnded
{
    JobId job;
    uint32_t gpu{0};
    uint64_t round{0};
};

/**
 * Machine of a job's server to the coordinator: so many rounds are done. On the wire it also has
 * the loss after the last one.
 */
struct RoundEnded
{
    JobId job;
    uint32_t run{1};
    uint64_t rounds{0}; //!< rounds done, over all stages
};

/** All control messages. */
using ControlMessage = std::variant<LaunchRun,
                                    RunLaunched,
                                    WorkersReport,
                                    StartStage,
                                    PauseJob,
                                    JobPaused,
                                    StopBefore,
                                    CheckpointSaved,
                                    JobDrained,
                                    StopJob,
                                    StageDone,
                                    JobStopped,
                                    ProgressRequest,
                                    ProgressReport,
                                    Priorities,
                                    PinPaths,
                                    CoflowStarted,
                                    CoflowEnded,
                                    BytesRequest,
                                    BytesReport,
                                    GateRequest,
                                    GateGrant,
                                    RejoinRequest,
                                    RejoinGrant,
                                    RunTask,
                                    PullRequest,
                                    TaskEnded,
                                    RoundEnded>;

/** One function object of several, for std::visit of a message: the one of its kind is called. */
template <typename... Overloads>
struct Overloaded : Overloads...
{
    using Overloads::operator()...;
};

template <typename... Overloads>
Overloaded(Overloads...) -> Overloaded<Overloads...>;

/**
 * Size of a message as a real system would send it: a header of 16 bytes (kind, length, sender,
 * sequence number), 4 bytes for each field (8 for a count of bytes, and for a number of iterations
 * from 2^32 on), 4 for the length of a list.
 *
 * \return bytes
 */
uint64_t GetWireBytes(const ControlMessage& message);

} // namespace ns3::ddl

#endif // DDL_CONTROL_MESSAGE_H
