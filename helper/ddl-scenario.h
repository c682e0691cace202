// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SCENARIO_H
#define DDL_SCENARIO_H

#include "ns3/ddl-background-flow.h"
#include "ns3/ddl-cluster-view.h"
#include "ns3/ddl-cojob-source.h"
#include "ns3/ddl-generator-spec.h"
#include "ns3/ddl-gpu-sharing.h"
#include "ns3/ddl-gpu-type.h"
#include "ns3/ddl-job-spec.h"
#include "ns3/ddl-server-failures.h"
#include "ns3/ddl-switch-cost.h"
#include "ns3/ddl-topology.h"
#include "ns3/ddl-trace-cojobs.h"
#include "ns3/object-factory.h"
#include "ns3/rng-seed-manager.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A link that goes down or comes up. */
struct LinkEvent
{
    Time at;
    std::string first;  //!< name of the node at one end: "leaf0", "h3"
    std::string second; //!< name of the node at the other end
    bool up{false};
};

/** Consecutive machines with equal GPUs. */
struct MachineGroup
{
    uint32_t count{1};
    uint32_t gpus{4}; //!< number of GPUs per machine
    GpuType gpuType{};
    uint64_t gpuMemory{0}; //!< bytes per GPU; 0: one job at a time holds a GPU
};

/** The machines, and the network that joins them. */
struct ClusterSpec
{
    TopologySpec topology;
    PortSpec ports;
    HostSpec hosts;
    uint32_t gpus{4}; //!< number of GPUs per machine
    GpuType gpuType;
    std::vector<MachineGroup> groups;    //!< all machines; empty: all as the three members here
    std::vector<GpuType> gpuTypes;       //!< GPU types that the user has described
    uint64_t gpuMemory{0};               //!< bytes per GPU; 0: one job at a time holds a GPU
    std::vector<LinkEvent> links;        //!< changes of links in time order
    std::vector<ServerFailure> failures; //!< failures of chassis in time order
};

/** The scheduling policies, and how their decisions travel. */
struct SchedulingSpec
{
    ObjectFactory network;   //!< factory of a NetworkScheduler
    ObjectFactory gate;      //!< factory of a CommunicationGate
    ObjectFactory jobs;      //!< factory of a JobQueuePolicy
    ObjectFactory placement; //!< factory of a PlacementPolicy
    ObjectFactory scorer;    //!< factory of a PlacementScorer
    ObjectFactory rounds;    //!< factory of a RoundScheduler, for jobs of tasks
    ObjectFactory tasks;     //!< factory of a TaskQueuePolicy, one per GPU
    ObjectFactory estimator; //!< factory of an Estimator
    ObjectFactory control;   //!< factory of a ControlPlane
    Time period{Seconds(1)}; //!< interval of network schedulers with trigger PERIOD
    Time lease;              //!< time after which a group competes for its GPUs again; 0: never
    Time minRun;             //!< time after a start for which a group is not preempted
    Time batchWindow;        //!< time for which offers of GPUs are collected; 0: none
    Time improve;            //!< interval at which running jobs may be moved; 0: never
    Time reports;            //!< interval of a machine's reports of free GPUs; 0: at once
    SwitchSpec switching;
    SharingSpec sharing;          //!< rules by which a job of one GPU gets a held GPU
    Time detection{Seconds(1)};   //!< time after which a chassis' failure is detected
    HostId coordinator;           //!< machine where the coordinator runs
    bool controlAcks{false};      //!< acknowledgements use queue 0, not their priority's
    bool commonPriorities{false}; //!< a unit has the same priority at all chassis
};

/** Settings of leaps: iterations that repeat are counted, not simulated (Leaps, doc/leaps.md). */
struct LeapSpec
{
    double tolerance{0.001}; //!< largest difference of equal iterations (Leaps::Tolerance)
    double shared{0};        //!< part of a job's time by which others may delay it (Leaps::Shared)
    uint32_t guard{2};       //!< iterations simulated before a known change (Leaps::Guard)
    bool memo{false};        //!< runs leap by what equal runs have shown (Leaps::Memo)
    double error{0};         //!< how well means must be known to leap by them (Leaps::Error)
};

