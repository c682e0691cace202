// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-sampled-run.h"

#include "app/process/ddl-folder.h"
#include "app/process/ddl-process-pool.h"
#include "app/results/ddl-run-summary.h"
#include "app/scenario/ddl-scenario-writer.h"
#include "app/text/ddl-text-file.h"
#include "ddl-run-identity.h"

#include "ns3/ddl-cluster-simulation.h"
#include "ns3/ddl-content-hash.h"
#include "ns3/ddl-csv-writer.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-safe-file.h"
#include "ns3/ddl-scenario-reader.h"
#include "ns3/ddl-summary.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace ns3::ddl
{

namespace
{

namespace fs = std::filesystem;
using SampleJson = nlohmann::ordered_json;

constexpr uint32_t PILOT_WINDOWS = 2 * SAMPLE_GROUPS;
constexpr double PILOT_SHARE = 0.25;     //!< of the budget
constexpr uint64_t MOST_WINDOWS = 20000; //!< of a run
constexpr uint32_t MOST_ROUNDS = 5;      //!< timelines before the situations count as found
constexpr double SETTLED = 0.05;         //!< share of time in which situations may still differ
constexpr uint32_t CALIBRATIONS = 2;
constexpr double LEAST_NETWORK = 0.02; //!< part of an iteration that is never taken for computing
constexpr double LEAST_PACE = 0.1;
constexpr double MOST_PACE = 20;
constexpr double PLAN_MARGIN = 0.9;  //!< of the target that is planned for
constexpr std::size_t LOG_LINES = 5; // of a part that failed, that are shown

SampleJson
ReadJson(const fs::path& file)
{
    std::ifstream stream(file);
    return SampleJson::parse(stream, nullptr, false);
}

SampleJson
ToJson(const SamplePlan& plan)
{
    SampleJson jobs = SampleJson::array();
    for (const SampleJob& job : plan.jobs)
    {
        jobs.push_back({{"job", job.job.value},
                        {"warmup", job.warmup},
                        {"window", job.window},
                        {"weight", job.weight},
                        {"compute_s", job.compute},
                        {"strata", job.strata}});
    }
    return {{"situation", plan.situation}, {"cut_s", plan.cut}, {"jobs", jobs}};
}

SamplePlan
ToPlan(const SampleJson& json)
{
    SamplePlan plan;
    plan.situation = json.at("situation");
    plan.cut = json.at("cut_s");
    for (const auto& each : json.at("jobs"))
    {
        SampleJob job;
        job.job = JobId{each.at("job").get<uint32_t>()};
        job.warmup = each.at("warmup");
        job.window = each.at("window");
        job.weight = each.at("weight");
        job.compute = each.at("compute_s");
        job.strata = each.at("strata").get<std::vector<std::string>>();
        plan.jobs.push_back(job);
    }
    return plan;
}

SampleJson
ToJson(const SampleTimes& times)
{
    SampleJson iteration = SampleJson::object();
    for (const auto& [job, seconds] : times.iteration)
    {
        iteration[std::to_string(job.value)] = seconds;
    }
    return {{"iteration_s", iteration},
            {"iterations", times.iterations},
            {"end_s", times.end},
            {"cpu_s", times.cpu}};
}

SampleTimes
ToTimes(const SampleJson& json)
{
    SampleTimes times;
    for (const auto& [job, seconds] : json.at("iteration_s").items())
    {
        times.iteration[JobId{static_cast<uint32_t>(std::stoul(job))}] = seconds;
    }
    times.iterations = json.at("iterations");
    times.end = json.at("end_s");
    times.cpu = json.at("cpu_s");
    return times;
}

/** \return the scenario on fluids, without what only the real run has to write */
Scenario
MakeTimelineScenario(const Scenario& scenario)
{
    Scenario timeline = scenario;
    timeline.output = OutputSpec();
    timeline.output.alone = false;
    timeline.output.figures = false;
    return timeline;
}

/** \return a sample on fluids */
Scenario
OnFluids(Scenario sample)
{
    sample.fidelity = Fidelity::FLUID;
    return sample;
}

/** Samples draw random times of their own. */
void
TakeRun(uint32_t number)
{
    RngSeedManager::SetRun(RngSeedManager::GetRun() + number);
}

std::string
Percent(double share)
{
    return FormatNumber(100 * share, 3) + " %";
}

} // namespace

void
SampledPaces::Add(const RatioEstimator& estimator)
{
    m_steps.push_back(estimator);
}

SampledPaces
SampledPaces::Replicate(uint32_t group) const
{
    SampledPaces replicate = *this;
    replicate.m_group = group;
    return replicate;
}

double
SampledPaces::Get(const std::vector<std::string>& strata) const
{
    double pace = 1;
    for (const RatioEstimator& step : m_steps)
    {
        pace *= step.Find(strata).ratio;
    }
    if (m_group && !m_steps.empty())
    {
        const RatioEstimator& last = m_steps.back();
        const double full = last.Find(strata).ratio;
        pace *= StretchRatio(full, last.GetRatioWithout(strata, *m_group), last.GetGroups()) / full;
    }
    return std::clamp(pace, LEAST_PACE, MOST_PACE);
}

SampledRun::SampledRun(const Scenario& scenario, SampledOptions options)
    : m_scenario(MakeTimelineScenario(scenario)),
      m_options(std::move(options)),
      m_program(IdentifyRun(scenario).program)
{
}

fs::path
SampledRun::GetScratch() const
{
    return m_options.folder / ".sampling";
}

fs::path
SampledRun::GetSampleFile(uint32_t number, const std::string& suffix) const
{
    return m_options.folder / "samples" / (std::to_string(number) + suffix);
}

void
SampledRun::Say(const std::string& what) const
{
    if (m_options.report)
    {
        m_options.report(what);
    }
}

/** Run pieces of work, each in a process and with a log in a scratch folder of its own. */
bool
SampledRun::RunTasks(const std::vector<Task>& tasks, const std::string& what)
{
    std::string failure;
    std::size_t done = 0;
    std::vector<ProcessPool::Task> list;
    for (const auto& [name, work] : tasks)
    {
        list.push_back({{}, GetScratch() / name / "log", work});
    }
    ProcessPool::Listener listener;
    listener.isStopped = m_options.isStopped;
    listener.starting = [&](std::size_t i) { PrepareFolder(GetScratch() / tasks[i].first); };
    listener.ended = [&](std::size_t i, int status) {
        ++done;
        if (status != 0 && failure.empty())
        {
            failure = what + " (" + tasks[i].first + ") failed with status " +
                      std::to_string(status) + ":\n" +
                      ReadEnd(GetScratch() / tasks[i].first / "log", LOG_LINES);
        }
    };
    listener.tick = [&] {
        Say(what + ": " + std::to_string(done) + " of " + std::to_string(tasks.size()));
    };
    const bool isComplete = ProcessPool(m_options.processes).Run(list, listener);
    if (isComplete && !failure.empty())
    {
        throw RunError(failure);
    }
    return isComplete;
}

namespace
{

/** The work of a process: the whole run on fluids, with what is asked of it in a folder. */
class TimelineWork
{
  public:
    TimelineWork(const Scenario& scenario, const SampledPaces& paces, fs::path folder)
        : m_scenario(scenario),
          m_paces(paces),
          m_folder(std::move(folder))
    {
    }

    /** \param quota of samples to draw \param seed of that */
    int Run(const SampleQuota& quota, uint64_t seed) const
    {
        std::unique_ptr<SituationWatch> watch; // job ends are told while the cluster is dismantled
        ClusterSimulation simulation(m_scenario);
        watch = std::make_unique<SituationWatch>(
            simulation.GetTrainingCluster(),
            [this](const auto& strata) { return m_paces.Get(strata); });
        simulation.EnableRows(m_folder.string());
        const RunResult result = simulation.Run();
        watch->Finish();
        if (result.status == RunResult::Status::INTERRUPTED || !result.failures.empty())
        {
            std::cerr << "the timeline was not completed\n";
            return 1;
        }
        simulation.WriteResults(m_folder.string(), result);
        const SampleSource source(m_scenario, *watch);
        DrawSamples(source, quota, WriteShares(source), seed);
        return 0;
    }

  private:
    void DrawSamples(const SampleSource& source,
                     const SampleQuota& quota,
                     double iterations,
                     uint64_t seed) const
    {
        std::mt19937_64 random(seed);
        SampleJson plans = SampleJson::array();
        double share = 0;
        while (plans.size() < quota.most && (plans.size() < quota.least || share < quota.share) &&
               !(quota.pilot && plans.size() >= PILOT_WINDOWS && share >= *quota.pilot))
        {
            const auto drawn = source.Draw(random);
            if (!drawn)
            {
                break;
            }
            share += drawn->plan.CountIterations() / iterations;
            if (share > quota.share && plans.size() >= quota.least)
            {
                break;
            }
            plans.push_back(ToJson(drawn->plan));
            WriteFileSafely(m_folder / (std::to_string(plans.size()) + ".json"),
                            FormatScenario(drawn->scenario));
        }
        WriteFileSafely(m_folder / "plans.json", plans.dump());
    }

    /** \return iterations of all jobs */
    double WriteShares(const SampleSource& source) const
    {
        double iterations = 0;
        SampleJson shares = SampleJson::array();
        for (const SituationShare& share : source.ListShares())
        {
            shares.push_back({{"situation", share.situation},
                              {"strata", share.strata},
                              {"iterations", share.iterations},
                              {"seconds", share.seconds},
                              {"compute", share.compute}});
            iterations += share.iterations;
        }
        WriteFileSafely(m_folder / "shares.json", shares.dump());
        return iterations;
    }

    const Scenario& m_scenario;
    SampledPaces m_paces;
    fs::path m_folder;
};

} // namespace

bool
SampledRun::RunTimeline(const SampledPaces& paces, const SampleQuota& quota)
{
    const std::string name = "timeline-" + std::to_string(++m_rounds);
    const fs::path folder = GetScratch() / name;
    const uint64_t seed = m_scenario.sampling.seed + (uint64_t{m_rounds} << 32);
    const TimelineWork work(m_scenario, paces, folder);
    const Task task{name, [&work, &quota, seed] { return work.Run(quota, seed); }};
    if (!RunTasks({task}, "the run on fluids, round " + std::to_string(m_rounds)))
    {
        return false;
    }
    const Timeline before = std::move(m_timeline);
    m_timeline = ReadTimeline(folder);
    m_change = CompareShares(before);
    m_timelinePaces = paces;
    TakeDrawn(folder);
    return true;
}

SampledRun::Timeline
SampledRun::ReadTimeline(const fs::path& folder) const
{
    Timeline timeline;
    timeline.metrics = RunSummary(folder.string()).metrics;
    for (const auto& each : ReadJson(folder / "shares.json"))
    {
        SituationShare share;
        share.situation = each.at("situation");
        share.strata = each.at("strata").get<std::vector<std::string>>();
        share.iterations = each.at("iterations");
        share.seconds = each.at("seconds");
        share.compute = each.at("compute");
        timeline.iterations += share.iterations;
        timeline.shares.push_back(share);
    }
    return timeline;
}

/** Give the samples that a timeline has drawn their numbers. */
void
SampledRun::TakeDrawn(const fs::path& folder)
{
    uint32_t drawn = 0;
    for (const auto& plan : ReadJson(folder / "plans.json"))
    {
        Sampled sample;
        sample.number = static_cast<uint32_t>(m_samples.size()) + 1;
        sample.plan = ToPlan(plan);
        fs::copy_file(folder / (std::to_string(++drawn) + ".json"),
                      GetSampleFile(sample.number, ".json"),
                      fs::copy_options::overwrite_existing);
        m_samples.push_back(sample);
    }
}

/** \return share of the time that is in other situations than in that timeline */
double
SampledRun::CompareShares(const Timeline& before) const
{
    std::map<std::string, double> shares;
    const auto add = [&shares](const Timeline& timeline, double sign) {
        double sum = 0;
        for (const SituationShare& share : timeline.shares)
        {
            sum += share.seconds;
        }
        for (const SituationShare& share : timeline.shares)
        {
            shares[share.strata.front()] += sign * share.seconds / sum;
        }
    };
    add(before, -1);
    add(m_timeline, 1);
    double difference = 0;
    for (const auto& [name, share] : shares)
    {
        difference += std::abs(share) / 2;
    }
    return difference;
}

/** Run on packets and on fluids what has not been run; results of an earlier run are taken. */
bool
SampledRun::MeasureSamples()
{
    std::vector<Task> tasks;
    std::vector<std::pair<Sampled*, std::string>> measured; // and the identity of each
    for (Sampled& sample : m_samples)
    {
        if (!sample.packets.iteration.empty())
        {
            continue;
        }
        const fs::path file = GetSampleFile(sample.number, ".json");
        const fs::path result = GetSampleFile(sample.number, ".result.json");
        const std::string identity =
            HashText(m_program + HashFile(file.string()) + ToJson(sample.plan).dump());
        measured.emplace_back(&sample, identity);
        const SampleJson known = fs::exists(result) ? ReadJson(result) : SampleJson();
        if (known.is_object() && known.value("identity", "") == identity)
        {
            continue;
        }
        const auto work = [&sample, file, result, identity] {
            ScenarioRequest request;
            request.scenario = file.string();
            const Scenario scenario = ReadScenario(request);
            TakeRun(sample.number);
            const SampleTimes packets = RunSample(scenario, sample.plan, {});
            const SampleTimes fluid = RunSample(OnFluids(scenario), sample.plan, {});
            const SampleJson json = {{"identity", identity},
                                     {"packets", ToJson(packets)},
                                     {"fluid", ToJson(fluid)}};
            WriteFileSafely(result, json.dump(2) + "\n");
            return 0;
        };
        tasks.emplace_back("sample-" + std::to_string(sample.number), work);
    }
    const bool isFirst = std::all_of(m_samples.begin(), m_samples.end(), [](const auto& sample) {
        return sample.packets.iteration.empty();
    });
    const std::string error = !isFirst && !tasks.empty()
                                  ? ", error so far " + Percent(PredictError()) + ", wanted " +
                                        Percent(m_scenario.sampling.error)
                                  : "";
    if (!tasks.empty() && !RunTasks(tasks, "samples" + error))
    {
        return false;
    }
    for (const auto& [sample, identity] : measured)
    {
        const SampleJson json = ReadJson(GetSampleFile(sample->number, ".result.json"));
        sample->packets = ToTimes(json.at("packets"));
        sample->fluid = ToTimes(json.at("fluid"));
        sample->paced = sample->fluid;
    }
    return true;
}

std::vector<Window>
SampledRun::MakeWindows(SampleTimes Sampled::*fluid) const
{
    std::vector<Window> windows;
    for (const Sampled& sample : m_samples)
    {
        if (sample.packets.iteration.empty())
        {
            continue; // not yet run
        }
        Window window;
        for (const SampleJob& job : sample.plan.jobs)
        {
            const double dear = sample.packets.iteration.at(job.job);
            const double cheap = (sample.*fluid).iteration.at(job.job);
            // Computing takes as long in both.
            const double compute =
                std::min({job.compute, dear * (1 - LEAST_NETWORK), cheap * (1 - LEAST_NETWORK)});
            window.push_back({job.strata, job.weight, dear - compute, cheap - compute});
        }
        windows.push_back(window);
    }
    return windows;
}

/** From the samples to the paces. */
bool
SampledRun::Calibrate()
{
    m_paces = SampledPaces();
    m_paces.Add(RatioEstimator(MakeWindows(&Sampled::fluid)));
    for (uint32_t round = 1; round <= CALIBRATIONS; ++round)
    {
        std::vector<Task> tasks;
        const auto folder = [round](const Sampled& sample) {
            return "paced-" + std::to_string(round) + "-" + std::to_string(sample.number);
        };
        for (Sampled& sample : m_samples)
        {
            const fs::path result = GetScratch() / folder(sample) / "times.json";
            const auto work = [this, &sample, result] {
                ScenarioRequest request;
                request.scenario = GetSampleFile(sample.number, ".json").string();
                std::map<JobId, double> paces;
                for (const SampleJob& job : sample.plan.jobs)
                {
                    paces[job.job] = m_paces.Get(job.strata);
                }
                TakeRun(sample.number);
                const SampleTimes times =
                    RunSample(OnFluids(ReadScenario(request)), sample.plan, paces);
                WriteFileSafely(result, ToJson(times).dump());
                return 0;
            };
            tasks.emplace_back(folder(sample), work);
        }
        if (!RunTasks(tasks, "samples on fluids with the paces found"))
        {
            return false;
        }
        for (Sampled& sample : m_samples)
        {
            sample.paced = ToTimes(ReadJson(GetScratch() / folder(sample) / "times.json"));
        }
        m_paces.Add(RatioEstimator(MakeWindows(&Sampled::paced)));
    }
    return true;
}

/**
 * \return relative half-width of the 95 % interval of the time that all iterations of the last
 *         timeline take: what can be said before it is run again
 */
double
SampledRun::PredictError() const
{
    const RatioEstimator estimator(MakeWindows(&Sampled::paced));
    const auto sum = [&](std::optional<uint32_t> group) {
        double seconds = 0;
        for (const SituationShare& share : m_timeline.shares)
        {
            const double full = estimator.Find(share.strata).ratio;
            const double ratio = group
                                     ? StretchRatio(full,
                                                    estimator.GetRatioWithout(share.strata, *group),
                                                    estimator.GetGroups())
                                     : full;
            seconds += share.compute + (share.seconds - share.compute) * ratio;
        }
        return seconds;
    };
    const double full = sum(std::nullopt);
    std::vector<double> replicates;
    for (uint32_t group = 0; group < estimator.GetGroups(); ++group)
    {
        replicates.push_back(sum(group));
    }
    return GetHalfWidth(StretchedVariance(full, replicates), estimator.GetGroups()) / full;
}

double
SampledRun::CountSampled() const
{
    double sum = 0;
    for (const Sampled& sample : m_samples)
    {
        sum += sample.packets.iterations;
    }
    return sum;
}

bool
SampledRun::Sample()
{
    const SamplingSpec& sampling = m_scenario.sampling;
    PrepareFolder(m_options.folder / "samples");
    std::error_code ignored;
    fs::remove_all(GetScratch(), ignored);
    const SampleQuota pilot{SAMPLE_GROUPS,
                            MOST_WINDOWS,
                            sampling.budget,
                            sampling.budget * PILOT_SHARE};
    if (!RunTimeline({}, pilot) || !MeasureSamples())
    {
        return false;
    }
    if (m_samples.empty())
    {
        return true; // no job did an iteration: there is nothing to correct
    }
    m_paces.Add(RatioEstimator(MakeWindows(&Sampled::fluid)));
    const double left = sampling.budget - CountSampled() / m_timeline.iterations;
    const uint64_t windows =
        PlanWindows(m_samples.size(), PredictError(), PLAN_MARGIN * sampling.error, MOST_WINDOWS) -
        m_samples.size();
    if (!RunTimeline(m_paces, {0, windows, std::max(0.0, left), std::nullopt}) ||
        !MeasureSamples() || !Calibrate())
    {
        return false;
    }
    do
    {
        if (!RunTimeline(m_paces, {}))
        {
            return false;
        }
    } while (m_change > SETTLED && m_rounds < MOST_ROUNDS);
    return true;
}

bool
SampledRun::AddErrors(RunResult& result)
{
    SamplingTotals totals;
    totals.target = m_scenario.sampling.error;
    totals.windows = m_samples.size();
    totals.rounds = m_rounds;
    totals.changed = m_change;
    totals.packetShare = m_timeline.iterations > 0 ? CountSampled() / m_timeline.iterations : 0;
    const uint32_t groups = RatioEstimator(MakeWindows(&Sampled::paced)).GetGroups();
    std::vector<Task> tasks;
    std::vector<std::unique_ptr<TimelineWork>> works;
    for (uint32_t group = 0; group < groups && !m_samples.empty(); ++group)
    {
        const std::string name = "group-" + std::to_string(group + 1);
        works.push_back(std::make_unique<TimelineWork>(m_scenario,
                                                       m_paces.Replicate(group),
                                                       GetScratch() / name));
        tasks.emplace_back(name, [work = works.back().get()] { return work->Run({}, 1); });
    }
    if (!tasks.empty() && !RunTasks(tasks, "the run on fluids, without each group of samples"))
    {
        return false;
    }
    std::map<std::string, std::vector<double>> replicates;
    for (const auto& [name, work] : tasks)
    {
        for (const auto& [metric, value] : RunSummary((GetScratch() / name).string()).metrics)
        {
            replicates[metric].push_back(value);
        }
    }
    for (const auto& [metric, full] : m_timeline.metrics)
    {
        if (replicates[metric].empty())
        {
            continue;
        }
        // A run on packets is itself a draw: as if all its windows, and not just these, were drawn.
        const double variance = StretchedVariance(full, replicates[metric]);
        MetricError error;
        error.sampling = GetHalfWidth(variance, groups);
        error.seed = GetHalfWidth(variance * totals.packetShare, groups);
        error.both = GetHalfWidth(variance * (1 + totals.packetShare), groups);
        totals.metrics[metric] = error;
    }
    const auto mean = m_timeline.metrics.find("jct_s/mean");
    if (mean != m_timeline.metrics.end() && mean->second > 0)
    {
        totals.error = totals.metrics["jct_s/mean"].both / mean->second;
    }
    result.sampling = totals;
    WriteFileSafely(m_options.folder / "samples.csv", FormatSamples());
    LimitSamples();
    for (uint32_t number = m_samples.size() + 1; fs::exists(GetSampleFile(number, ".json")) ||
                                                 fs::exists(GetSampleFile(number, ".result.json"));
         ++number) // of an earlier run that took more
    {
        fs::remove(GetSampleFile(number, ".json"));
        fs::remove(GetSampleFile(number, ".result.json"));
    }
    std::error_code ignored;
    fs::remove_all(GetScratch(), ignored);
    return true;
}

/** Run by itself, a sample ends where it was measured. */
void
SampledRun::LimitSamples() const
{
    for (const Sampled& sample : m_samples)
    {
        const fs::path file = GetSampleFile(sample.number, ".json");
        ScenarioRequest request;
        request.scenario = file.string();
        Scenario scenario = ReadScenario(request);
        scenario.stop.time = Seconds(sample.packets.end) + NanoSeconds(1);
        WriteFileSafely(file, FormatScenario(scenario));
    }
}

std::string
SampledRun::FormatSamples() const
{
    CsvWriter csv("sample,run,situation,cut_s,job,warmup,window,weight,compute_s,packets_s,fluid_s,"
                  "paced_s,stratum,windows,ratio,ratio_half_width,pace,iterations,packets_cpu_s");
    const RatioEstimator estimator(MakeWindows(&Sampled::fluid));
    for (const Sampled& sample : m_samples)
    {
        for (const SampleJob& job : sample.plan.jobs)
        {
            const auto stratum = estimator.Find(job.strata);
            std::vector<double> without;
            for (uint32_t group = 0; group < estimator.GetGroups(); ++group)
            {
                without.push_back(estimator.GetRatioWithout(job.strata, group));
            }
            csv.Cell(uint64_t{sample.number})
                .Cell(RngSeedManager::GetRun() + sample.number)
                .Cell(sample.plan.situation)
                .Cell(sample.plan.cut)
                .Cell(uint64_t{job.job.value})
                .Cell(job.warmup)
                .Cell(job.window)
                .Cell(job.weight)
                .Cell(job.compute)
                .Cell(sample.packets.iteration.at(job.job))
                .Cell(sample.fluid.iteration.at(job.job))
                .Cell(sample.paced.iteration.at(job.job))
                .Cell(stratum.name)
                .Cell(uint64_t{stratum.windows})
                .Cell(stratum.ratio)
                .Cell(
                    GetHalfWidth(JackknifeVariance(stratum.ratio, without), estimator.GetGroups()))
                .Cell(m_paces.Get(job.strata))
                .Cell(sample.packets.iterations)
                .Cell(sample.packets.cpu)
                .EndRow();
        }
    }
    return csv.GetText();
}

} // namespace ns3::ddl
