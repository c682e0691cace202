// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RUN_RESULT_H
#define DDL_RUN_RESULT_H

#include "ddl-timers-watch.h"

#include "ns3/data-rate.h"
#include "ns3/ddl-job-observer.h"
#include "ns3/ddl-packet-audit.h"
#include "ns3/ddl-trace-records.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A row of stages.csv: one stage of one cojob. Times are absolute. */
struct StageRow : StageRecord
{
    std::optional<double> alone; //!< SCT in seconds when the cojob has the cluster to itself

    /** \return stage completion time in seconds, from release (Grouper Eq. 1-2) */
    double GetSct() const
    {
        return (end - release).GetSeconds();
    }

    /** \return SCT over the time alone; nothing if that is unknown or 0 */
    std::optional<double> GetSlowdown() const
    {
        return alone && *alone > 0 ? std::make_optional(GetSct() / *alone) : std::nullopt;
    }
};

/** A row of jobs.csv: one job that has left. Times are absolute. */
struct JobRow
{
    JobId job;
    std::optional<CojobId> cojob; //!< its cojob; none for a plain job
    std::string model;
    uint32_t workers{0};
    uint32_t servers{0};
    std::string pattern; //!< short name of its communication pattern
    Time submit;
    Time start; //!< time at which its first worker began its first stage
    Time end;   //!< time at which it left: its last worker had finished, or it was stopped
    Time communication;
    Time compute;
    uint64_t iterations{0};
    bool stoppedEarly{false};
    uint64_t bytes{0};
    Placement placement;
    std::optional<double> alone;       //!< JCT in seconds when the job has the cluster to itself
    std::optional<double> accuracy;    //!< accuracy at its end; none without a curve
    std::optional<double> loss;        //!< loss at its end; none without a curve
    std::optional<Time> nearConverged; //!< time at which it reached 90 % of its accuracy
    uint32_t runs{1};                  //!< number of runs in which it was done
    Time occupied;                     //!< time for which it held its GPUs
    Time gateWait;    //!< sum over iterations of the time for which the leader waited for the gate
    double weight{1}; //!< weight of its completion time
    std::optional<double> leapError; //!< half-width of its end in seconds; none without mean leaps

    /** \return job completion time in seconds, from submission */
    double GetJct() const
    {
        return (end - submit).GetSeconds();
    }

    /** \return JCT over the time alone; nothing if that is unknown or 0 */
    std::optional<double> GetSlowdown() const
    {
        return alone && *alone > 0 ? std::make_optional(GetJct() / *alone) : std::nullopt;
    }

    /** \return time from submission to 90 % of its accuracy; nothing if it was never reached */
    std::optional<Time> GetTimeToAccuracy() const
    {
        return nearConverged ? std::make_optional(*nearConverged - submit) : std::nullopt;
    }

    /** \return sum of its waits for GPUs */
    Time GetWaited() const
    {
        return end - submit - occupied;
    }
};

/** A row of coflows.csv: an iteration that moves bytes. */
struct CoflowRow : IterationRecord
{
    uint64_t number{0}; //!< number of the coflow, from 1
};

/** A row of training.csv: how the GPUs of a job of a task graph spent its iterations. */
struct TrainingRow
{
    JobId job;
    std::string model;
    uint32_t workers{0};
    double iterations{0}; //!< simulated iterations, over which the following are means
    Time compute;         //!< an iteration and rank: a node of it is on its GPU, or waits for it
    Time exposed;         //!< else, while messages or collectives of the rank are under way
    Time bubble;          //!< the rest
    Time training;        //!< time for which it trained, leaps included
    std::optional<double> tokens; //!< tokens per second of `training`; none: not known
    std::optional<double> flops;  //!< model FLOPs per second and GPU; none: not known
    std::optional<double> mfu;    //!< that over the peak of its GPUs; none: not known

    /** \return bubble over computing; nothing without computing */
    std::optional<double> GetBubbleRatio() const
    {
        return compute.IsZero() ? std::nullopt
                                : std::make_optional(bubble.GetDouble() / compute.GetDouble());
    }
};

/** A row of collectives.csv: equal collectives of a group in a job. */
struct CollectiveRow
{
    JobId job;
    std::string group;
    uint32_t ranks{0};
    std::string collective;
    std::string algorithm;
    uint64_t bytes{0}; //!< the whole buffer, as GraphNode::amount
    uint64_t count{0}; //!< number of them that are over and were simulated
    Time mean;         //!< from the first member's beginning to the last member's end
    Time least;
    Time most;
    double busFactor{0}; //!< bytes on the bus of a rank over `bytes`

    /** \return 10^9 bytes per second; nothing for a barrier, and where it takes no time */
    std::optional<double> GetAlgorithmBandwidth() const
    {
        const double seconds = mean.GetSeconds();
        return bytes > 0 && seconds > 0
                   ? std::make_optional(static_cast<double>(bytes) / seconds / 1e9)
                   : std::nullopt;
    }

