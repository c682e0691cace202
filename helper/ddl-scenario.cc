// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-scenario.h"

#include "ns3/attribute-container.h"
#include "ns3/boolean.h"
#include "ns3/ddl-fair-share-network-scheduler.h"
#include "ns3/ddl-fifo-job-queue-policy.h"
#include "ns3/ddl-fifo-task-queue-policy.h"
#include "ns3/ddl-first-fit-placement-policy.h"
#include "ns3/ddl-flow-key.h"
#include "ns3/ddl-fluid-transport.h"
#include "ns3/ddl-generated-cojobs.h"
#include "ns3/ddl-hlas-round-scheduler.h"
#include "ns3/ddl-none-communication-gate.h"
#include "ns3/ddl-none-estimator.h"
#include "ns3/ddl-placement-scorer.h"
#include "ns3/ddl-rdma-transport.h"
#include "ns3/ddl-roce-header.h"
#include "ns3/ddl-round-scheduler.h"
#include "ns3/ddl-tcp-transport.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ns3::ddl
{

namespace
{

constexpr int64_t MOST_BYTES = std::numeric_limits<int64_t>::max();

/** \return the product of value and factor, rounded, and kept from \p least to \p most */
int64_t
Scaled(long double value, double factor, int64_t least, int64_t most)
{
    const long double product = value * factor;
    return product >= static_cast<long double>(most)
               ? most
               : std::max<int64_t>(least, std::llround(product));
}

Time
Scaled(Time time, double factor)
{
    // A factor of 1 must not change the time by rounding in floating point.
    return factor == 1
               ? time
               : Time(Scaled(time.GetTimeStep(), factor, 0, GetLongestTime().GetTimeStep()));
}

uint64_t
ScaledBytes(uint64_t bytes, double factor)
{
    return factor == 1 ? bytes : Scaled(bytes, factor, 1, MOST_BYTES);
}

void
ScaleModel(ModelProfile& model, double factor)
{
    if (factor == 1)
    {
        return;
    }
    model.switching = Scaled(model.switching, factor);
    model.input = Scaled(model.input, factor);
    if (model.layers.IsEmpty())
    {
        model.bytes = ScaledBytes(model.bytes, factor);
        model.forward = Scaled(model.forward, factor);
        model.backward = Scaled(model.backward, factor);
        return;
    }
    // Each layer is scaled by itself, so that none is lost; the sum stays below a model's limit.
    std::vector<Layer> layers = model.layers.Get();
    const auto count = static_cast<int64_t>(layers.size());
    const auto scaled = [factor](Time time, int64_t parts) {
        const int64_t most = GetLongestTime().GetTimeStep() / parts;
        return TimeStep(Scaled(static_cast<double>(time.GetTimeStep()), factor, 0, most));
    };
    for (Layer& layer : layers)
    {
        layer.bytes = layer.bytes == 0
                          ? 0
                          : Scaled(static_cast<double>(layer.bytes), factor, 1, MOST_BYTES / count);
        layer.forward = scaled(layer.forward, count);
        layer.backward = scaled(layer.backward, count);
    }
    SetLayers(model, LayerTable(std::move(layers)));
}

/** Gives the groups of another source, scaled. */
class ScaledSource : public CojobSource
{
  public:
    ScaledSource(std::unique_ptr<CojobSource> source, const ScaleSpec& scale)
        : m_source(std::move(source)),
          m_scale(scale)
    {
    }

    std::optional<CojobSpec> Next() override
    {
        return Shrink(m_source->Next());
    }

    std::optional<CojobSpec> NextAfter(const CojobSpec& cojob, Time now) override
    {
        const double factor = m_scale.model * m_scale.iterations;
        auto next = Shrink(m_source->NextAfter(cojob, Scaled(now, 1 / factor)));
        if (next)
        {
            next->submit = now; // exact; scaling back and forth would round, and stop at a century
        }
        return next;
    }

  private:
    std::optional<CojobSpec> Shrink(std::optional<CojobSpec> cojob) const
    {
        if (cojob)
        {
            ScaleGroup(*cojob, m_scale);
        }
        return cojob;
    }

    std::unique_ptr<CojobSource> m_source;
    ScaleSpec m_scale;
};

/**
 * \param groups number of some groups of the source
 * \param jobs number of the jobs of these groups
 * \return size of the source over that of these groups: a generator's in groups, a trace's in jobs
 *         or coflows
 */
double
CountInSource(const WorkloadSpec& workload, uint64_t groups, uint64_t jobs)
{
    if (workload.generator)
    {
        return static_cast<double>(workload.generator->CountGroups()) / static_cast<double>(groups);
    }
    const uint64_t limit = workload.replay.limit;
    const uint64_t rows =
        std::max<uint64_t>(workload.trace->jobs.size(), workload.trace->coflows.size());
    return static_cast<double>(limit > 0 ? std::min(limit, rows) : rows) /
           static_cast<double>(jobs);
}

/** Multiply all attributes of a policy that are times, or lists of times. What is above 0 stays so,
 * since some must be. */
void
ScaleTimes(ObjectFactory& factory, double factor)
{
    const Ptr<Object> policy = factor == 1 ? nullptr : factory.Create<Object>();
    const auto scale = [factor](const Time& time) {
        return time.IsStrictlyPositive() ? Max(Scaled(time, factor), TimeStep(1)) : time;
    };
    for (TypeId type = factory.GetTypeId(); policy; type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const auto attribute = type.GetAttribute(i);
            const auto value = attribute.checker->Create();
            if (!attribute.accessor->HasGetter())
            {
                continue;
            }
            policy->GetAttribute(attribute.name, *value);
            if (const auto time = DynamicCast<TimeValue>(value))
            {
                factory.Set(attribute.name, TimeValue(scale(time->Get())));
            }
            else if (const auto list = DynamicCast<AttributeContainerValue<TimeValue>>(value))
            {
                std::vector<Time> times;
                for (const Time& each : list->Get())
                {
                    times.push_back(scale(each));
                }
                factory.Set(attribute.name, AttributeContainerValue<TimeValue>(times));
            }
        }
        if (!type.HasParent() || type.GetParent() == type)
        {
            return;
        }
    }
}

/** Multiply all attributes of a round scheduler that are numbers of rounds. */
void
ScaleRounds(ObjectFactory& factory, double factor)
{
    if (factor == 1)
    {
        return;
    }
    const auto scheduler = factory.Create<RoundScheduler>();
    for (const std::string& name : scheduler->ListNumbersOfRounds())
    {
        DoubleValue rounds;
        scheduler->GetAttribute(name, rounds);
        const double scaled = std::max(rounds.Get() * factor, LEAST_NUMBER_OF_ROUNDS);
        factory.Set(name, DoubleValue(scaled));
    }
}

void
ScaleSwitchCost(SwitchCost& cost, double factor)
{
    for (Time* time :
         {&cost.launch, &cost.launchPerGpu, &cost.save, &cost.savePerGpu, &cost.finish})
    {
        *time = Scaled(*time, factor);
    }
}

/** Scale the settings of switching. Bytes of checkpoints are a ratio of the model's bytes, which
 * are scaled themselves. */
void
ScaleSwitching(SwitchSpec& switching, double model, double iterations)
{
    ScaleSwitchCost(switching.cost, model * iterations);
    for (ModelSwitchCost& cost : switching.models)
    {
        ScaleSwitchCost(cost, model * iterations);
    }
    if (switching.checkpointEvery > 0)
    {
        switching.checkpointEvery = static_cast<uint64_t>(
            std::clamp(std::round(static_cast<double>(switching.checkpointEvery) * iterations),
                       1.0,
                       double{MOST_ITERATIONS}));
    }
    if (switching.storage)
    {
        switching.storage->ratio *= iterations;
    }
}

} // namespace

