// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-sampled-run.h"

#include "app/process/ddl-folder.h"
#include "app/process/ddl-process-pool.h"
#include "app/results/ddl-run-summary.h"
#include "app/scenario/ddl-scenario-writer.h"
#include "app/text/ddl-text-file.h"
#include "app/text/ddl-text-table.h"

#include "ns3/ddl-cluster-simulation.h"
#include "ns3/ddl-content-hash.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-result-tables.h"
#include "ns3/ddl-safe-file.h"
#include "ns3/ddl-scenario-reader.h"
#include "ns3/ddl-summary.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <sstream>

namespace ns3::ddl
{

namespace
{

namespace fs = std::filesystem;
using SampleJson = nlohmann::ordered_json;

constexpr uint32_t PILOT_WINDOWS = 2 * SAMPLE_GROUPS;
constexpr double PILOT_SHARE = 0.5;      //!< part of the budget for the pilot
constexpr double PLANNED_SHARE = 0.8;    //!< part of a budget that is planned; jobs run on after it
constexpr uint64_t LONG_WINDOWS = 8;     //!< most long samples
constexpr uint64_t LONG_DRAWS = 64;      //!< most draws that look for long samples
constexpr uint64_t LONG_WARMUP = 300;    //!< longest warm-up of a long sample, iterations
constexpr uint64_t MOST_WINDOWS = 20000; //!< most samples of a run
constexpr uint32_t MOST_ROUNDS = 5;      //!< most timelines before the situations count as found
constexpr double SETTLED = 0.05;         //!< most time in other situations, over all time
constexpr double COVERED = 0.99;         //!< part of the time in new situations that probes cover
constexpr uint32_t OTHERS = 7;           //!< further windows per visit, run on fluids only
constexpr double LEAST_NETWORK = 0.02;   //!< least part of an iteration that is network time
constexpr double LEAST_ERROR = 1e-4; //!< least relative error: samples miss starts of situations
constexpr double LEAST_RATIO = 0.05;
constexpr double MOST_RATIO = 50;
constexpr double PLAN_MARGIN = 0.9;  //!< part of the target error that is planned for
constexpr std::size_t LOG_LINES = 5; // lines of a failed part's log that are shown

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
    return {{"situation", plan.situation},
            {"cut_s", plan.cut},
            {"place", plan.place},
            {"repeats", plan.repeats},
            {"most", plan.most},
            {"long", plan.isLong},
            {"jobs", jobs}};
}

SamplePlan
ToPlan(const SampleJson& json)
{
    SamplePlan plan;
    plan.situation = json.at("situation");
    plan.cut = json.at("cut_s");
    plan.place = json.at("place");
    plan.repeats = json.at("repeats");
    plan.most = json.at("most");
    plan.isLong = json.at("long");
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
ToJson(const std::map<JobId, double>& values)
{
    SampleJson json = SampleJson::object();
    for (const auto& [job, value] : values)
    {
        json[std::to_string(job.value)] = value;
    }
    return json;
}

std::map<JobId, double>
ToValues(const SampleJson& json)
{
    std::map<JobId, double> values;
    for (const auto& [job, value] : json.items())
    {
        values[JobId{static_cast<uint32_t>(std::stoul(job))}] = value;
    }
    return values;
}

SampleJson
ToJson(const SampleTimes& times)
{
    return {{"iteration_s", ToJson(times.iteration)},
            {"step_s", ToJson(times.step)},
            {"iterations", times.iterations},
            {"end_s", times.end},
            {"cpu_s", times.cpu}};
}

SampleTimes
ToTimes(const SampleJson& json)
{
    SampleTimes times;
    times.iteration = ToValues(json.at("iteration_s"));
    times.step = ToValues(json.at("step_s"));
    times.iterations = json.at("iterations");
    times.end = json.at("end_s");
    times.cpu = json.at("cpu_s");
    return times;
}

/** \return the scenario without output that only the real run writes */
Scenario
MakeTimelineScenario(const Scenario& scenario)
{
    Scenario timeline = scenario;
    timeline.output = OutputSpec();
    timeline.output.alone = false;
    timeline.output.figures = false;
    return timeline;
}

Scenario
ReadFile(const fs::path& file)
{
    ScenarioRequest request;
    request.scenario = file.string();
    return ReadScenario(request);
}

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

/** \return hash of a name, the same on all platforms */
uint64_t
HashName(const std::string& name)
{
    return std::stoull(HashText(name), nullptr, 16);
}

/** \return index of the stratum of a job in situations with about as many jobs */
std::size_t
GetKind(const std::vector<std::string>& strata)
{
    return std::min<std::size_t>(1, strata.size() - 1);
}

/** \return a normal random number of mean 0 and variance 1 (Box and Muller), equal everywhere */
double
DrawNormal(std::mt19937_64& random)
{
    const double first = (static_cast<double>(random() >> 11) + 1) * 0x1p-53; // above 0
    const double second = static_cast<double>(random() >> 11) * 0x1p-53;
    return std::sqrt(-2 * std::log(first)) * std::cos(2 * M_PI * second);
}

/** \return number of jobs in a situation, from its name (Situation::name) */
double
CountJobs(const std::string& situation)
{
    std::istringstream words(situation.substr(0, situation.find('|')));
    return static_cast<double>(std::distance(std::istream_iterator<std::string>(words),
                                             std::istream_iterator<std::string>()));
}

std::string
Percent(double share)
{
    return FormatNumber(100 * share, 3) + " %";
}

} // namespace

void
SampledModel::SetRatios(const RatioEstimator& ratios)
{
    m_ratios = ratios;
}

void
SampledModel::SetFluid(const std::string& stratum, double iteration, double compute)
{
    m_fluid[stratum] = {iteration, compute};
}

void
SampledModel::SetIterations(const std::string& stratum, double iterations)
{
    m_iterations[stratum] = iterations;
}

SampledModel
SampledModel::LeaveOut(uint32_t group) const
{
    SampledModel replicate = *this;
    replicate.m_group = group;
    return replicate;
}

SampledModel
SampledModel::DrawOnce(uint64_t seed) const
{
    SampledModel replicate = *this;
    replicate.m_seed = seed;
    return replicate;
}

double
SampledModel::DrawFactor(const std::vector<std::string>& strata) const
{
    const auto stratum = m_ratios->Find(strata);
    const std::string& name = strata[stratum.isPooled ? GetKind(strata) : 0];
    const auto known = m_iterations.find(name);
    const double iterations = known == m_iterations.end() ? 1 : std::max(1.0, known->second);
    std::mt19937_64 random(*m_seed * 0x9e3779b97f4a7c15ULL +
                           (stratum.isPooled ? HashName(name) : ++m_draws));
    return std::exp(std::sqrt(stratum.lasting + stratum.passing / iterations) * DrawNormal(random));
}

double
SampledModel::GetRatio(const std::vector<std::string>& strata) const
{
    const double full = m_ratios->Find(strata).ratio;
    const double ratio =
        m_group
            ? StretchRatio(full, m_ratios->GetRatioWithout(strata, *m_group), m_ratios->GetGroups())
            : full;
    return std::clamp(ratio * (m_seed ? DrawFactor(strata) : 1), LEAST_RATIO, MOST_RATIO);
}

JobPace
SampledModel::Get(const std::vector<std::string>& strata) const
{
    if (!m_ratios)
    {
        return {};
    }
    JobPace wanted{GetRatio(strata), std::nullopt};
    const auto fluid = m_fluid.find(strata.front());
    if (fluid != m_fluid.end())
    {
        const double network = fluid->second.iteration - fluid->second.compute;
        wanted.iteration = fluid->second.compute + wanted.pace * network;
    }
    return wanted;
}

SampledRun::SampledRun(const Scenario& scenario, SampledOptions options)
    : m_scenario(MakeTimelineScenario(scenario)),
      m_options(std::move(options))
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

/** \param other number of a further window of the sample, from 1 */
fs::path
SampledRun::GetOtherFile(uint32_t number, std::size_t other) const
{
    return GetScratch() /
           ("other-" + std::to_string(number) + "-" + std::to_string(other) + ".json");
}

void
SampledRun::Say(const std::string& what) const
{
    if (m_options.report)
    {
        m_options.report(what);
    }
}

/** Run pieces of work, each in its own process, with a log in its own temporary folder. */
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
    if (!isComplete)
    {
        std::error_code ignored;
        fs::remove_all(GetScratch(), ignored); // results of samples are in another folder
    }
    return isComplete;
}

