// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-trace-cojobs.h"

#include "ddl-arrival-process.h"
#include "ddl-trace-lines.h"

#include "ns3/ddl-graph-complaints.h"
#include "ns3/ddl-graph-matches.h"
#include "ns3/ddl-graph-schedule.h"
#include "ns3/ddl-model-profile.h"
#include "ns3/ddl-nic-bytes.h"
#include "ns3/ddl-none-search-algorithm.h"
#include "ns3/ddl-parameter-server-communication-pattern.h"
#include "ns3/ddl-ring-communication-pattern.h"
#include "ns3/ddl-rng-streams.h"
#include "ns3/ddl-shuffle-communication-pattern.h"
#include "ns3/ddl-successive-halving-search-algorithm.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <set>
#include <tuple>

namespace ns3::ddl
{

namespace
{

bool
IsTimed(const ModelProfile& profile)
{
    return !(profile.forward + profile.backward).IsZero();
}

ObjectFactory
MakeFactory(TypeId type)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    return factory;
}

/** \return the name by which a row may name a task graph; null: none */
const std::string*
GetGraphName(const Trace& trace, const TraceJob& row)
{
    return row.graph != NOT_GIVEN   ? &trace.graphs[row.graph]
           : row.model != NOT_GIVEN ? &trace.models[row.model]
                                    : nullptr;
}

} // namespace

ReplaySpec::ReplaySpec()
    : search(MakeFactory(SuccessiveHalvingSearchAlgorithm::GetTypeId()))
{
    for (const auto& profile : ListModels())
    {
        if (profile.source == "Ada-SRSF Table III")
        {
            models.push_back({profile.name, profile, true, CurveSpec()});
        }
    }
}

TraceCojobs::TraceCojobs(std::shared_ptr<const Trace> trace, const ReplaySpec& spec)
    : m_trace(std::move(trace)),
      m_spec(spec)
{
    bool isFromZero = false;
    uint32_t cojobs = 0; // one more than the largest number of a cojob
    for (const auto& job : m_trace->jobs)
    {
        if (job.cojob != NOT_GIVEN)
        {
            isFromZero = isFromZero || job.cojob == 0;
            cojobs = std::max(cojobs, job.cojob + 1);
        }
    }
    m_cojobBase = spec.firstCojob - (isFromZero ? 0 : 1);
    m_plainBase = cojobs > 0 ? m_cojobBase + cojobs : spec.firstCojob - 1;
}

std::optional<CojobSpec>
TraceCojobs::Next()
{
    return m_trace->coflows.empty() ? NextJobs() : NextCoflow();
}

std::optional<CojobSpec>
TraceCojobs::NextJobs()
{
    const auto& jobs = m_trace->jobs;
    while (m_next < jobs.size() && !IsOver())
    {
        const TraceGroup group = FindGroup(*m_trace, m_spec, m_next);
        m_next = group.end;
        if (!m_spec.skipTooLarge || group.gpus <= m_spec.gpus)
        {
            m_given += group.end - group.begin;
            return MakeGroup(group);
        }
    }
    return std::nullopt;
}

CojobSpec
TraceCojobs::MakeGroup(const TraceGroup& rows) const
{
    const TraceJob& first = m_trace->jobs[rows.begin];
    CojobSpec group;
    group.plain = first.cojob == NOT_GIVEN;
    group.id = CojobId{group.plain ? m_plainBase + first.id : m_cojobBase + first.cojob};
    group.submit = ApplyLoad(first.submit, m_spec.load);
    group.search = group.plain ? MakeFactory(NoneSearchAlgorithm::GetTypeId()) : m_spec.search;
    for (std::size_t row = rows.begin; row < rows.end; ++row)
    {
        group.jobs.push_back(MakeJob(m_trace->jobs[row]));
    }
    group.iterations = ListIterations(first, group.jobs.front());
    return group;
}

JobSpec
TraceCojobs::MakeJob(const TraceJob& row) const
{
    JobSpec job;
    job.id = JobId{m_spec.firstJob - 1 + row.id};
    job.workers = row.gpus;
    job.servers = m_spec.servers;
    job.noise = m_spec.noise;
    job.overlap = m_spec.overlap;
    SetDetails(row, job);
    if (const ReplayGraph* const graph = FindReplayGraph(*m_trace, m_spec, row))
    {
        job.servers = 0;
        job.pattern = MakeFactory(RingCommunicationPattern::GetTypeId());
        job.model = graph->model;
        job.model.name = row.model != NOT_GIVEN ? m_trace->models[row.model] : graph->name;
        job.kind = graph->kind;
        job.graph = graph->source ? graph->graph : nullptr; // else the kind makes it
        job.graphSource = graph->source;
        return job;
    }
    job.pattern = MakeFactory(job.servers > 0 ? ParameterServerCommunicationPattern::GetTypeId()
                                              : RingCommunicationPattern::GetTypeId());
    SetModel(row, job);
    return job;
}