    /** \return the same, times the bus factor */
    std::optional<double> GetBusBandwidth() const
    {
        const auto bandwidth = GetAlgorithmBandwidth();
        return bandwidth ? std::make_optional(*bandwidth * busFactor) : std::nullopt;
    }
};

/** A row of samples.csv: a job that a sample of a sampled run measured. Times in seconds. */
struct SampleRow
{
    uint32_t sample{0};    //!< number of the sample, from 1
    uint64_t run{0};       //!< ns-3's run number of the sample
    std::string situation; //!< runs of jobs in the sample
    double cut{0};         //!< time of the run at which the sample begins
    bool isLong{false};
    JobId job;
    uint64_t warmup{0};             //!< iterations before the window
    uint64_t window{0};             //!< iterations that are measured
    double weight{0};               //!< weight of the row in its stratum, 1/s
    double compute{0};              //!< compute time of an iteration
    double packets{0};              //!< length of an iteration on packets
    double fluid{0};                //!< length of an iteration on fluids
    double fluidMean{0};            //!< the same, mean of several windows
    std::string stratum;            //!< stratum whose ratio applies
    uint32_t windows{0};            //!< number of windows that have seen the stratum
    double ratio{1};                //!< packet time over fluid time in the stratum
    double halfWidth{0};            //!< half of the ratio's 95 % interval
    std::optional<double> estimate; //!< final estimate of the length of an iteration
    double iterations{0};           //!< iterations of all jobs of the sample on packets
    double cpuSeconds{0};           //!< CPU time of these
};

/** Runs of jobs: their numbers, by how they ended, and the cost of switching and of failures. */
struct RunTotals
{
    uint64_t runs{0};        //!< runs that are over
    uint64_t preemptions{0}; //!< runs that ended before their jobs were done
    uint64_t failures{0};    //!< runs that a failure of a machine ended
    uint64_t migrations{0};  //!< runs of these two kinds after which the job got other GPUs
    Time switching;          //!< time of launching, loading and saving
    uint64_t checkpoints{0};
    uint64_t stateBytes{0}; //!< bytes of state moved between workers and storage
    uint64_t repeated{0};   //!< iterations that were done again after failures
    Time lost;              //!< time of runs whose work failures undid, sum over runs
};

/** Totals of leaps: iterations that were counted and not simulated. */
struct LeapTotals
{
    uint64_t leaps{0};
    uint64_t iterations{0};
    uint64_t byMean{0};   //!< leaps among them by the mean of jobs that contend
    double delayBound{0}; //!< bound of the delay by other jobs, as a fraction of the leaps' time
};

/** Error of a metric of a sampled run: halves of 95 % intervals, in the metric's unit. */
struct MetricError
{
    double sampling{0}; //!< error because only samples were simulated on packets
    double seed{0};     //!< error because a simulation on packets is random itself
    double both{0};     //!< error of both; a simulation on packets is expected within it
};

/** Totals of a sampled run (doc/full-size.md). */
struct SamplingTotals
{
    double target{0};            //!< relative error of the mean JCT that was wanted
    double error{0};             //!< relative error of the mean JCT that was reached
    uint64_t windows{0};         //!< number of samples
    double packetShare{0};       //!< fraction of all iterations that were simulated on packets
    uint32_t rounds{0};          //!< simulations on fluids until situations stayed the same
    double changed{0};           //!< fraction of the time in which the last two rounds differed
    double cpuSeconds{0};        //!< CPU time of the samples and of all fluid rounds but the last
    double packetsCpuSeconds{0}; //!< estimated CPU time of the whole simulation on packets
    std::map<std::string, MetricError> metrics; //!< errors by metric: "makespan_s", "jct_s/mean"
};

/** A cojob that is over. Times are absolute. */
struct CojobRow
{
    CojobId cojob;
    Time submit;
    Time end;
    std::optional<Time> nearConverged; //!< time at which a job reached 90 % of the best accuracy
};

/** A row of estimates.csv: a label of a job that has left. */
struct EstimateRow
{
    JobId job;
    std::string label;               //!< name of the label, see ListLabels
    std::optional<double> predicted; //!< prediction when the job started; none: there was none
    double actual{0};
    uint32_t seed{0}; //!< seed of the simulation
};

/** A row of paths.csv: a port on the path that a stream takes from some time on. */
struct PathRow
{
    Time time; //!< time at which the stream was opened, or pinned to the path
    JobId job;
    uint32_t run{1}; //!< number of the job's run
    StreamId stream;
    HostId source;
    HostId destination;
    std::optional<uint32_t> pair; //!< index of the queue pair; none: the row is of the whole stream
    uint32_t hop{1};              //!< number of the port on the path, from 1
    std::string node;
    uint32_t port{0}; //!< device index of the port at its node
    std::string peer;
    std::optional<double> share; //!< share of the data that passes the port; none: it depends
};

