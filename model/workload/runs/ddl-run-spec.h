// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RUN_SPEC_H
#define DDL_RUN_SPEC_H

#include "ddl-job-service.h"

#include "ns3/ddl-bucket-plan.h"
#include "ns3/ddl-job-spec.h"
#include "ns3/ddl-nic-bytes.h"
#include "ns3/ddl-rank-plan.h"
#include "ns3/ddl-stream.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::ddl
{

struct GraphPlan;

/**
 * One run of a job, as the control side decides it and sends it to the machines: the machine of
 * each rank, its transfers, and the first iteration. It never changes, so a machine that has
 * received it may keep it. The kind of the job makes it (TrainingJob::MakeRun).
 *
 * A job that is suspended and resumed has several runs, one after the other. Ranks 0 to W - 1 are
 * workers, W to W + S - 1 servers. Iterations are numbered over all stages and all runs.
 */
struct RunSpec
{
    /** The part of a run on one machine. */
    struct Part
    {
        std::vector<uint32_t> ranks;    //!< ranks on that machine
        std::vector<uint32_t> sends;    //!< channels of the plan that begin there
        std::vector<uint32_t> receives; //!< channels of the plan that end there
    };

    /** Where its checkpoints are. */
    struct Storage
    {
        HostId host;
        uint64_t bytes{0}; //!< size of a checkpoint, more than 0
    };

    RunSpec(const JobSpec& job, CojobId cojob);

    JobSpec job;
    CojobId cojob;
    BucketPlan buckets; //!< how gradients are cut, and when each part is sent

    // The kind of the job sets these.
    Placement placement;
    std::shared_ptr<const JobPlan> plan; //!< transfers of an iteration; without ranks: sums alone
    /** Machine of each rank, the leader first. In a job of tasks, only of the server. */
    std::vector<HostId> rankHosts;
    std::vector<HostId> machines; //!< machines that take part in its stages, ascending
    std::map<HostId, Part> parts; //!< parts by machine; empty parts where tasks may come to
    uint32_t workerHosts{0};      //!< number of machines that report iterations to the leader
    bool asksByTask{false};       //!< if it is gated, each task waits for a grant of its own
    std::shared_ptr<const GraphPlan> graph; //!< what ranks do, if that is a task graph
    std::vector<HostBytes> hostBytes;       //!< bytes that an iteration moves through each NIC
    IterationCost cost;                     //!< cost of an iteration

    // Whoever launches it sets these.
    uint32_t number{1};            //!< number of this run among those of the job, from 1
    uint64_t first{0};             //!< the iteration that it does first, from 0
    uint64_t iterations{0};        //!< number planned for the job, in all stages
    bool isGated{false};           //!< transfers of an iteration, or of a task, wait for a grant
    bool reportsIterations{false}; //!< the leader reports each iteration to the coordinator
    Time launch;                   //!< time to launch it, on every machine
    Time save;                     //!< time to save a checkpoint
    Time finish;                   //!< time to save the results when the job is done
    uint64_t checkpointEvery{0};   //!< number of iterations between checkpoints; 0: none are made
    /** None: checkpoints use no network. A storage without ranks has an empty part. */
    std::optional<Storage> storage;
    std::vector<HostId> hosts; //!< its machines and the storage, ascending

    /** \return whether one grant of the gate admits all transfers of an iteration */
    bool AsksByIteration() const
    {
        return isGated && !asksByTask;
    }

    JobId GetId() const
    {
        return job.id;
    }

    /** \return the GPU of a rank; index NO_GPU: its machine only */
    const GpuId& GetGpu(uint32_t rank) const
    {
        return rank < job.workers ? placement.workers[rank] : placement.servers[rank - job.workers];
    }

    /** \return the leader: the machine of worker 0, or of the server of a job of tasks */
    HostId GetLeader() const
    {
        return rankHosts.front();
    }

    /** Set `parts` and `workerHosts` from `rankHosts` and `plan`. */
    void SetParts();

    /** Set where its checkpoints are kept. Call it once, after TrainingJob::MakeRun. */
    void SetStorage(const Storage& where);

    /**
     * \return whether a machine loads the state from the storage first: it has a worker, and the
     *         job has done iterations before
     */
    bool LoadsState(HostId machine) const;

    /** \return whether a checkpoint is due when so many iterations are done, over all stages */
    bool IsCheckpoint(uint64_t done) const
    {
        return checkpointEvery > 0 && done % checkpointEvery == 0 && done < iterations;
    }

    /** \return whether a machine takes part in its stages */
    bool TakesPart(HostId machine) const
    {
        return std::binary_search(machines.begin(), machines.end(), machine);
    }

    /**
     * \return the machine and those with which it may exchange bytes of the job, checkpoints apart;
     *         ascending; without ranks in the plan, all machines
     */
    std::vector<HostId> ListPeers(HostId machine) const;

    /** \return whether its workers have no GPUs and only move bytes, as coflows of a trace do; then
     * ranks share one stream from each machine to each other one */
    bool IsCoflow() const;

    /** \return name of the stream of a channel of the plan. \param isCoflow IsCoflow(), which takes
     * O(workers) */
    StreamName GetStreamName(uint32_t channel, bool isCoflow) const;

    /** \return whether no transfer of an iteration waits for another one */
    bool IsOnePhase() const;
};

/** An event of a run on one machine, for observers. */
struct RankEvent
{
    enum class Kind
    {
        LAUNCHED, //!< its ranks exist, and their streams are open
        STAGE,    //!< it has received the start of a stage
        BEGAN,    //!< a worker has begun an iteration
        READY,    //!< a worker has something to send in an iteration
        ASKED,    //!< a task requests a grant for its parameters or gradients
        COMPUTED, //!< a worker has done both passes of an iteration
        FINISHED, //!< a worker has finished an iteration
        ADMITTED, //!< its ranks may send in an iteration; a task may move parameters or gradients
        LOADED,   //!< its checkpoint has been loaded
        SAVING,   //!< the leader begins to save the state after so many iterations
        SAVED,    //!< the leader has saved that state
        STOPPED,  //!< its ranks are gone, and its GPUs free
        FAILED    //!< its ranks are gone, because the machine has failed
    };

    Kind kind{Kind::LAUNCHED};
    JobId job;
    uint32_t run{1};
    HostId machine;
    /** The iteration, from 0 over all stages. For STAGE the one behind the stage, for SAVING and
     * SAVED the one behind the saved state. */
    uint64_t iteration{0};
    uint32_t stage{0}; //!< the stage, for STAGE only
    uint32_t rank{0};  //!< the worker, for BEGAN and FINISHED of ranks that run together
};

/** A node of a task graph begins or ends on its rank; for observers. */
struct NodeEvent
{
    JobId job;
    uint32_t rank{0};
    /** The iteration, from the first of the run on and without those that leaps have skipped; equal
     * at all ranks that work on the same one. */
    uint64_t iteration{0};
    uint32_t node{0}; //!< index in GraphProgram::nodes
    bool isEnd{false};
};

} // namespace ns3::ddl

#endif // DDL_RUN_SPEC_H