namespace
{

/** A timeline, run in a process of its own: its results and samples are written to a folder. */
class TimelineWork
{
  public:
    TimelineWork(const Scenario& scenario, const SampledModel& model, fs::path folder)
        : m_scenario(scenario),
          m_model(model),
          m_isCorrected(model.IsKnown()),
          m_folder(std::move(folder))
    {
    }

    /** \param quota samples to draw \param seed seed of the draws */
    int Run(const SampleQuota& quota, uint64_t seed) const
    {
        std::unique_ptr<SituationWatch> watch; // outlives the simulation, which reports ends to it
        ClusterSimulation simulation(m_scenario);
        watch = std::make_unique<SituationWatch>(
            simulation.GetTrainingCluster(),
            [this](const auto& strata) { return m_model.Get(strata); });
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
        const double iterations = WriteShares(source);
        if (quota.share > 0)
        {
            DrawSamples(source, quota, iterations, seed);
        }
        if (m_isCorrected)
        {
            SampleLimits limits;
            limits.most = m_scenario.sampling.budget * iterations;
            DrawProbes(source, limits);
        }
        return 0;
    }

  private:
    void DrawSamples(const SampleSource& source,
                     const SampleQuota& quota,
                     double iterations,
                     uint64_t seed) const
    {
        SampleJson plans = SampleJson::array();
        double share = 0;
        SampleLimits limits;
        limits.most = PLANNED_SHARE * m_scenario.sampling.budget * iterations / PILOT_WINDOWS;
        while (plans.size() < quota.most && (plans.size() < quota.least || share < quota.share) &&
               !(quota.pilot && plans.size() >= PILOT_WINDOWS && share >= *quota.pilot))
        {
            const auto drawn = source.Draw(plans.size(), seed, limits, OTHERS);
            if (!drawn)
            {
                break;
            }
            const SamplePlan& plan = drawn->plan;
            double taken = plan.CountIterations();
            if (plan.repeats)
            {
                // Equal samples are run once. A pilot still counts each of them, so that it ends.
                taken = quota.pilot                         ? std::min(taken, limits.most)
                        : quota.known.count(plan.situation) ? 0
                                                            : taken;
            }
            share += taken / iterations;
            if (share > quota.share && plans.size() >= quota.least)
            {
                break;
            }
            AddDrawn(*drawn, plans);
        }
        if (!quota.pilot)
        {
            DrawLong(source, std::max(0.0, quota.share - share) * iterations, seed, plans);
        }
        WriteFileSafely(m_folder / "plans.json", plans.dump());
    }