Scenario::Scenario()
{
    transport.SetTypeId(TcpTransport::GetTypeId());
    scheduling.network.SetTypeId(FairShareNetworkScheduler::GetTypeId());
    scheduling.gate.SetTypeId(NoneCommunicationGate::GetTypeId());
    scheduling.jobs.SetTypeId(FifoJobQueuePolicy::GetTypeId());
    scheduling.placement.SetTypeId(FirstFitPlacementPolicy::GetTypeId());
    scheduling.scorer.SetTypeId(NonePlacementScorer::GetTypeId());
    scheduling.rounds.SetTypeId(HlasRoundScheduler::GetTypeId());
    scheduling.tasks.SetTypeId(FifoTaskQueuePolicy::GetTypeId());
    scheduling.control.SetTypeId("ns3::ddl::InBandControlPlane");
    scheduling.estimator.SetTypeId(NoneEstimator::GetTypeId());
}

ObjectFactory
ChooseTransport(const Scenario& scenario)
{
    if (scenario.fidelity == Fidelity::PACKETS ||
        scenario.transport.GetTypeId() == FluidTransport::GetTypeId())
    {
        return scenario.transport;
    }
    ObjectFactory fluid;
    fluid.SetTypeId(FluidTransport::GetTypeId());
    if (scenario.transport.GetTypeId() == RdmaTransport::GetTypeId())
    {
        fluid.Set("RdmaPaths", BooleanValue(true));
        fluid.Set("HeaderBytes", UintegerValue(RoceHeader::DATA_BYTES + RoceHeader::CRC_BYTES));
    }
    return fluid;
}