/** A row of ports.csv: one egress queue of one port. */
struct PortRow
{
    std::string node;
    uint32_t port{0}; //!< device index of the port at its node
    std::string peer;
    uint32_t queue{0};
    std::optional<uint64_t> packets; //!< packets sent; none where there are no packets
    uint64_t bytes{0};               //!< IP bytes sent
    std::optional<uint64_t> dropped;
    std::optional<uint64_t> marked;
    std::optional<uint64_t> maxBacklogBytes;
    double utilisation{0}; //!< fraction of the time in which this queue kept the wire busy
    DataRate rate;         //!< rate of the port's link
};

/** Work that was left over, or a failure. */
struct UnfinishedRow
{
    std::string what;  //!< what is unfinished: "job 3"
    std::string state; //!< how far it is: "stage 2, iteration 5 of 8", "waits for GPUs", ...
};

/** What the network did as a whole, in packets. */
struct NetworkTotals
{
    uint64_t packetHops{0}; //!< packets that left an egress port
    DropCounts drops;       //!< packets dropped at all ports, switches and NICs
    uint64_t marks{0};
    uint64_t pauses{0}; //!< pauses that priority flow control asked for
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
    std::string name; //!< the policy's name in the scenario: "network"
    double cpuSeconds{0};
};

/**
 * The results of one simulation: plain rows in the order in which things happened. Where rows were
 * written to files as they came, only stages, jobs and estimates are here, too (ResultRows).
 */
struct RunResult
{
    enum class Status
    {
        DONE,       //!< all jobs left and all bytes arrived
        UNFINISHED, //!< events, or the time limit, ran out before that
        INTERRUPTED //!< the user interrupted it
    };

    Status status{Status::DONE};
    Time end;           //!< simulated time at which the simulation ended
    std::string reason; //!< why it ended before the work was done; "" when it was done
    std::vector<StageRow> stages;
    std::vector<JobRow> jobs;
    std::set<std::string> streamed;            //!< tables whose rows were written as they came
    std::vector<IterationRecord> iterations;   //!< iterations, only if asked for
    std::vector<CoflowRow> coflows;            //!< coflows, only if asked for
    std::vector<TrainingRow> training;         //!< jobs of task graphs, only if asked for
    std::vector<CollectiveRow> collectives;    //!< their collectives, only if asked for
    std::vector<WaitRecord> waits;             //!< waits for GPUs, only if asked for
    std::vector<TimersRecord> timers;          //!< delay timers, only if asked for
    std::vector<PathRow> paths;                //!< paths of streams, only if asked for
    std::map<uint32_t, TimersMean> timerMeans; //!< their means, by number of GPUs of a job
    std::vector<JobRunRecord> runs;
    std::vector<EstimateRow> estimates; //!< estimated usages, only with an estimator
    RunTotals runTotals;
    std::optional<LeapTotals> leaps; //!< totals of leaps; none: every iteration was simulated
    std::optional<SamplingTotals> sampling; //!< none: it was not a sampled one
    std::vector<PortRow> ports;
    std::vector<RemarkRecord> remarks;
    std::vector<ScheduleRecord> schedule;
    std::vector<UnfinishedRow> unfinished;
    std::vector<UnfinishedRow> failures;  //!< other errors: of a file, of a job simulated alone
    std::vector<std::string> warnings;    //!< sentences on what the user should know of the numbers
    std::optional<NetworkTotals> network; //!< totals of the network; none without packets
    std::vector<PacketImbalance> imbalances; //!< devices that lost packets without counting them
    SctCertificate certificate;
    uint64_t remarkCount{0};   //!< number of all remarks, kept here or not
    uint64_t schedulerRuns{0}; //!< number of all scheduler invocations, kept here or not
    uint64_t controlMessages{0};
    uint64_t controlBytes{0};
    uint32_t mostPriorities{0};     //!< largest priority of a unit at any time
    std::optional<GateTotals> gate; //!< totals of the gate; none without a gate
    Time makespan;                  //!< time from the first arrival to the last departure
    /** Fraction of the GPU time in the makespan in which tasks ran; if work was left over, from the
     * first arrival to the end of the simulation. */
    double gpuUtilisation{0};
    /** Fraction of the GPU time held by jobs in which no task ran; none if no GPU was held. */
    std::optional<double> gpuWaiting;
    std::vector<double> gpuIdle; //!< gaps between the trainings of two runs on one GPU, seconds
    std::vector<CojobRow> cojobs;
    // The members from here on are the cost of the simulation, which differs each time.
    uint64_t events{0};
    double cpuSeconds{0};
    double wallSeconds{0};
    std::optional<double> aloneCpuSeconds; //!< CPU time of jobs alone; none if not asked for
    std::vector<PolicyCost> policies;
    uint64_t peakBytes{0};
};

} // namespace ns3::ddl

#endif // DDL_RUN_RESULT_H