    /**
     * Draw samples of contending jobs whose warm-up is as long as the visit has lasted. Their
     * number follows from the mean length of several, so that it does not depend on which are drawn
     * first.
     *
     * \param most most iterations that all of them may take
     */
    void DrawLong(const SampleSource& source, double most, uint64_t seed, SampleJson& plans) const
    {
        const SampleLimits limits{most / LEAST_WINDOWS, LONG_WARMUP};
        std::vector<SampleSource::Drawn> found;
        double taken = 0;
        for (uint64_t i = 0; i < LONG_DRAWS && found.size() < LONG_WINDOWS; ++i)
        {
            auto drawn = source.Draw(plans.size() + i, seed, limits, OTHERS);
            if (drawn && IsLong(drawn->plan))
            {
                drawn->plan.isLong = true;
                taken += drawn->plan.CountIterations();
                found.push_back(std::move(*drawn));
            }
        }
        const double mean = taken / std::max<double>(1, found.size());
        for (std::size_t i = 0; i < found.size() && (i + 1) * mean <= most; ++i)
        {
            AddDrawn(found[i], plans);
        }
    }

    /** \return true if several jobs are measured, with the whole warm-up and window */
    bool IsLong(const SamplePlan& plan) const
    {
        const SamplingSpec& sampling = m_scenario.sampling;
        return plan.jobs.size() > 1 &&
               std::all_of(plan.jobs.begin(), plan.jobs.end(), [&sampling](const auto& job) {
                   return job.warmup >= sampling.warmup && job.window >= sampling.window;
               });
    }

