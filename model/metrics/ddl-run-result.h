// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RUN_RESULT_H
#define DDL_RUN_RESULT_H

#include "ddl-timers-watch.h"

#include "ns3/ddl-observed-records.h"
#include "ns3/ddl-packet-audit.h"
#include "ns3/ddl-trace-records.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A row of stages.csv: one stage of one cojob. Times are absolute. */
struct StageRow : StageRecord
{
    std::optional<double> alone; //!< SCT in seconds when the cojob has the cluster to itself

    /** \return seconds, from release (Grouper Eq. 1-2) */
    double GetSct() const
    {
        return (end - release).GetSeconds();
    }
};

/** A row of jobs.csv: one job that has left. Times are absolute. */
struct JobRow
{
    JobId job;
    std::optional<CojobId> cojob; //!< none for a plain job
    std::string model;
    uint32_t workers{0};
    uint32_t servers{0};
    std::string pattern; //!< short name
    Time submit;
    Time start; //!< first worker began its first stage
    Time end;   //!< it left: its last worker had finished, or it was stopped
    Time communication;
    Time compute;
    uint64_t iterations{0};
    bool stoppedEarly{false};
    uint64_t bytes{0};
    Placement placement;
    std::optional<double> alone;       //!< JCT in seconds when the job has the cluster to itself
    std::optional<double> accuracy;    //!< that it left with; none without a curve
    std::optional<double> loss;        //!< likewise
    std::optional<Time> nearConverged; //!< it reached 90 % of its converged accuracy
    uint32_t runs{1};                  //!< in which it was done
    Time occupied;                     //!< time for which it held its GPUs
    Time gateWait;    //!< sum over iterations of the time for which the leader waited for the gate
    double weight{1}; //!< of its completion

    /** \return seconds, from submission */
    double GetJct() const
    {
        return (end - submit).GetSeconds();
    }

    /** \return time for which it waited for GPUs, all waits together */
    Time GetWaited() const
    {
        return end - submit - occupied;
    }
};

/** Runs of jobs: their numbers, by how they ended, and the cost of switching and of failures. */
struct RunTotals
{
    uint64_t runs{0};        //!< that are over
    uint64_t preemptions{0}; //!< of these, that ended before their jobs were done
    uint64_t failures{0};    //!< of these, that ended by a failure of a machine
    uint64_t migrations{0};  //!< of the last two kinds, after which the job got other GPUs
    Time switching;          //!< time of launching, loading and saving
    uint64_t checkpoints{0};
    uint64_t stateBytes{0}; //!< between workers and storage
    uint64_t repeated{0};   //!< iterations that were done again after failures
    Time lost;              //!< time of runs whose work failures undid, sum over runs
};

/** Leaps: iterations that were counted and not simulated. */
struct LeapTotals
{
    uint64_t leaps{0};
    uint64_t iterations{0};
    double delayBound{
        0}; //!< upper bound of the delay by other jobs, as a fraction of the time of leaps
};

/** Error of a metric of a sampled run: halves of 95 % intervals, in the metric's unit. */
struct MetricError
{
    double sampling{0}; //!< because only samples were run on packets
    double seed{0};     //!< because a run on packets is random itself
    double both{0};     //!< of both together; a run on packets is expected within it
};

/** Totals of a sampled run (doc/full-size.md). */
struct SamplingTotals
{
    double target{0};            //!< relative error of the mean JCT that was wanted
    double error{0};             //!< relative error that was reached
    uint64_t windows{0};         //!< samples
    double packetShare{0};       //!< fraction of all iterations that were simulated on packets
    uint32_t rounds{0};          //!< runs on fluids until the situations stayed the same
    double changed{0};           //!< fraction of the time in which the last two differed
    double cpuSeconds{0};        //!< of the samples and of all runs on fluids but the last one
    double packetsCpuSeconds{0}; //!< that the whole run would take on packets, about
    std::map<std::string, MetricError> metrics; //!< by "makespan_s", and by "jct_s/mean"
};

/** A cojob that is over. Times are absolute. */
struct CojobRow
{
    CojobId cojob;
    Time submit;
    Time end;
    std::optional<Time>
        nearConverged; //!< a job of it reached 90 % of the best accuracy of its jobs
};

/** A row of estimates.csv: a label of a job that has left. */
struct EstimateRow
{
    JobId job;
    std::string label;               //!< as ListLabels has it
    std::optional<double> predicted; //!< none: the estimator could not tell when the job started
    double actual{0};
    uint32_t seed{0}; //!< of the run
};

