// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-sampled-run.h"

#include "app/results/ddl-run-summary.h"
#include "app/scenario/ddl-alone-scenario.h"
#include "app/text/ddl-text-file.h"
#include "app/text/ddl-text-table.h"
#include "ddl-sample-source.h"

#include "ns3/ddl-cluster-simulation.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-result-tables.h"
#include "ns3/ddl-safe-file.h"
#include "ns3/rng-seed-manager.h"

#include <iterator>
#include <map>
#include <memory>
#include <utility>

namespace ns3::ddl
{

namespace
{

/** Further windows per visit, on fluids only. A choice: with eight windows, what a mean on fluids
 * varies by is a third of what a window on packets does, and fluids are cheap. */
constexpr uint32_t OTHERS = 7;
/** Part of the time in situations of unknown length that probes cover. A choice: the rest, of rare
 * situations, has the ratios of its pools and no wanted lengths. */
constexpr double COVERED = 0.99;

/** \return the sample, on fluids */
Scenario
OnFluids(Scenario sample)
{
    sample.fidelity = Fidelity::FLUID;
    return sample;
}

/** Give a sample a run number of its own, so that it draws its own random times. */
void
TakeRun(uint64_t number)
{
    RngSeedManager::SetRun(RngSeedManager::GetRun() + number);
}

/** A timeline to simulate: the whole run on fluids. */
struct TimelineTask
{
    std::string name;
    const Scenario& scenario;
    SampledModel model;  //!< gives lengths of iterations; without ratios they are those on fluids
    SampleQuota quota{}; //!< samples to draw
    uint64_t seed{1};    //!< seed of the draws
    uint32_t firstSample{1}; //!< number of the first sample
};

/** Draw samples from a timeline, and write their scenarios. */
std::vector<Sample>
DrawSamples(const TimelineTask& task,
            const SampleStore& store,
            const SampleSource& source,
            double iterations)
{
    const auto draw = [&](uint64_t number, const SampleLimits& limits) {
        const auto drawn = source.Draw(number, task.seed, limits);
        return drawn ? std::make_optional(drawn->plan) : std::nullopt;
    };
    std::vector<Sample> samples;
    uint32_t number = task.firstSample;
    for (const auto& planned : PlanDraws(task.scenario.sampling, task.quota, iterations, draw))
    {
        const auto drawn = *source.Draw(planned.number, task.seed, planned.limits, OTHERS);
        Sample sample{number++, drawn.plan};
        sample.plan.isLong = planned.isLong;
        SaveScenario(store.GetSample(sample.number), drawn.scenario);
        for (const auto& other : drawn.others)
        {
            SaveScenario(store.GetOther(sample.number, sample.others.size()), other.scenario);
            sample.others.push_back(other.plan);
        }
        samples.push_back(std::move(sample));
    }
    return samples;
}

/** Draw samples of the situations whose iterations on fluids the model does not know. */
std::vector<Sample>
DrawProbes(const TimelineTask& task,
           const SampleStore& store,
           const SampleSource& source,
           double iterations)
{
    std::vector<Sample> probes;
    if (!task.model.GetRatios() || HasOtherWaits(task.scenario))
    {
        return probes; // the timeline itself shows lengths; or none are wanted
    }
    const auto isKnown = [&](const std::string& stratum) { return task.model.Knows(stratum); };
    const SampleLimits limits{task.scenario.sampling.budget * iterations};
    for (const auto& drawn : source.DrawEach(isKnown, COVERED, limits))
    {
        probes.push_back({static_cast<uint32_t>(probes.size()) + 1, drawn.plan});
        SaveScenario(store.GetProbe(task.name, probes.back().number), drawn.scenario);
    }
    return probes;
}

/** Simulate a timeline, in a process of its own: its results go to the folder of the process. */
void
Simulate(const TimelineTask& task, const SampleStore& store)
{
    std::unique_ptr<SituationWatch> watch; // outlives the simulation, which reports ends to it
    ClusterSimulation simulation(task.scenario);
    watch = std::make_unique<SituationWatch>(
        simulation.GetTrainingCluster(),
        [&task](const auto& strata) { return task.model.Get(strata); });
    const std::string folder = store.GetScratch(task.name).string();
    simulation.EnableRows(folder);
    const RunResult result = simulation.Run();
    watch->Finish();
    if (result.status == RunResult::Status::INTERRUPTED || !result.failures.empty())
    {
        throw RunError("the timeline was not completed");
    }
    simulation.WriteResults(folder, result);
    const SampleSource source(task.scenario, *watch);
    const Timeline timeline{source.ListShares()};
    const double iterations = timeline.Sum(&SituationShare::iterations);
    store.Write(task.name,
                {timeline.shares,
                 DrawSamples(task, store, source, iterations),
                 DrawProbes(task, store, source, iterations)});
}

/** Run a sample on packets, and it and the other windows of its visit on fluids. */
SampleResult
Measure(const SampleStore& store, const Sample& sample)
{
    const Scenario scenario = LoadScenario(store.GetSample(sample.number));
    TakeRun(sample.number);
    SampleResult result;
    result.packets = RunSample(scenario, sample.plan);
    result.fluid = RunSample(OnFluids(scenario), sample.plan);
    std::vector<SampleTimes> fluids{result.fluid};
    for (std::size_t i = 0; i < sample.others.size(); ++i)
    {
        TakeRun(MOST_WINDOWS);
        fluids.push_back(
            RunSample(OnFluids(LoadScenario(store.GetOther(sample.number, i))), sample.others[i]));
    }
    std::map<JobId, double> counted;
    for (const SampleTimes& times : fluids)
    {
        for (const auto& [job, seconds] : times.iteration)
        {
            result.expected[job] += seconds;
            ++counted[job];
        }
    }
    for (auto& [job, seconds] : result.expected)
    {
        seconds /= counted[job];
    }
    return result;
}

std::string
Percent(double share)
{
    return FormatNumber(100 * share, 3) + " %";
}

} // namespace

SampledRun::SampledRun(const Scenario& scenario, SampledOptions options)
    : m_scenario(WithoutOutput(scenario)),
      m_options(std::move(options)),
      m_store(m_options.folder, m_options.program)
{
}

/** Run pieces of work, each with a temporary folder of its own. */
bool
SampledRun::RunTasks(const std::vector<Task>& tasks, const std::string& what)
{
    std::vector<Piece> pieces;
    for (const auto& [name, work] : tasks)
    {
        pieces.push_back({m_store.GetScratch(name), [&work = work] {
                              work();
                              return 0;
                          }});
    }
    const bool isComplete = RunPieces(pieces, what, m_options);
    if (!isComplete)
    {
        m_store.RemoveScratch(); // results of samples are in another folder
    }
    return isComplete;
}

bool
SampledRun::RunTimeline(const SampleQuota& quota)
{
    const std::string round = std::to_string(++m_record.rounds);
    const TimelineTask task{"timeline-" + round,
                            m_scenario,
                            m_model,
                            quota,
                            m_scenario.sampling.seed + (uint64_t{m_record.rounds} << 32),
                            static_cast<uint32_t>(m_record.samples.size()) + 1};
    if (!RunTasks({Task{task.name, [&] { Simulate(task, m_store); }}},
                  "the run on fluids, round " + round))
    {
        return false;
    }
    SamplingHandover drawn = m_store.Read(task.name);
    const Timeline before = std::exchange(
        m_record.last,
        {std::move(drawn.shares), RunSummary(m_store.GetScratch(task.name).string()).metrics});
    m_record.change = CompareTimelines(before, m_record.last);
    if (m_record.rounds == 1)
    {
        m_record.first = m_record.last;
    }
    std::move(drawn.samples.begin(), drawn.samples.end(), std::back_inserter(m_record.samples));
    return MeasureProbes(std::move(drawn.probes), task.name);
}

/** Run the new samples on packets and on fluids, or take their results from an earlier run. */
bool
SampledRun::MeasureSamples(double error)
{
    std::vector<Task> tasks;
    std::vector<std::pair<Sample*, std::string>> wanted; // samples with their identities
    for (Sample& sample : m_record.samples)
    {
        if (sample.IsMeasured() || &m_record.FindFirst(sample) != &sample)
        {
            continue;
        }
        const std::string identity = m_store.Identify(sample);
        if (m_store.Read(sample.number, identity, sample.result))
        {
            continue;
        }
        wanted.emplace_back(&sample, identity);
        tasks.emplace_back("sample-" + std::to_string(sample.number), [this, &sample, identity] {
            m_store.Write(sample.number, identity, Measure(m_store, sample));
        });
    }
    const std::string soFar =
        m_record.rounds == 1
            ? ""
            : ", error so far " + Percent(error) + ", wanted " + Percent(m_scenario.sampling.error);
    if (!RunTasks(tasks, "samples" + soFar))
    {
        return false;
    }
    for (const auto& [sample, identity] : wanted)
    {
        if (!m_store.Read(sample->number, identity, sample->result))
        {
            throw RunError("sample " + std::to_string(sample->number) + " left no result");
        }
    }
    for (Sample& sample : m_record.samples)
    {
        if (!sample.IsMeasured()) // its equal has been
        {
            const Sample& first = m_record.FindFirst(sample);
            for (std::size_t i = 0; i < sample.plan.jobs.size(); ++i)
            {
                sample.plan.jobs[i].warmup = first.plan.jobs[i].warmup;
                sample.plan.jobs[i].window = first.plan.jobs[i].window;
            }
            sample.result = first.result;
            sample.result.packets.iterations = 0;
            sample.result.packets.cpu = 0;
        }
    }
    return true;
}

/** Run on fluids the situations that no earlier timeline had. */
bool
SampledRun::MeasureProbes(std::vector<Sample> probes, const std::string& timeline)
{
    std::vector<Task> tasks;
    for (Sample& probe : probes)
    {
        const std::string name = timeline + "-probe-" + std::to_string(probe.number);
        tasks.emplace_back(name, [this, &probe, timeline, name] {
            const Scenario scenario = LoadScenario(m_store.GetProbe(timeline, probe.number));
            probe.result.fluid = RunSample(OnFluids(scenario), probe.plan);
            m_store.Write(name, {{}, {}, {probe}});
        });
    }
    if (!RunTasks(tasks, "situations on fluids"))
    {
        return false;
    }
    for (const auto& [name, work] : tasks)
    {
        m_record.probes.push_back(m_store.Read(name).probes.at(0));
    }
    return true;
}

bool
SampledRun::RunRounds()
{
    m_store.Prepare();
    SamplingState state;
    while (const auto quota = PlanRound(m_scenario.sampling, state))
    {
        if (!RunTimeline(*quota) || !MeasureSamples(state.error))
        {
            return false;
        }
        state = {m_record.rounds, m_record.samples.size()};
        state.change = m_record.change;
        state.taken = m_record.GetPacketShare();
        for (const Sample& sample : m_record.samples)
        {
            if (sample.plan.repeats)
            {
                state.known.insert(sample.plan.situation);
            }
        }
        // After the last timeline the model stays: its metrics, and their errors, follow from it.
        if (state.windows > 0 && PlanRound(m_scenario.sampling, state))
        {
            m_model = SampledModel::Make(m_record, HasOtherWaits(m_scenario));
            state.error = m_model.PredictError(m_record.last);
        }
    }
    return true;
}

bool
SampledRun::AddErrors(RunResult& result)
{
    const auto& ratios = m_model.GetRatios();
    const uint32_t groups = ratios ? ratios->GetGroups() : 0;
    std::vector<Task> tasks;
    const auto add = [&](const std::string& kind, const SampledModel& model) {
        const TimelineTask task{kind + std::to_string(tasks.size() + 1), m_scenario, model};
        tasks.emplace_back(task.name, [this, task] { Simulate(task, m_store); });
    };
    for (uint32_t group = 0; group < groups; ++group)
    {
        add("group-", m_model.LeaveOut(group));
    }
    for (uint32_t draw = 0; draw < groups; ++draw)
    {
        add("draw-", m_model.DrawOnce(m_scenario.sampling.seed + draw));
    }
    if (!RunTasks(tasks, "the run on fluids, for its error"))
    {
        return false;
    }
    std::map<std::string, MetricReplicates> replicates;
    for (std::size_t i = 0; i < tasks.size(); ++i)
    {
        for (const auto& [metric, value] :
             RunSummary(m_store.GetScratch(tasks[i].first).string()).metrics)
        {
            auto& values = replicates[metric];
            (i < groups ? values.sampling : values.seed).push_back(value);
        }
    }
    SamplingTotals totals;
    totals.target = m_scenario.sampling.error;
    totals.windows = m_record.samples.size();
    totals.rounds = m_record.rounds;
    totals.changed = m_record.change;
    totals.packetShare = m_record.GetPacketShare();
    totals.packetsCpuSeconds = m_record.EstimatePacketsCpu();
    for (const auto& [metric, full] : m_record.last.metrics)
    {
        const MetricReplicates& values = replicates[metric];
        if (!values.sampling.empty() && !values.seed.empty())
        {
            totals.metrics[metric] = EstimateError(full, values, groups);
        }
    }
    const auto mean = m_record.last.metrics.find("jct_s/mean");
    if (mean != m_record.last.metrics.end() && mean->second > 0)
    {
        totals.error = totals.metrics["jct_s/mean"].both / mean->second;
    }
    result.sampling = totals;
    const auto& table = Table<SampleRow>::Find();
    WriteFileSafely(m_options.folder / table.GetFile(),
                    table.Format(ListRows(m_record.samples, m_model, RngSeedManager::GetRun())));
    m_store.Complete(m_record.samples);
    m_store.RemoveScratch();
    return true;
}

} // namespace ns3::ddl