    void AddDrawn(const SampleSource::Drawn& drawn, SampleJson& plans) const
    {
        const std::string name = std::to_string(plans.size() + 1);
        SampleJson others = SampleJson::array();
        for (const auto& other : drawn.others)
        {
            others.push_back(ToJson(other.plan));
            WriteFileSafely(m_folder / (name + "-" + std::to_string(others.size()) + ".json"),
                            FormatScenario(other.scenario));
        }
        plans.push_back({{"plan", ToJson(drawn.plan)}, {"others", others}});
        WriteFileSafely(m_folder / (name + ".json"), FormatScenario(drawn.scenario));
    }

    /** Write samples of the situations whose iterations on fluids the model does not know. */
    void DrawProbes(const SampleSource& source, const SampleLimits& limits) const
    {
        SampleJson plans = SampleJson::array();
        const auto isKnown = [this](const std::string& stratum) { return m_model.Knows(stratum); };
        const double covered = HasOtherWaits(m_scenario) ? 0 : COVERED; // no lengths are wanted
        for (const auto& drawn : source.DrawEach(isKnown, covered, limits))
        {
            plans.push_back(ToJson(drawn.plan));
            WriteFileSafely(m_folder / ("probe-" + std::to_string(plans.size()) + ".json"),
                            FormatScenario(drawn.scenario));
        }
        WriteFileSafely(m_folder / "probes.json", plans.dump());
    }

    /** Write the shares of situations. \return number of iterations of all jobs */
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
                              {"compute", share.compute},
                              {"visits", share.visits}});
            iterations += share.iterations;
        }
        WriteFileSafely(m_folder / "shares.json", shares.dump());
        return iterations;
    }

    const Scenario& m_scenario;
    SampledModel m_model;
    bool m_isCorrected; //!< false: the timeline itself shows lengths on fluids
    fs::path m_folder;
};

} // namespace

bool
SampledRun::RunTimeline(const SampledModel& model, const SampleQuota& quota)
{
    const std::string name = "timeline-" + std::to_string(++m_rounds);
    const fs::path folder = GetScratch() / name;
    const uint64_t seed = m_scenario.sampling.seed + (uint64_t{m_rounds} << 32);
    const TimelineWork work(m_scenario, model, folder);
    const Task task{name, [&work, &quota, seed] { return work.Run(quota, seed); }};
    if (!RunTasks({task}, "the run on fluids, round " + std::to_string(m_rounds)))
    {
        return false;
    }
    const Timeline before = std::move(m_timeline);
    m_timeline = ReadTimeline(folder);
    m_change = CompareShares(before);
    if (quota.share > 0)
    {
        TakeDrawn(folder);
    }
    return m_rounds == 1 || MeasureProbes(folder);
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
        share.visits = each.at("visits");
        timeline.iterations += share.iterations;
        timeline.shares.push_back(share);
    }
    return timeline;
}