/** A row of ports.csv: one egress queue of one port. */
struct PortRow
{
    std::string node;
    uint32_t port{0}; //!< index at its node
    std::string peer;
    uint32_t queue{0};
    std::optional<uint64_t> packets; //!< sent; this and others none where there are no packets
    uint64_t bytes{0};               //!< sent, IP bytes
    std::optional<uint64_t> dropped;
    std::optional<uint64_t> marked;
    std::optional<uint64_t> maxBacklogBytes;
    double utilisation{0}; //!< share of the run in which this queue's frames were on the wire
};

/** Work that was left over, or a failure. */
struct UnfinishedRow
{
    std::string what;  //!< "job 3"
    std::string state; //!< "stage 2, iteration 5 of 8", "waits for GPUs", ...
};

/** What the network did as a whole, in packets. */
struct NetworkTotals
{
    uint64_t packetHops{0}; //!< packets that left an egress port
    DropCounts drops;       //!< at all ports, switches and NICs
    uint64_t marks{0};
    uint64_t pauses{0}; //!< asked for by priority flow control
    StreamCounters streams;
};

/** The sum of all stage completion times, and a lower bound of it (doc/certificates.md). */
struct SctCertificate
{
    double sctSeconds{0};
    double boundSeconds{0};
    std::string reason{"not watched"}; //!< why no bound applies; "" when one does
};

/** The CPU time that one policy took. */
struct PolicyCost
{
    std::string name; //!< "network", as the scenario names the policy
    double cpuSeconds{0};
};

/**
 * What one run measured: plain rows in the order in which things happened. Iterations, waits,
 * remarks and scheduler runs are left out where they were written to files as they came (RowFiles).
 */
struct RunResult
{
    enum class Status
    {
        DONE,       //!< all jobs left and all bytes arrived
        UNFINISHED, //!< no events, or no time, were left before
        INTERRUPTED //!< by the user
    };

    Status status{Status::DONE};
    Time end;           //!< simulated time at which the run ended
    std::string reason; //!< why it ended before the work was done; "" when it was done
    std::vector<StageRow> stages;
    std::vector<JobRow> jobs;
    std::vector<IterationRecord> iterations;   //!< only if asked for
    std::vector<WaitRecord> waits;             //!< only if asked for
    std::vector<TimersRecord> timers;          //!< only if asked for
    std::map<uint32_t, TimersMean> timerMeans; //!< likewise, by the GPUs of a job
    std::vector<JobRunRecord> runs;
    std::vector<EstimateRow> estimates; //!< only with an estimator
    RunTotals runTotals;
    std::optional<LeapTotals> leaps;        //!< none: every iteration was simulated
    std::optional<SamplingTotals> sampling; //!< none: nothing is estimated
    std::vector<PortRow> ports;
    std::vector<RemarkRecord> remarks;
    std::vector<ScheduleRecord> schedule;
    std::vector<UnfinishedRow> unfinished;
    std::vector<UnfinishedRow> failures;  //!< errors outside of the work: a file, a run alone
    std::vector<std::string> warnings;    //!< sentences on what the user should know of the numbers
    std::optional<NetworkTotals> network; //!< none where there are no packets
    std::vector<PacketImbalance> imbalances; //!< devices that lost packets without counting them
    SctCertificate certificate;
    uint64_t remarkCount{0};   //!< all remarks, kept here or not
    uint64_t schedulerRuns{0}; //!< all scheduler runs, kept here or not
    uint64_t controlMessages{0};
    uint64_t controlBytes{0};
    uint32_t mostPriorities{0};     //!< largest one of a unit at any time
    std::optional<GateTotals> gate; //!< none without a gate
    Time makespan;                  //!< first arrival to last departure
    double gpuUtilisation{0}; //!< GPU time in tasks over GPU time in the makespan; if work was left
                              //!< over, from the first arrival to the end of the run
    std::optional<double> gpuWaiting; //!< of the GPU time that jobs held, the share without a task;
                                      //!< none if no GPU was held
    std::vector<double> gpuIdle;      //!< seconds of a GPU between the trainings of two runs on it
    std::vector<CojobRow> cojobs;
    // The cost of the run; differs from run to run.
    uint64_t events{0};
    double cpuSeconds{0};
    double wallSeconds{0};
    std::optional<double> aloneCpuSeconds; //!< of the runs alone; none if not asked for
    std::vector<PolicyCost> policies;
    uint64_t peakBytes{0};
};

} // namespace ns3::ddl

#endif // DDL_RUN_RESULT_H
