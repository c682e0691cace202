// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-generated-cojobs.h"

#include "ns3/abort.h"
#include "ns3/ddl-nic-bytes.h"
#include "ns3/ddl-none-search-algorithm.h"
#include "ns3/ddl-ring-communication-pattern.h"
#include "ns3/ddl-rng-streams.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace ns3::ddl
{

namespace
{

// RNG streams from GENERATOR_STREAMS on: one for the deck, two per cojob or plain job.
constexpr int64_t DECK_STREAM = GENERATOR_STREAMS;

constexpr double LEAST_TO_HALF = 1e-6; //!< least iterations of a curve to half of the way
constexpr double LEAST_WEIGHT = 1e-6;
constexpr double MOST_WEIGHT = 1e6;

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

/** \return sum of the iterations of all stages */
uint64_t
CountIterationsOf(const CojobSpec& cojob)
{
    return std::accumulate(cojob.iterations.begin(), cojob.iterations.end(), uint64_t{0});
}

/** Put cards into random order (Fisher and Yates). */
template <typename Card>
void
Shuffle(std::vector<Card>& deck, int64_t stream)
{
    const auto variable = CreateObject<UniformRandomVariable>();
    variable->SetStream(stream);
    for (std::size_t left = deck.size(); left > 1; --left)
    {
        std::swap(deck[left - 1], deck[variable->GetInteger(0, left - 1)]);
    }
}

/** \return numbers of jobs per search, each as often as its share, in random order */
std::vector<uint32_t>
ShuffleSearches(const GeneratorSpec& spec)
{
    std::vector<uint32_t> deck;
    for (const JobSize& search : spec.searches)
    {
        deck.insert(deck.end(), search.jobs, search.workers);
    }
    Shuffle(deck, USER_STREAMS);
    return deck;
}

/** \return sizes of plain jobs, each as often as its share, in random order */
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
    Shuffle(deck, DECK_STREAM);
    return deck;
}

/** Set what the runs of a job are made of. A job of a task graph has no parameter servers. */
void
SetKind(const GeneratorSpec& spec, const GeneratorModel& model, JobSpec& job)
{
    job.kind = model.kind.IsTypeIdSet() ? model.kind : spec.jobKind;
    job.graph = model.graph;
    job.graphSource = model.graphSource;
    if (model.workers == 0)
    {
        job.servers = spec.servers;
        job.serverGpus = spec.serverGpus;
        return;
    }
    job.workers = model.workers;
    if (spec.servers > 0)
    {
        job.pattern = ObjectFactory();
        job.pattern.SetTypeId(RingCommunicationPattern::GetTypeId());
    }
}

} // namespace

GeneratedCojobs::GeneratedCojobs(const GeneratorSpec& spec)
    : m_spec(spec),
      m_shapes(spec.ListShapes()),
      m_deck(ShuffleSizes(spec)),
      m_searches(ShuffleSearches(spec)),
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

/** \return number of the user of a group, from 0. \pre there are users */
uint32_t
GeneratedCojobs::ChooseUser(uint32_t index) const
{
    if (index < m_spec.users)
    {
        return index;
    }
    const auto variable = CreateObject<UniformRandomVariable>();
    variable->SetStream(USER_STREAMS + 1 + index);
    return variable->GetInteger(0, m_spec.users - 1);
}

/** \return the group whose models, size and iterations a group has: itself, or its user's first */
uint32_t
GeneratedCojobs::FindOriginal(uint32_t index) const
{
    if (index < m_spec.users || m_spec.users == 0)
    {
        return index;
    }
    const auto variable = CreateObject<UniformRandomVariable>();
    variable->SetStream(USER_STREAMS + 1 + index);
    const uint32_t user = variable->GetInteger(0, m_spec.users - 1); // drawn as in ChooseUser
    return variable->GetValue(0, 1) < m_spec.repeats ? user : index;
}

/** \return number of jobs that arrive together as one search */
uint32_t
GeneratedCojobs::CountSearch(uint32_t index) const
{
    return m_searches.empty() ? m_shapes[index / m_spec.models.size() % m_shapes.size()].jobs
                              : m_searches[index % m_searches.size()];
}