/** Add the samples that a timeline has drawn, with consecutive numbers. */
void
SampledRun::TakeDrawn(const fs::path& folder)
{
    uint32_t drawn = 0;
    for (const auto& each : ReadJson(folder / "plans.json"))
    {
        Sampled sample;
        sample.number = static_cast<uint32_t>(m_samples.size()) + 1;
        sample.plan = ToPlan(each.at("plan"));
        const std::string name = std::to_string(++drawn);
        fs::copy_file(folder / (name + ".json"),
                      GetSampleFile(sample.number, ".json"),
                      fs::copy_options::overwrite_existing);
        for (const auto& other : each.at("others"))
        {
            sample.others.push_back(ToPlan(other));
            const std::size_t count = sample.others.size();
            fs::rename(folder / (name + "-" + std::to_string(count) + ".json"),
                       GetOtherFile(sample.number, count));
        }
        m_samples.push_back(sample);
    }
}

/** \return part of the time that the last timeline spends in other situations than \p before */
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

/** Run the new samples on packets and on fluids, or take their results from an earlier run. */
bool
SampledRun::MeasureSamples()
{
    std::vector<Task> tasks;
    std::vector<std::pair<Sampled*, std::string>> measured; // samples with their identities
    for (Sampled& sample : m_samples)
    {
        if (!sample.packets.iteration.empty() || FindFirst(sample) != &sample)
        {
            continue;
        }
        const fs::path file = GetSampleFile(sample.number, ".json");
        const fs::path result = GetSampleFile(sample.number, ".result.json");
        std::string text = m_options.program + HashFile(file.string()) + ToJson(sample.plan).dump();
        for (std::size_t i = 1; i <= sample.others.size(); ++i)
        {
            text += HashFile(GetOtherFile(sample.number, i).string()) +
                    ToJson(sample.others[i - 1]).dump();
        }
        const std::string identity = HashText(text);
        measured.emplace_back(&sample, identity);
        const SampleJson known = fs::exists(result) ? ReadJson(result) : SampleJson();
        if (known.is_object() && known.value("identity", "") == identity)
        {
            continue;
        }
        const auto work = [this, &sample, file, result, identity] {
            const Scenario scenario = ReadFile(file);
            TakeRun(sample.number);
            const SampleTimes packets = RunSample(scenario, sample.plan);
            const SampleTimes fluid = RunSample(OnFluids(scenario), sample.plan);
            std::map<JobId, std::vector<double>> all; // of windows on fluids
            const auto add = [&all](const SampleTimes& times) {
                for (const auto& [job, seconds] : times.iteration)
                {
                    all[job].push_back(seconds);
                }
            };
            add(fluid);
            for (std::size_t i = 0; i < sample.others.size(); ++i)
            {
                TakeRun(MOST_WINDOWS);
                add(RunSample(OnFluids(ReadFile(GetOtherFile(sample.number, i + 1))),
                              sample.others[i]));
            }
            std::map<JobId, double> expected;
            for (const auto& [job, seconds] : all)
            {
                expected[job] = std::accumulate(seconds.begin(), seconds.end(), 0.0) /
                                static_cast<double>(seconds.size());
            }
            const SampleJson json = {{"identity", identity},
                                     {"packets", ToJson(packets)},
                                     {"fluid", ToJson(fluid)},
                                     {"expected_s", ToJson(expected)}};
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
        sample->expected = ToValues(json.at("expected_s"));
    }
    for (Sampled& sample : m_samples)
    {
        if (sample.packets.iteration.empty())
        {
            CopyFirst(sample);
        }
    }
    return true;
}

/** \return the first sample that is equal to this one, itself if there is none before it */
const SampledRun::Sampled*
SampledRun::FindFirst(const Sampled& sample) const
{
    return &*std::find_if(m_samples.begin(), m_samples.end(), [&sample](const Sampled& other) {
        return &other == &sample || (sample.plan.repeats && other.plan.repeats &&
                                     other.plan.situation == sample.plan.situation);
    });
}

/** Copy the result of the first equal sample, which has been run. */
void
SampledRun::CopyFirst(Sampled& sample) const
{
    const Sampled& first = *FindFirst(sample);
    for (std::size_t i = 0; i < sample.plan.jobs.size(); ++i)
    {
        sample.plan.jobs[i].warmup = first.plan.jobs[i].warmup;
        sample.plan.jobs[i].window = first.plan.jobs[i].window;
    }
    sample.packets = first.packets;
    sample.fluid = first.fluid;
    sample.expected = first.expected;
    sample.packets.iterations = 0;
    sample.packets.cpu = 0;
}

std::vector<Window>
SampledRun::MakeWindows() const
{
    std::vector<const Sampled*> sorted;
    for (const Sampled& sample : m_samples)
    {
        if (!sample.packets.iteration.empty()) // empty: not run yet
        {
            sorted.push_back(&sample);
        }
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const Sampled* a, const Sampled* b) {
        return a->plan.place < b->plan.place;
    });
    std::vector<Window> windows;
    for (const Sampled* each : sorted)
    {
        const Sampled& sample = *each;
        Window window;
        for (const SampleJob& job : sample.plan.jobs)
        {
            if (!sample.HasMeasured(job.job))
            {
                continue;
            }
            const double dear = sample.packets.iteration.at(job.job);
            const double cheap = sample.fluid.iteration.at(job.job);
            const double expected = sample.expected.at(job.job);
            // Computing takes the same time on packets and on fluids.
            const double compute =
                std::min(job.compute, std::min({dear, cheap, expected}) * (1 - LEAST_NETWORK));
            window.push_back({job.strata,
                              job.weight,
                              dear - compute,
                              cheap - compute,
                              expected - compute,
                              sample.packets.step.at(job.job),
                              sample.fluid.step.at(job.job),
                              static_cast<double>(job.window),
                              sample.plan.isLong});
        }
        windows.push_back(window);
    }
    return windows;
}