uint32_t
GetSeed(const Scenario& scenario)
{
    return scenario.seed.value_or(RngSeedManager::GetSeed());
}

uint32_t
ToRngSeed(uint32_t seed)
{
    if (seed == DEFAULT_SEED)
    {
        return seed;
    }
    return static_cast<uint32_t>(1 + MixBits(seed) % LARGEST_SEED);
}

Time
GetLongestTime()
{
    return Hours(100 * 365 * 24);
}

void
ScaleGroup(CojobSpec& group, const ScaleSpec& scale)
{
    const double model = scale.model;
    const double iterations = scale.iterations;
    group.submit = Scaled(group.submit, model * iterations);
    for (auto& count : group.iterations)
    {
        count = static_cast<uint64_t>(
            std::clamp(std::round(count * iterations), 1.0, double{MOST_ITERATIONS}));
    }
    for (auto& job : group.jobs)
    {
        ScaleModel(job.model, model);
        job.graphScale *= model;
        if (job.curve)
        {
            job.curve->scale *= iterations;
        }
    }
}

Scenario
ApplyScale(const Scenario& scenario)
{
    Scenario scaled = scenario;
    const double model = scenario.scale.model;
    const double iterations = scenario.scale.iterations;
    for (auto& group : scaled.workload.groups)
    {
        ScaleGroup(group, scenario.scale);
    }
    scaled.workload.sourceScale.model *= model;
    scaled.workload.sourceScale.iterations *= iterations;
    for (auto& flow : scaled.workload.background)
    {
        flow.bytes = ScaledBytes(flow.bytes, model);
        flow.start = Scaled(flow.start, model * iterations);
        if (!flow.stop.IsZero()) // a stop at 0 stands for never
        {
            flow.stop =
                std::max(flow.start + NanoSeconds(1), Scaled(flow.stop, model * iterations));
        }
    }
    for (auto& event : scaled.cluster.links)
    {
        event.at = Scaled(event.at, model * iterations);
    }
    for (auto& failure : scaled.cluster.failures)
    {
        failure.at = Scaled(failure.at, model * iterations);
        if (failure.lasts)
        {
            failure.lasts = Scaled(*failure.lasts, model * iterations);
        }
    }
    scaled.scheduling.period =
        std::max(NanoSeconds(1), Scaled(scenario.scheduling.period, model * iterations));
    SchedulingSpec& scheduling = scaled.scheduling;
    for (Time* time : {&scheduling.lease,
                       &scheduling.reports,
                       &scheduling.minRun,
                       &scheduling.batchWindow,
                       &scheduling.improve,
                       &scheduling.detection})
    {
        *time = Scaled(*time, model * iterations);
    }
    ScaleSwitching(scheduling.switching, model, iterations);
    if (scheduling.sharing.next)
    {
        Time& margin = scheduling.sharing.next->margin;
        margin = Scaled(margin, model * iterations);
    }
    ScaleTimes(scheduling.jobs, model * iterations);
    ScaleTimes(scheduling.placement, model * iterations);
    ScaleTimes(scheduling.rounds, model * iterations);
    ScaleRounds(scheduling.rounds, iterations);
    scaled.scale = ScaleSpec{};
    return scaled;
}

