// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RUN_SPEC_H
#define DDL_RUN_SPEC_H

#include "ddl-job-service.h"

#include "ns3/ddl-bucket-plan.h"
#include "ns3/ddl-job-spec.h"
#include "ns3/ddl-nic-bytes.h"
#include "ns3/ddl-rank-plan.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::ddl
{

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
        std::vector<uint32_t> ranks;    //!< that are there
        std::vector<uint32_t> sends;    //!< channels of the plan that begin there
        std::vector<uint32_t> receives; //!< channels of the plan that end there
    };

    /** Where its checkpoints are. */
    struct Storage
    {
        HostId host;
        uint64_t bytes{0}; //!< of a checkpoint, more than 0
    };

    RunSpec(const JobSpec& job, CojobId cojob);

    JobSpec job;
    CojobId cojob;
    BucketPlan buckets; //!< how gradients are cut, and when each part is sent

    // The kind of the job sets these.
    Placement placement;
    std::shared_ptr<const JobPlan> plan; //!< transfers of an iteration; without ranks: sums alone
    std::vector<HostId> rankHosts; //!< machine of each rank, the leader first; where ranks come and
                                   //!< go with their tasks, of those that stay
    std::vector<HostId> machines;  //!< that take part in its stages, ascending
    std::map<HostId, Part> parts;  //!< of all these; empty where ranks may come to
    uint32_t workerHosts{0};       //!< machines that report finished iterations to the leader
    bool asksByTask{false}; //!< if it is gated, each of its tasks waits for a grant of its own
    std::vector<HostBytes> hostBytes; //!< what an iteration moves through each NIC
    IterationCost cost; //!< of an iteration, at the slowest worker and the busiest NIC

    // Whoever launches it sets these.
    uint32_t number{1};             //!< of the job's runs, from 1
    uint64_t first{0};              //!< iteration that it does first, from 0
    uint64_t iterations{0};         //!< planned for the job, all stages
    bool isGated{false};            //!< transfers of an iteration, or of a task, wait for a grant
    bool reportsIterations{false};  //!< the leader reports each iteration to the coordinator
    Time launch;                    //!< time to launch it, on every machine
    Time save;                      //!< time to save a checkpoint
    Time finish;                    //!< time to save the results when the job is done
    uint64_t checkpointEvery{0};    //!< iterations from a checkpoint to the next; 0: none
    std::optional<Storage> storage; //!< none: checkpoints use no network. Its part is empty unless
                                    //!< it has ranks, too
    std::vector<HostId> hosts;      //!< its machines and the storage, ascending

    /** \return whether one grant of the gate admits all transfers of an iteration */
    bool AsksByIteration() const
    {
        return isGated && !asksByTask;
    }

    JobId GetId() const
    {
        return job.id;
    }

    /** \return where a rank is; NO_GPU: it takes none */
    const GpuId& GetGpu(uint32_t rank) const
    {
        return rank < job.workers ? placement.workers[rank] : placement.servers[rank - job.workers];
    }

    /** \return the machine of worker 0, which is the leader of the job */
    HostId GetLeader() const
    {
        return rankHosts.front();
    }

    /** Its checkpoints are kept there. Once, after TrainingJob::MakeRun. */
    void SetStorage(const Storage& where);

    /**
     * \return whether that machine loads its state from the storage before it goes on: it has a
     *         worker, and the job has done iterations before
     */
    bool LoadsState(HostId machine) const;

    /** \return whether a checkpoint is due when so many iterations are done, over all stages */
    bool IsCheckpoint(uint64_t done) const
    {
        return checkpointEvery > 0 && done % checkpointEvery == 0 && done < iterations;
    }

    /** \return whether that machine takes part in its stages */
    bool TakesPart(HostId machine) const
    {
        return std::binary_search(machines.begin(), machines.end(), machine);
    }

    /**
     * \return that machine and those that may exchange bytes of the job's with it, state apart;
     *         ascending
     */
    std::vector<HostId> ListPeers(HostId machine) const;

    /** \return whether it only moves bytes, as the coflows of a trace do; then its ranks share one
     * stream from each machine to each other machine */
    bool IsCoflow() const;

    /** \return whether no transfer of an iteration waits for another one */
    bool IsOnePhase() const;
};

/** An event of a run on one machine, for observers. */
struct RankEvent
{
    enum class Kind
    {
        LAUNCHED, //!< its ranks exist, and their streams are open
        STAGE,    //!< it received the start of a stage
        BEGAN,    //!< a worker has begun an iteration
        READY,    //!< a worker has something to send in it
        ASKED,    //!< a task requests a grant for its parameters or gradients
        COMPUTED, //!< a worker has computed all of it
        FINISHED, //!< a worker has finished it
        ADMITTED, //!< its ranks may send in it; of a task: it may move parameters or gradients
        LOADED,   //!< its checkpoint has been loaded
        SAVING,   //!< the leader begins to save the state after so many iterations
        SAVED,    //!< that is saved
        STOPPED,  //!< its ranks are gone, and its GPUs free
        FAILED    //!< the same, because the machine has failed
    };

    Kind kind{Kind::LAUNCHED};
    JobId job;
    uint32_t run{1};
    HostId machine;
    /** From 0, over all stages; of STAGE, SAVING and SAVED: the one that follows. */
    uint64_t iteration{0};
    uint32_t stage{0}; //!< for STAGE only
};

} // namespace ns3::ddl

#endif // DDL_RUN_SPEC_H