/** Run on fluids the situations that no earlier timeline had. */
bool
SampledRun::MeasureProbes(const fs::path& folder)
{
    std::vector<Task> tasks;
    std::vector<Sampled> probes;
    for (const auto& plan : ReadJson(folder / "probes.json"))
    {
        Sampled probe;
        probe.number = static_cast<uint32_t>(probes.size()) + 1;
        probe.plan = ToPlan(plan);
        probes.push_back(probe);
    }
    const auto name = [&folder](const Sampled& probe) {
        return folder.filename().string() + "-probe-" + std::to_string(probe.number);
    };
    for (const Sampled& probe : probes)
    {
        const auto work = [this, &probe, folder, name] {
            const fs::path file = folder / ("probe-" + std::to_string(probe.number) + ".json");
            const SampleTimes times = RunSample(OnFluids(ReadFile(file)), probe.plan);
            WriteFileSafely(GetScratch() / name(probe) / "times.json", ToJson(times).dump());
            return 0;
        };
        tasks.emplace_back(name(probe), work);
    }
    if (!tasks.empty() && !RunTasks(tasks, "situations on fluids"))
    {
        return false;
    }
    for (Sampled& probe : probes)
    {
        probe.fluid = ToTimes(ReadJson(GetScratch() / name(probe) / "times.json"));
        m_probes.push_back(probe);
    }
    return true;
}

/** Make the model anew from all samples, probes and the first timeline. */
void
SampledRun::UpdateModel()
{
    m_model = SampledModel();
    const RatioEstimator estimator(MakeWindows());
    m_model.SetRatios(estimator);
    const auto add = [this](const std::string& stratum, double iteration, double compute) {
        m_model.SetFluid(stratum, iteration, std::min(compute, iteration * (1 - LEAST_NETWORK)));
    };
    for (const Sampled& probe : m_probes)
    {
        for (const SampleJob& job : probe.plan.jobs)
        {
            const auto iteration = probe.fluid.iteration.find(job.job);
            if (iteration != probe.fluid.iteration.end())
            {
                add(job.strata.front(), iteration->second, job.compute);
            }
        }
    }
    std::map<std::string, double> ofKind;
    for (const SituationShare& share : m_timeline.shares)
    {
        m_model.SetIterations(share.strata.front(),
                              share.iterations / std::max(1.0, double(share.visits)));
        if (estimator.Find(share.strata).isPooled)
        {
            ofKind[share.strata[GetKind(share.strata)]] += share.iterations;
        }
    }
    for (const auto& [kind, iterations] : ofKind)
    {
        m_model.SetIterations(kind, iterations);
    }
    for (const SituationShare& share : m_plain)
    {
        if (share.iterations > 0 && !HasOtherWaits(m_scenario))
        {
            add(share.strata.front(),
                share.seconds / share.iterations,
                share.compute / share.iterations);
        }
    }
}