void
TraceCojobs::SetDetails(const TraceJob& row, JobSpec& job) const
{
    if (row.details == NOT_GIVEN)
    {
        return;
    }
    const TraceDetails& details = m_trace->details[row.details];
    job.servers = details.servers != NOT_GIVEN ? details.servers : job.servers;
    if (!details.points.empty())
    {
        job.curve.emplace();
        job.curve->points = details.points;
    }
}

void
TraceCojobs::SetModel(const TraceJob& row, JobSpec& job) const
{
    const std::string name = row.model != NOT_GIVEN ? m_trace->models[row.model] : "";
    const ModelProfile* known = name.empty() ? nullptr : FindTracedModel(name);
    bool isTimed = known != nullptr && IsTimed(*known);
    if (known != nullptr)
    {
        job.model = *known;
    }
    else
    {
        const auto variable = CreateObject<UniformRandomVariable>();
        variable->SetStream(TRACE_STREAMS + int64_t{job.id.value});
        const auto named =
            std::find_if(m_spec.models.begin(), m_spec.models.end(), [&name](const auto& one) {
                return one.profile.name == name;
            });
        const auto& model = named != m_spec.models.end()
                                ? *named
                                : m_spec.models[variable->GetInteger(0, m_spec.models.size() - 1)];
        job.model = model.profile;
        job.model.name = name.empty() ? model.profile.name : name;
        isTimed = model.timed;
    }
    const auto iteration = GetTracedIteration(*m_trace, row);
    if (m_spec.ratioForAll || (!isTimed && !iteration))
    {
        SetComputeByRatio(job, m_spec.computeRatio, m_spec.hostRate);
    }
    else if (iteration)
    {
        SetComputeByIteration(job, *iteration, m_spec.hostRate);
    }
}

std::vector<uint64_t>
TraceCojobs::ListIterations(const TraceJob& row, const JobSpec& job) const
{
    if (row.details != NOT_GIVEN && !m_trace->details[row.details].stages.empty())
    {
        return m_trace->details[row.details].stages;
    }
    if (row.iterations != NOT_GIVEN)
    {
        return {row.iterations};
    }
    const Time one = GetIterationAlone(row, job);
    const double count = row.duration.GetSeconds() / std::max(1e-9, one.GetSeconds());
    return {static_cast<uint64_t>(std::clamp(std::round(count), 1.0, double{MOST_ITERATIONS}))};
}

Time
TraceCojobs::GetIterationAlone(const TraceJob& row, const JobSpec& job) const
{
    const ReplayGraph* const named = FindReplayGraph(*m_trace, m_spec, row);
    if (!named)
    {
        return GetUncontendedIteration(job, m_spec.hostRate);
    }
    const auto [known, isNew] = m_alone.emplace(named->graph.get(), Time());
    if (isNew)
    {
        GraphComplaints none;
        const GraphMatches matches(*named->graph, none);
        const IdealNetwork network{m_spec.hostRate, Time(0)};
        const auto lanes = GraphSchedule::Lanes::ONE_BY_ONE;
        known->second =
            NanoSeconds(GraphSchedule(*named->graph, matches, network, lanes).GetLength());
    }
    return known->second;
}

std::optional<CojobSpec>
TraceCojobs::NextCoflow()
{
    if (m_next >= m_trace->coflows.size() || IsOver())
    {
        return std::nullopt;
    }
    const TraceCoflow& row = m_trace->coflows[m_next++];
    ++m_given;
    JobSpec job;
    job.id = JobId{m_spec.firstJob - 1 + row.id};
    job.model.name = "coflow";
    job.workers = static_cast<uint32_t>(row.mappers.size());
    job.servers = static_cast<uint32_t>(row.reducers.size());
    job.placement.emplace();
    for (const uint32_t port : row.mappers)
    {
        job.placement->workers.push_back(OnMachine(HostId{port % m_spec.hosts}));
    }
    std::string weights;
    for (const auto& reducer : row.reducers)
    {
        job.placement->servers.push_back(OnMachine(HostId{reducer.port % m_spec.hosts}));
        job.model.bytes += reducer.bytes;
        weights += (weights.empty() ? "" : ",") + std::to_string(reducer.bytes);
    }
    job.pattern = MakeFactory(ShuffleCommunicationPattern::GetTypeId());
    job.pattern.Set("Weights", StringValue(weights));
    CojobSpec group;
    group.plain = true;
    group.id = CojobId{m_spec.firstCojob - 1 + row.id};
    group.submit = ApplyLoad(row.submit, m_spec.load);
    group.iterations = {1};
    group.search = MakeFactory(NoneSearchAlgorithm::GetTypeId());
    group.jobs = {job};
    return group;
}