double
GeneratedCojobs::DrawWeight(JobId job) const
{
    if (!m_spec.weights.IsTypeIdSet())
    {
        return 1;
    }
    const auto variable = m_spec.weights.Create<RandomVariableStream>();
    NS_ABORT_MSG_UNLESS(variable, "weights of a generator are no RandomVariableStream");
    variable->SetStream(WEIGHT_STREAMS + job.value);
    return std::clamp(variable->GetValue(), LEAST_WEIGHT, MOST_WEIGHT);
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

/** \return number of jobs of all earlier groups. Brackets have different numbers of jobs, and each
 * is used for every model before the next one. */
uint32_t
GeneratedCojobs::CountJobsBefore(uint32_t index) const
{
    if (!m_searches.empty())
    {
        const auto begin = m_searches.begin();
        const auto rest = begin + index % m_searches.size();
        return index / m_searches.size() * std::accumulate(begin, m_searches.end(), 0U) +
               std::accumulate(begin, rest, 0U);
    }
    const uint64_t models = m_spec.models.size();
    uint64_t round = 0; // number of jobs of all shapes, each for every model
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

/** \return iterations of a plain job. \param job the job, for its model and workers */
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
    job.pattern = m_spec.pattern;
    SetKind(m_spec, model, job);
    job.noise = m_spec.noise;
    job.overlap = m_spec.overlap;
    if (model.curve)
    {
        job.curve = DrawCurve(*model.curve, id);
    }
    job.weight = DrawWeight(id);
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
    const bool areJobs = m_spec.kind == "jobs";
    const uint32_t jobs = CountSearch(index);
    const uint32_t original = FindOriginal(index);
    const GeneratorModel& model = ChooseModel(original);
    CojobSpec cojob;
    cojob.plain = areJobs && jobs == 1;
    cojob.id = CojobId{m_spec.firstCojob + index};
    cojob.submit = submit;
    cojob.search = m_spec.search;
    if (areJobs)
    {
        cojob.search = ObjectFactory();
        cojob.search.SetTypeId(NoneSearchAlgorithm::GetTypeId());
    }
    const uint32_t first = m_spec.firstJob + CountJobsBefore(index);
    for (uint32_t i = 0; i < jobs; ++i)
    {
        cojob.jobs.push_back(MakeJob(original, model, JobId{first + i}));
        if (m_spec.users > 0)
        {
            cojob.jobs.back().user = "user-" + std::to_string(ChooseUser(index) + 1);
            cojob.jobs.back().name = "generated-" + std::to_string(original + 1);
        }
    }
    cojob.iterations = areJobs ? std::vector<uint64_t>{DrawIterations(original, cojob.jobs.front())}
                               : shape.iterations;
    if (model.curve && model.curve->isRelative)
    {
        const auto all = static_cast<double>(CountIterationsOf(cojob));
        for (JobSpec& job : cojob.jobs)
        {
            job.curve->half = std::max(job.curve->half * all, LEAST_TO_HALF);
        }
    }
    return cojob;
}

namespace
{

/** \return number of jobs of a shape's group, or of the largest search */
uint32_t
GetLargestGroup(const GeneratorSpec& spec, const CojobShape& shape)
{
    uint32_t jobs = shape.jobs;
    for (const JobSize& search : spec.searches)
    {
        jobs = std::max(jobs, search.workers);
    }
    return jobs;
}

} // namespace

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
                const bool areJobs = spec.kind == "jobs";
                group.plain = areJobs && spec.searches.empty();
                group.id = CojobId{spec.firstCojob};
                group.iterations = areJobs ? std::vector<uint64_t>{1} : shape.iterations;
                JobSpec job;
                job.model = model.profile;
                job.workers = each;
                SetKind(spec, model, job);
                group.jobs.assign(GetLargestGroup(spec, shape), job);
                groups.push_back(std::move(group));
            }
        }
    }
    return groups;
}

} // namespace ns3::ddl