/**
 * \return relative half-width of the 95 % interval of the time that all iterations of the last
 *         timeline take together, as the model predicts it without a further timeline
 */
double
SampledRun::PredictError() const
{
    const RatioEstimator estimator(MakeWindows());
    SampledModel model = m_model;
    model.SetRatios(estimator);
    const auto sum = [&](const SampledModel& with) {
        double seconds = 0;
        for (const SituationShare& share : m_timeline.shares)
        {
            const JobPace wanted = with.Get(share.strata);
            seconds += wanted.iteration
                           ? share.iterations * *wanted.iteration
                           : share.compute + (share.seconds - share.compute) * wanted.pace;
        }
        return seconds;
    };
    const double full = sum(model);
    std::vector<double> replicates;
    for (uint32_t group = 0; group < estimator.GetGroups(); ++group)
    {
        replicates.push_back(sum(model.LeaveOut(group)));
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

/**
 * \return CPU seconds that the last timeline would take on packets. Samples that are not long were
 *         drawn by time, so each stands for the same time of jobs
 */
double
SampledRun::EstimatePacketsCpu() const
{
    double seconds = 0; // seconds of all jobs in the timeline
    for (const SituationShare& share : m_timeline.shares)
    {
        seconds += share.seconds;
    }
    double cost = 0; // sum over samples of CPU seconds per second of jobs
    double counted = 0;
    for (const Sampled& sample : m_samples)
    {
        const Sampled& run = *FindFirst(sample); // the equal sample that was run
        if (!sample.plan.isLong && run.packets.end > 0)
        {
            cost += run.packets.cpu / (run.packets.end * CountJobs(sample.plan.situation));
            ++counted;
        }
    }
    return counted > 0 ? cost / counted * seconds : 0;
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
    m_plain = m_timeline.shares;
    if (m_samples.empty())
    {
        return true; // no job did an iteration, so there is nothing to correct
    }
    UpdateModel();
    const double left = sampling.budget - CountSampled() / m_timeline.iterations;
    const uint64_t windows =
        PlanWindows(m_samples.size(), PredictError(), PLAN_MARGIN * sampling.error, MOST_WINDOWS) -
        m_samples.size();
    SampleQuota rest{0, windows, std::max(0.0, PLANNED_SHARE * left), std::nullopt};
    for (const Sampled& sample : m_samples)
    {
        if (sample.plan.repeats)
        {
            rest.known.insert(sample.plan.situation);
        }
    }
    if (!RunTimeline(m_model, rest) || !MeasureSamples())
    {
        return false;
    }
    do
    {
        UpdateModel();
        if (!RunTimeline(m_model, {}))
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
    totals.packetsCpuSeconds = EstimatePacketsCpu();
    const uint32_t groups = RatioEstimator(MakeWindows()).GetGroups();
    std::vector<Task> tasks;
    std::vector<std::unique_ptr<TimelineWork>> works;
    const auto add = [&](const std::string& kind, const SampledModel& model) {
        const std::string name = kind + std::to_string(tasks.size() + 1);
        works.push_back(std::make_unique<TimelineWork>(m_scenario, model, GetScratch() / name));
        tasks.emplace_back(name, [work = works.back().get()] { return work->Run({}, 1); });
    };
    for (uint32_t group = 0; group < groups && !m_samples.empty(); ++group)
    {
        add("group-", m_model.LeaveOut(group));
    }
    for (uint32_t draw = 0; draw < groups && !m_samples.empty(); ++draw)
    {
        add("draw-", m_model.DrawOnce(m_scenario.sampling.seed + draw));
    }
    if (!tasks.empty() && !RunTasks(tasks, "the run on fluids, for its error"))
    {
        return false;
    }
    std::map<std::string, std::vector<double>> sampling;
    std::map<std::string, std::vector<double>> seed;
    for (std::size_t i = 0; i < tasks.size(); ++i)
    {
        const RunSummary summary((GetScratch() / tasks[i].first).string());
        for (const auto& [metric, value] : summary.metrics)
        {
            (i < groups ? sampling : seed)[metric].push_back(value);
        }
    }
    for (const auto& [metric, full] : m_timeline.metrics)
    {
        if (sampling[metric].empty() || seed[metric].empty())
        {
            continue;
        }
        const double drawn = StretchedVariance(full, seed[metric]);
        const double looked = StretchedVariance(full, sampling[metric]);
        // The draws are compared with a number that is not estimated from them.
        const VarianceEstimate sampled{looked, groups - 1.0};
        const VarianceEstimate random{drawn, static_cast<double>(groups)};
        totals.metrics[metric] = {
            GetHalfWidth({sampled}),
            GetHalfWidth({random}),
            std::max(GetHalfWidth({sampled, random}), LEAST_ERROR * std::abs(full))};
    }
    const auto mean = m_timeline.metrics.find("jct_s/mean");
    if (mean != m_timeline.metrics.end() && mean->second > 0)
    {
        totals.error = totals.metrics["jct_s/mean"].both / mean->second;
    }
    result.sampling = totals;
    const auto& table = Table<SampleRow>::Find();
    WriteFileSafely(m_options.folder / table.GetFile(), table.Format(ListRows()));
    LimitSamples();
    for (uint32_t number = m_samples.size() + 1; fs::exists(GetSampleFile(number, ".json")) ||
                                                 fs::exists(GetSampleFile(number, ".result.json"));
         ++number) // left by a run with more samples
    {
        fs::remove(GetSampleFile(number, ".json"));
        fs::remove(GetSampleFile(number, ".result.json"));
    }
    std::error_code ignored;
    fs::remove_all(GetScratch(), ignored);
    return true;
}

/** Set the stop times of the samples' files to the times when the samples ended. */
void
SampledRun::LimitSamples() const
{
    for (const Sampled& sample : m_samples)
    {
        const fs::path file = GetSampleFile(sample.number, ".json");
        Scenario scenario = ReadFile(file);
        scenario.stop.time = Seconds(sample.packets.end) + NanoSeconds(1);
        WriteFileSafely(file, FormatScenario(scenario));
    }
}

std::vector<SampleRow>
SampledRun::ListRows() const
{
    std::vector<SampleRow> rows;
    const RatioEstimator estimator(MakeWindows());
    for (const Sampled& sample : m_samples)
    {
        for (const SampleJob& job : sample.plan.jobs)
        {
            if (!sample.HasMeasured(job.job))
            {
                continue;
            }
            const auto stratum = estimator.Find(job.strata);
            std::vector<double> without;
            for (uint32_t group = 0; group < estimator.GetGroups(); ++group)
            {
                without.push_back(estimator.GetRatioWithout(job.strata, group));
            }
            rows.push_back(
                {sample.number,
                 RngSeedManager::GetRun() + sample.number,
                 sample.plan.situation,
                 sample.plan.cut,
                 sample.plan.isLong,
                 job.job,
                 job.warmup,
                 job.window,
                 job.weight,
                 job.compute,
                 sample.packets.iteration.at(job.job),
                 sample.fluid.iteration.at(job.job),
                 sample.expected.at(job.job),
                 stratum.name,
                 stratum.windows,
                 stratum.ratio,
                 GetHalfWidth(JackknifeVariance(stratum.ratio, without), estimator.GetGroups()),
                 m_model.Get(job.strata).iteration,
                 sample.packets.iterations,
                 sample.packets.cpu});
        }
    }
    return rows;
}

} // namespace ns3::ddl