/** What moves the bytes of a run. */
enum class Fidelity
{
    PACKETS, //!< the scenario's transport, unchanged
    FLUID,   //!< fluids, on the paths of the transport
    SAMPLED  //!< fluids, corrected by samples on packets (doc/full-size.md)
};

/** How a sampled run is sampled. */
struct SamplingSpec
{
    double error{0.02};  //!< wanted half-width of the mean JCT's 95 % interval, over it
    double budget{0.1};  //!< fraction of all iterations that may be simulated on packets
    uint32_t warmup{30}; //!< iterations of the slowest job of a sample before it is measured
    uint32_t window{30}; //!< iterations of the slowest job for which it is measured
    uint32_t seed{1};    //!< seed of the random draws of samples
};

/** Factors that make the work of a scenario smaller. */
struct ScaleSpec
{
    double model{1};      //!< factor of message bytes and compute times
    double iterations{1}; //!< factor of iteration counts
};

/** The work of a scenario: cojobs, jobs and other traffic. */
struct WorkloadSpec
{
    std::vector<CojobSpec> groups; //!< groups that are written out: cojobs, then plain jobs
    std::vector<BackgroundFlowSpec> background;
    ComputeNoise noise;      //!< noise of compute times; each job has a copy
    OverlapSpec overlap;     //!< overlap of compute and communication; each job has a copy
    double computeRatio{1};  //!< compute over communication time, for models without times
    bool ratioForAll{false}; //!< `computeRatio` holds for all models, also those with times
    std::optional<GeneratorSpec> generator; //!< source of more groups
    std::shared_ptr<const Trace> trace;     //!< source of more groups, without a generator; or null
    std::string traceFile;                  //!< file of the trace as the user names it
    ObjectFactory traceFormat; //!< a TraceFormat; without a TypeId: by the trace's first line
    std::string traceHash;     //!< HashText of the trace; "" without one
    ReplaySpec replay;         //!< settings of the trace's replay
    ScaleSpec sourceScale;     //!< scale of groups of generator and trace
};

/** When a run ends although its work is not done. */
struct StopSpec
{
    std::optional<Time> time; //!< simulated time of the end; none: when all jobs have left
    Time stall{Minutes(10)};  //!< simulated time without progress (StallWatch); 0: no limit
};

/** Optional results of a run. */
struct OutputSpec
{
    bool alone{true};             //!< run each cojob and each job alone as well
    std::set<std::string> tables; //!< result tables that are not always written: "waits", ...
    Time series;                  //!< interval of series.csv; 0: no such file
    bool timeline{false};         //!< write timeline.json
    bool pcap{false};             //!< write a capture per port, in DIR/pcap
    bool figures{true};           //!< draw figures at the end of the run
};

/** The largest seed that ns-3 takes (RngStream::CheckSeed): the smaller modulus minus one. */
constexpr uint32_t LARGEST_SEED = 4294944442;

constexpr uint32_t DEFAULT_SEED = 1; //!< seed of a scenario file that gives none

/** A run as the user asked for it: presets resolved, scale not yet applied. Plain data. */
struct Scenario
{
    /** Make a scenario with tcp, fair-share, no gate, fifo, first-fit, and in-band control. */
    Scenario();

    std::string name;
    std::string description;
    /** Seed of random numbers, 1 to LARGEST_SEED; none: that of RngSeedManager (`--RngSeed`). A
     * scenario that was read from a file always has one. GetSeed() gives it. */
    std::optional<uint32_t> seed;
    ClusterSpec cluster;
    ObjectFactory transport; //!< factory of a Transport
    SchedulingSpec scheduling;
    WorkloadSpec workload;
    ScaleSpec scale;
    Fidelity fidelity{Fidelity::PACKETS};
    SamplingSpec sampling;        //!< settings for Fidelity::SAMPLED
    std::optional<LeapSpec> leap; //!< settings of leaps; none: no iteration is skipped
    StopSpec stop;
    OutputSpec output;
};

/**
 * \return the transport that moves the bytes of a run: the scenario's, or a fluid if the fidelity
 *         asks for it (with the attributes that the scenario gives, if its transport is a fluid)
 */