std::vector<MachineGroup>
ListMachines(const ClusterSpec& cluster)
{
    const auto hosts = static_cast<uint32_t>(CountHosts(cluster.topology));
    const MachineGroup alike{hosts, cluster.gpus, cluster.gpuType, cluster.gpuMemory};
    std::vector<MachineGroup> machines;
    for (MachineGroup group : cluster.groups.empty() ? std::vector{alike} : cluster.groups)
    {
        const uint32_t count = group.count;
        group.count = 1;
        machines.insert(machines.end(), count, group);
    }
    return machines;
}

uint64_t
GetLargestGpuMemory(const ClusterSpec& cluster)
{
    uint64_t largest = cluster.groups.empty() ? cluster.gpuMemory : 0;
    for (const MachineGroup& group : cluster.groups)
    {
        largest = std::max(largest, group.gpus > 0 ? group.gpuMemory : 0);
    }
    return largest;
}

uint64_t
CountGpus(const ClusterSpec& cluster)
{
    uint64_t gpus = 0;
    for (const MachineGroup& machine : ListMachines(cluster))
    {
        gpus += machine.gpus;
    }
    return gpus;
}

ClusterView
MakeEmptyView(const ClusterSpec& cluster)
{
    ClusterView view;
    const std::vector<Place> places = ListPlaces(cluster.topology);
    for (const MachineGroup& spec : ListMachines(cluster))
    {
        const Place& place = places.at(view.machines.size());
        MachineView machine;
        machine.server = place.server;
        machine.rack = place.rack;
        machine.host = HostId{static_cast<uint32_t>(view.machines.size())};
        machine.gpuType = spec.gpuType;
        for (uint32_t gpu = 0; gpu < spec.gpus; ++gpu)
        {
            machine.gpus.push_back(
                {GpuId{machine.host, gpu}, true, spec.gpuMemory, spec.gpuMemory});
        }
        view.machines.push_back(std::move(machine));
    }
    return view;
}

std::unique_ptr<CojobSource>
MakeCojobSource(const WorkloadSpec& workload)
{
    std::unique_ptr<CojobSource> source;
    if (workload.generator)
    {
        source = std::make_unique<GeneratedCojobs>(*workload.generator);
    }
    else if (workload.trace)
    {
        source = std::make_unique<TraceCojobs>(workload.trace, workload.replay);
    }
    return source ? std::make_unique<ScaledSource>(std::move(source), workload.sourceScale)
                  : nullptr;
}

void
VisitWorkload(const Scenario& scenario, const std::function<void(const CojobSpec&)>& visit)
{
    VisitSample(scenario, std::numeric_limits<uint64_t>::max(), visit);
}

double
VisitSample(const Scenario& scenario,
            uint64_t most,
            const std::function<void(const CojobSpec&)>& visit)
{
    for (const auto& group : scenario.workload.groups)
    {
        visit(group);
    }
    const SeedGuard seeded(GetSeed(scenario));
    const auto source = MakeCojobSource(scenario.workload);
    if (!source)
    {
        return 1;
    }
    uint64_t groups = 0;
    uint64_t jobs = 0;
    for (auto cojob = source->Next(); cojob; cojob = source->Next())
    {
        for (auto next = std::move(cojob); next; next = source->NextAfter(*next, next->submit))
        {
            if (jobs >= most)
            {
                return CountInSource(scenario.workload, groups, jobs);
            }
            ++groups;
            jobs += next->jobs.size();
            visit(*next);
        }
    }
    return 1;
}

Scenario
WriteOutWorkload(const Scenario& scenario)
{
    Scenario written = scenario;
    written.workload.groups.clear();
    VisitWorkload(scenario,
                  [&written](const auto& group) { written.workload.groups.push_back(group); });
    written.workload.generator.reset();
    written.workload.trace.reset();
    return written;
}

} // namespace ns3::ddl