namespace
{

/** Report jobs and cojobs that need more GPUs than the cluster has. */
void
CheckGpus(const Trace& trace, const ReplaySpec& spec, std::vector<Diagnostic>& complaints)
{
    std::size_t more = 0;
    for (TraceGroup group; group.begin < trace.jobs.size(); group.begin = group.end)
    {
        group = FindGroup(trace, spec, group.begin);
        if (group.gpus <= spec.gpus || spec.skipTooLarge)
        {
            continue;
        }
        if (complaints.size() >= MOST_COMPLAINTS)
        {
            ++more;
            continue;
        }
        complaints.push_back({trace.name + ":" + std::to_string(trace.jobs[group.begin].line),
                              "",
                              "needs " + std::to_string(group.gpus) +
                                  " GPUs at the same time; the cluster has " +
                                  std::to_string(spec.gpus) +
                                  " (a larger cluster, or --set=workload.replay.tooLarge=skip)"});
    }
    if (more > 0)
    {
        complaints.push_back(
            {trace.name, "", std::to_string(more) + " more jobs or cojobs are too large"});
    }
}

/** Report rows that name a task graph which is not there, or has other ranks than GPUs. */
void
CheckGraphs(const Trace& trace, const ReplaySpec& spec, std::vector<Diagnostic>& complaints)
{
    std::size_t more = 0;
    for (const TraceJob& row : trace.jobs)
    {
        const std::string* const name = GetGraphName(trace, row);
        std::vector<std::string> ranks;
        std::vector<std::string> names;
        for (const ReplayGraph& graph : spec.graphs)
        {
            names.push_back(graph.name);
            if (name && graph.name == *name)
            {
                ranks.push_back(std::to_string(graph.graph->ranks.size()));
            }
        }
        const bool isMissing = ranks.empty() && row.graph != NOT_GIVEN;
        const bool isOther = !ranks.empty() && !FindReplayGraph(trace, spec, row);
        if (!isMissing && !isOther)
        {
            continue;
        }
        if (complaints.size() >= MOST_COMPLAINTS)
        {
            ++more;
            continue;
        }
        complaints.push_back(
            {trace.name + ":" + std::to_string(row.line),
             "",
             isMissing ? "names the task graph " + QuoteText(*name) + ", which is not one of " +
                             "workload.replay.graphs (" +
                             (names.empty() ? "there are none" : JoinNames(names)) + ")"
                       : "has " + std::to_string(row.gpus) + " GPUs, and the task graph " +
                             QuoteText(*name) + " of workload.replay.graphs has " +
                             JoinNames(ranks) + " ranks"});
    }
    if (more > 0)
    {
        complaints.push_back(
            {trace.name, "", std::to_string(more) + " more jobs name graphs that do not fit"});
    }
}

/** \return the models that a job may have: its own if that is known, otherwise all of the user's */
std::vector<ModelProfile>
ListModelsOf(const TraceJob& job, const Trace& trace, const ReplaySpec& spec)
{
    if (const ReplayGraph* const graph = FindReplayGraph(trace, spec, job))
    {
        return {graph->model};
    }
    const ModelProfile* known =
        job.model != NOT_GIVEN ? FindTracedModel(trace.models[job.model]) : nullptr;
    if (known != nullptr)
    {
        return {*known};
    }
    std::vector<ModelProfile> models;
    for (const auto& drawn : spec.models)
    {
        models.push_back(drawn.profile);
    }
    return models;
}

/** Report models that need more memory than a GPU has, at the first job of each. */
void
CheckMemory(const Trace& trace, const ReplaySpec& spec, std::vector<Diagnostic>& complaints)
{
    std::set<std::pair<uint32_t, uint32_t>> checked; // of Trace::models and graphs, or NOT_GIVEN
    std::set<std::string> named;
    for (const auto& job : trace.jobs)
    {
        if (spec.gpuMemory == 0 || !checked.insert({job.model, job.graph}).second)
        {
            continue;
        }
        for (const auto& model : ListModelsOf(job, trace, spec))
        {
            if (model.gpuMemory > spec.gpuMemory && named.insert(model.name).second)
            {
                complaints.push_back(
                    {trace.name + ":" + std::to_string(job.line),
                     "",
                     "a worker of " + model.name + " takes " + std::to_string(model.gpuMemory) +
                         " bytes of its GPU, which has " + std::to_string(spec.gpuMemory) +
                         " (more in cluster.hosts.gpuMemory, or 0B there: one job a GPU)"});
            }
        }
    }
}

/** \return true if a job, whichever model it will have, shares GPUs by memory */
bool
SharesGpus(const TraceJob& job, const Trace& trace, const ReplaySpec& spec)
{
    if (spec.gpuMemory == 0)
    {
        return false;
    }
    const auto models = ListModelsOf(job, trace, spec);
    return std::all_of(models.begin(), models.end(), [](const auto& model) {
        return model.gpuMemory > 0;
    });
}

} // namespace