ObjectFactory ChooseTransport(const Scenario& scenario);

/** \return the scenario's seed, or that of RngSeedManager if the scenario has none */
uint32_t GetSeed(const Scenario& scenario);

/**
 * Turn a scenario's seed into one for RngSeedManager: 1, ns-3's default, stays, others are hashed.
 * The reason is that ns-3's generator is linear in its seed: if seed 1 draws u, seed k draws k u
 * modulo 1. So draws of seeds a and b have a correlation of 1 / (a b) if these have no common
 * divisor, and intervals over seeds 1, 2, 3... would be too narrow.
 */
uint32_t ToRngSeed(uint32_t seed);

/** While an object of this class lives, RngSeedManager has the seed of a scenario (ToRngSeed()). */
class SeedGuard
{
  public:
    explicit SeedGuard(uint32_t seed)
        : m_before(RngSeedManager::GetSeed())
    {
        RngSeedManager::SetSeed(ToRngSeed(seed));
    }

    ~SeedGuard()
    {
        RngSeedManager::SetSeed(m_before);
    }

    SeedGuard(const SeedGuard&) = delete;
    SeedGuard& operator=(const SeedGuard&) = delete;

  private:
    uint32_t m_before;
};

/** \return the longest time in a scenario, a century: ns-3 counts nanoseconds in 63 bits */
Time GetLongestTime();

/**
 * Shrink the work, so that the ratio of communication to computation stays the same. With model
 * scale m and iteration scale i:
 *  - times m: message bytes (at least 1) and compute times, layer by layer if a model has layers;
 *  - times i (rounded, at least 1): numbers of iterations, also those between checkpoints;
 *  - times m i: bytes of checkpoints; arrivals, scheduling periods, costs of switching, failures of
 *    links and servers, beginning and end of background flows;
 *  - not scaled: rates, delays, MTU, timeouts, control messages, the limits of "stop".
 *
 * Groups of a generator or a trace are scaled when they are made.
 *
 * \param scenario as the user gave it
 * \return the scenario with the scale applied, and then set to 1
 */
Scenario ApplyScale(const Scenario& scenario);

/** Apply a scale to one cojob or plain job, as ApplyScale() does. */
void ScaleGroup(CojobSpec& group, const ScaleSpec& scale);

/** \return the machines of a cluster, each a group of one, in host order */
std::vector<MachineGroup> ListMachines(const ClusterSpec& cluster);

/** \return bytes of the largest GPU of a cluster; 0: one job at a time holds a GPU, on all machines
 */
uint64_t GetLargestGpuMemory(const ClusterSpec& cluster);

/** \return a view of the cluster with all GPUs free */
ClusterView MakeEmptyView(const ClusterSpec& cluster);

/** \return number of GPUs of all machines */
uint64_t CountGpus(const ClusterSpec& cluster);

/**
 * \param workload workload with a generator, a trace, or neither
 * \return source of the generator's or the trace's groups, scaled by the workload's sourceScale;
 *         null if there is neither
 */
std::unique_ptr<CojobSource> MakeCojobSource(const WorkloadSpec& workload);

/**
 * Visit all cojobs and plain jobs of a scenario, one by one: those that are written out, then those
 * of the generator or the trace. Each cojob is followed by its successors, as if each arrived with
 * the one before. Random draws use the scenario's seed; afterwards ns-3 has its own seed again.
 */
void VisitWorkload(const Scenario& scenario, const std::function<void(const CojobSpec&)>& visit);

/**
 * Visit the work as VisitWorkload() does, but only the first groups of a generator or a trace.
 *
 * \param most number of jobs of the generator or the trace after whose group the visit ends
 * \return number of all groups over number of visited ones; 1 when all were visited
 */
double VisitSample(const Scenario& scenario,
                   uint64_t most,
                   const std::function<void(const CojobSpec&)>& visit);

/** \return the scenario with all its work written out, without generator and trace */
Scenario WriteOutWorkload(const Scenario& scenario);

} // namespace ns3::ddl

#endif // DDL_SCENARIO_H
