// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RUN_SPEC_H
#define DDL_RUN_SPEC_H

#include "ddl-job-service.h"
#include "ddl-plan-memo.h"

#include "ns3/ddl-bucket-plan.h"
#include "ns3/ddl-job-spec.h"
#include "ns3/ddl-nic-bytes.h"
#include "ns3/ddl-rank-plan.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::ddl
{

class Cluster;

/**
 * One run of a job, as the control side decides it and sends it to the machines: the machine of
 * each rank, its transfers, and the first iteration. It never changes, so a machine that has
 * received it may keep it.
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
    uint32_t number{1}; //!< of the job's runs, from 1
    Placement placement;
    uint64_t first{0};              //!< iteration that it does first, from 0
    uint64_t iterations{0};         //!< planned for the job, all stages
    bool isGated{false};            //!< transfers of an iteration, or of a task, wait for a grant
    bool reportsIterations{false};  //!< the leader reports each iteration to the coordinator
    Time launch;                    //!< time to launch it, on every machine
    Time save;                      //!< time to save a checkpoint
    Time finish;                    //!< time to save the results when the job is done
    uint64_t checkpointEvery{0};    //!< iterations from a checkpoint to the next; 0: none
    std::optional<Storage> storage; //!< none: checkpoints use no network

    BucketPlan buckets; //!< how gradients are cut, and when each part is sent
    std::shared_ptr<const JobPlan> plan;
    std::vector<HostId> rankHosts; //!< machine of each rank; of a job of tasks, of its server
    std::vector<HostId> hosts;     //!< machines with a rank, and the storage; ascending. Of a job
                                   //!< of tasks, its server's and all with GPUs
    std::map<HostId, Part> parts;  //!< by machine; of a storage without ranks an empty one
    uint32_t workerHosts{0};       //!< machines with a worker
    std::vector<HostBytes> hostBytes; //!< what an iteration moves through each NIC
    IterationCost
        cost; //!< of an iteration: compute of the slowest worker, bytes of the busiest NIC

    /** \return whether one grant of the gate admits all transfers of an iteration */
    bool AsksByIteration() const
    {
        return isGated && !job.hasTasks;
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

    /** Its checkpoints are kept there. Once, after MakeRunSpec. */
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

    /** \return machines that take part in its stages, ascending */
    std::vector<HostId> ListMachines() const;

    /** \return whether it only moves bytes, as the coflows of a trace do; then its ranks share one
     * stream from each machine to each other machine */
    bool IsCoflow() const;

    /** \return whether no transfer of an iteration waits for another one */
    bool IsOnePhase() const;
};

/**
 * \param job to run
 * \param cojob that it is part of
 * \param placement that fits it; anything else is an error of the caller's and ends the program
 * \param cluster with the GPUs, NICs and servers of the machines
 * \param plans that have been made
 * \return its first run, from iteration 0, without cost of launching
 */
RunSpec MakeRunSpec(const JobSpec& job,
                    CojobId cojob,
                    const Placement& placement,
                    const Cluster& cluster,
                    PlanMemo& plans);

/** \return the same, with a plan of its own */
RunSpec MakeRunSpec(const JobSpec& job,
                    CojobId cojob,
                    const Placement& placement,
                    const Cluster& cluster);

/**
 * The same for a job of tasks: where its parameter server is; tasks may run on all GPUs. Of the
 * bytes, what goes through the server's NIC when no task runs on its machine.
 *
 * \param server its machine
 */
RunSpec MakeTaskRunSpec(const JobSpec& job, CojobId cojob, HostId server, const Cluster& cluster);

} // namespace ns3::ddl

#endif // DDL_RUN_SPEC_H
