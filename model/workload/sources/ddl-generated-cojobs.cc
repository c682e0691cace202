// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-generated-cojobs.h"

#include "ns3/abort.h"
#include "ns3/ddl-nic-bytes.h"
#include "ns3/ddl-none-search-algorithm.h"
#include "ns3/ddl-rng-streams.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace ns3::ddl
{

namespace
{

// Streams behind GENERATOR_STREAMS: one for the deck, two for each cojob or plain job.
constexpr int64_t DECK_STREAM = GENERATOR_STREAMS;

constexpr double LEAST_HALF = 1e-6; //!< iterations of a curve to half of the way

int64_t
GetModelStream(uint32_t index)
{
    return GENERATOR_STREAMS + 1 + 2 * int64_t{index};
}

int64_t
GetIterationsStream(uint32_t index)
{
    return GENERATOR_STREAMS + 2 + 2 * int64_t{index};
}

/** \return iterations of all stages */
uint64_t
CountIterationsOf(const CojobSpec& cojob)
{
    return std::accumulate(cojob.iterations.begin(), cojob.iterations.end(), uint64_t{0});
}

/** \return sizes, each as often as its share, in random order (Fisher and Yates) */
std::vector<GeneratedCojobs::DealtSize>
ShuffleSizes(const GeneratorSpec& spec)
{
    std::vector<GeneratedCojobs::DealtSize> deck;
    const auto add = [&deck](const std::vector<JobSize>& sizes, std::optional<std::size_t> model) {
        for (const JobSize& size : sizes)
        {
            deck.insert(deck.end(), size.jobs, {size.workers, model});
        }
    };
    for (std::size_t i = 0; spec.HasSizesByModel() && i < spec.models.size(); ++i)
    {
        add(spec.models[i].sizes, i);
    }
    add(spec.HasSizesByModel() ? std::vector<JobSize>() : spec.sizes, std::nullopt);
    const auto variable = CreateObject<UniformRandomVariable>();
    variable->SetStream(DECK_STREAM);
    for (std::size_t left = deck.size(); left > 1; --left)
    {
        std::swap(deck[left - 1], deck[variable->GetInteger(0, left - 1)]);
    }
    return deck;
}

} // namespace

GeneratedCojobs::GeneratedCojobs(const GeneratorSpec& spec)
    : m_spec(spec),
      m_shapes(spec.ListShapes()),
      m_deck(ShuffleSizes(spec)),
      m_arrivals(spec.arrivals.Create<ArrivalProcess>())
{
    NS_ABORT_MSG_IF(spec.models.empty() || spec.CountGroups() == 0, "nothing to generate");
    NS_ABORT_MSG_UNLESS(m_arrivals, "arrivals of a generator are no ArrivalProcess");
    NS_ABORT_MSG_UNLESS(spec.load > 0, "a load factor of " << spec.load);
    m_arrivals->AssignStreams(ARRIVAL_STREAMS);
    m_arriving = spec.CountGroups();
    if (spec.successors)
    {
        m_arriving = std::min<uint32_t>(m_arriving, spec.models.size());
    }
}

std::optional<CojobSpec>
GeneratedCojobs::Next()
{
    if (m_next == m_arriving)
    {
        return std::nullopt;
    }
    m_last += m_arrivals->GetGap({m_next, m_arriving, m_last});
    return Make(m_next++, ApplyLoad(m_last, m_spec.load));
}

std::optional<CojobSpec>
GeneratedCojobs::NextAfter(const CojobSpec& cojob, Time now)
{
    if (!m_spec.successors || cojob.id.value < m_spec.firstCojob)
    {
        return std::nullopt;
    }
    const uint64_t index = uint64_t{cojob.id.value} - m_spec.firstCojob + m_spec.models.size();
    const bool isLate = m_spec.until && now >= *m_spec.until;
    if (index >= m_spec.CountGroups() || isLate)
    {
        return std::nullopt;
    }
    return Make(static_cast<uint32_t>(index), now);
}

const GeneratorModel&
GeneratedCojobs::ChooseModel(uint32_t index) const
{
    if (m_spec.HasSizesByModel())
    {
        return m_spec.models[*m_deck[index % m_deck.size()].model];
    }
    if (!m_spec.randomModels)
    {
        return m_spec.models[index % m_spec.models.size()];
    }
    const auto variable = CreateObject<UniformRandomVariable>();
    variable->SetStream(GetModelStream(index));
    return m_spec.models[variable->GetInteger(0, m_spec.models.size() - 1)];
}

uint32_t
GeneratedCojobs::ChooseWorkers(uint32_t index) const
{
    return m_deck.empty() ? m_spec.workers : m_deck[index % m_deck.size()].workers;
}

/** Brackets have different numbers of jobs, and are dealt in turn to each model. */
uint32_t
GeneratedCojobs::CountJobsBefore(uint32_t index) const
{
    const uint64_t models = m_spec.models.size();
    uint64_t round = 0; // jobs of all shapes, each for every model
    for (const CojobShape& shape : m_shapes)
    {
        round += models * shape.jobs;
    }
    uint64_t left = index % (models * m_shapes.size());
    uint64_t jobs = index / (models * m_shapes.size()) * round;
    for (std::size_t i = 0; left > 0; ++i)
    {
        const uint64_t dealt = std::min(left, models);
        jobs += dealt * m_shapes[i].jobs;
        left -= dealt;
    }
    return static_cast<uint32_t>(jobs);
}

/** \param job whose iterations they are */
uint64_t
GeneratedCojobs::DrawIterations(uint32_t index, const JobSpec& job) const
{
    const GeneratorModel& model = ChooseModel(index);
    const ObjectFactory& durations =
        model.durations.IsTypeIdSet() ? model.durations : m_spec.durations;
    const bool isDuration = durations.IsTypeIdSet();
    const auto variable =
        (isDuration ? durations : m_spec.iterations).Create<RandomVariableStream>();
    NS_ABORT_MSG_UNLESS(variable, "iterations of a generator are no RandomVariableStream");
    variable->SetStream(GetIterationsStream(index));
    double iterations = variable->GetValue();
    if (isDuration)
    {
        const Time compute = job.model.forward + job.model.backward;
        NS_ABORT_MSG_IF(compute.IsZero(),
                        "the iterations of " << job.model.name << " take no time");
        iterations /= compute.GetSeconds() * (m_spec.divideByWorkers ? job.workers : 1);
    }
    return static_cast<uint64_t>(std::clamp(std::round(iterations), 1.0, double{MOST_ITERATIONS}));
}

JobSpec
GeneratedCojobs::MakeJob(uint32_t group, const GeneratorModel& model, JobId id) const
{
    JobSpec job;
    job.id = id;
    job.model = model.profile;
    job.workers = ChooseWorkers(group);
    job.hasTasks = m_spec.hasTasks;
    job.servers = m_spec.servers;
    job.serverGpus = m_spec.serverGpus;
    job.pattern = m_spec.pattern;
    job.noise = m_spec.noise;
    job.overlap = m_spec.overlap;
    job.curve = DrawCurve(model.curve, id);
    if (!model.timed)
    {
        SetComputeByRatio(job, m_spec.computeRatio, m_spec.hostRate);
    }
    return job;
}

CojobSpec
GeneratedCojobs::Make(uint32_t index, Time submit) const
{
    const CojobShape& shape = m_shapes[index / m_spec.models.size() % m_shapes.size()];
    const GeneratorModel& model = ChooseModel(index);
    CojobSpec cojob;
    cojob.plain = m_spec.kind == "jobs";
    cojob.id = CojobId{m_spec.firstCojob + index};
    cojob.submit = submit;
    cojob.search = m_spec.search;
    if (cojob.plain)
    {
        cojob.search = ObjectFactory();
        cojob.search.SetTypeId(NoneSearchAlgorithm::GetTypeId());
    }
    const uint32_t first = m_spec.firstJob + CountJobsBefore(index);
    for (uint32_t i = 0; i < shape.jobs; ++i)
    {
        cojob.jobs.push_back(MakeJob(index, model, JobId{first + i}));
    }
    cojob.iterations = cojob.plain
                           ? std::vector<uint64_t>{DrawIterations(index, cojob.jobs.front())}
                           : shape.iterations;
    if (model.curve.isRelative)
    {
        const auto all = static_cast<double>(CountIterationsOf(cojob));
        for (JobSpec& job : cojob.jobs)
        {
            job.curve->half = std::max(job.curve->half * all, LEAST_HALF);
        }
    }
    return cojob;
}

std::vector<CojobSpec>
ListDemands(const GeneratorSpec& spec)
{
    std::vector<CojobSpec> groups;
    for (const CojobShape& shape : spec.ListShapes())
    {
        for (const GeneratorModel& model : spec.models)
        {
            for (const uint32_t each : spec.ListWorkers(model))
            {
                CojobSpec group;
                group.plain = spec.kind == "jobs";
                group.id = CojobId{spec.firstCojob};
                group.iterations = group.plain ? std::vector<uint64_t>{1} : shape.iterations;
                JobSpec job;
                job.model = model.profile;
                job.workers = each;
                job.hasTasks = spec.hasTasks;
                job.servers = spec.servers;
                job.serverGpus = spec.serverGpus;
                group.jobs.assign(shape.jobs, job);
                groups.push_back(std::move(group));
            }
        }
    }
    return groups;
}

} // namespace ns3::ddl