std::optional<Time>
GetTracedIteration(const Trace& trace, const TraceJob& row)
{
    double iterations = row.iterations == NOT_GIVEN ? 0 : static_cast<double>(row.iterations);
    if (row.details != NOT_GIVEN && !trace.details[row.details].stages.empty())
    {
        const auto& stages = trace.details[row.details].stages;
        iterations = std::accumulate(stages.begin(), stages.end(), 0.0);
    }
    if (iterations == 0 || row.duration.IsZero())
    {
        return std::nullopt;
    }
    return TimeStep(std::llround(static_cast<double>(row.duration.GetTimeStep()) / iterations));
}

const ReplayGraph*
FindReplayGraph(const Trace& trace, const ReplaySpec& spec, const TraceJob& row)
{
    const std::string* const name = spec.graphs.empty() ? nullptr : GetGraphName(trace, row);
    const auto found =
        std::find_if(spec.graphs.begin(), spec.graphs.end(), [&](const ReplayGraph& graph) {
            return name && graph.name == *name && graph.graph->ranks.size() == row.gpus;
        });
    return found == spec.graphs.end() ? nullptr : &*found;
}

TraceGroup
FindGroup(const Trace& trace, const ReplaySpec& spec, std::size_t begin)
{
    TraceGroup group{begin, begin, 0};
    const auto& jobs = trace.jobs;
    uint64_t whole = 0;
    do
    {
        const TraceJob& job = jobs[group.end++];
        whole += SharesGpus(job, trace, spec) ? 0 : job.gpus;
        group.gpus = std::max<uint64_t>(group.gpus, job.gpus);
    } while (jobs[begin].cojob != NOT_GIVEN && group.end < jobs.size() &&
             jobs[group.end].cojob == jobs[begin].cojob);
    group.gpus = std::max(group.gpus, whole);
    return group;
}

std::vector<std::pair<uint64_t, CojobSpec>>
ListDemands(const Trace& trace, const ReplaySpec& spec)
{
    // GPUs, servers, model, task graph
    using Kind = std::vector<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>>;
    std::set<Kind> known;
    std::vector<std::pair<uint64_t, CojobSpec>> groups;
    // The shared pointer does not own the trace.
    const TraceCojobs source(std::shared_ptr<const Trace>(std::shared_ptr<void>(), &trace), spec);
    for (TraceGroup group; group.begin < trace.jobs.size(); group.begin = group.end)
    {
        group = FindGroup(trace, spec, group.begin);
        Kind kind;
        for (std::size_t row = group.begin; row < group.end; ++row)
        {
            const TraceJob& job = trace.jobs[row];
            const uint32_t servers =
                job.details == NOT_GIVEN ? NOT_GIVEN : trace.details[job.details].servers;
            kind.emplace_back(job.gpus, servers, job.model, job.graph);
        }
        const bool isSkipped = spec.skipTooLarge && group.gpus > spec.gpus;
        if (!isSkipped && known.insert(std::move(kind)).second)
        {
            groups.emplace_back(trace.jobs[group.begin].line, source.MakeGroup(group));
        }
    }
    return groups;
}

std::vector<Diagnostic>
CheckTrace(const Trace& trace, const ReplaySpec& spec)
{
    std::vector<Diagnostic> complaints;
    CheckGpus(trace, spec, complaints);
    CheckGraphs(trace, spec, complaints);
    CheckMemory(trace, spec, complaints);
    if (trace.ports > spec.hosts && !spec.fold)
    {
        complaints.push_back({trace.name + ":1",
                              "",
                              std::to_string(trace.ports) + " ports on a cluster of " +
                                  std::to_string(spec.hosts) +
                                  " machines (a larger cluster, or "
                                  "--set=workload.replay.fold=true: port p is machine p mod " +
                                  std::to_string(spec.hosts) + ")"});
    }
    return complaints;
}

} // namespace ns3::ddl
