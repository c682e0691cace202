// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-forecast.h"

#include "app/scenario/ddl-alone-scenario.h"
#include "app/scenario/ddl-scenario-writer.h"
#include "app/text/ddl-text-table.h"

#include "ns3/ddl-policy.h"
#include "ns3/ddl-task-graph.h"
#include "ns3/ddl-topology.h"
#include "ns3/ddl-training-job.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <memory>
#include <set>
#include <sstream>
#include <thread>
#include <utility>

namespace ns3::ddl
{

namespace
{

/** Most jobs of a trial whose runs alone are told apart. A choice: each is written out as the text
 * of a scenario, and 200 show how often a new job needs a new run. */
constexpr std::size_t MOST_JOBS = 200;
/** Part of the time until a deadline for the trial of the run. A choice: more than half, as the
 * costs of runs alone follow from it, too. */
constexpr double RUN_SHARE = 0.6;
/** Part of the time left then for each trial of a run alone. There are two: the second one gets 0.4
 * of the rest, and what remains is for their ends, which no alarm cuts short. */
constexpr double ALONE_SHARE = 0.4;
/** CPU time of the process of a run, besides its simulation: it starts, reads and writes. `ddl run`
 * of one short iteration takes 0.03 to 0.07 s. */
constexpr double PROCESS_SECONDS = 0.03;

constexpr double MOST_OF_UNIT = 90; //!< a larger unit would have one digit up to 1.5 of it

/** \return the number, rounded down, at most 2^64 - 1 */
uint64_t
Saturate(long double number)
{
    return number < static_cast<long double>(std::numeric_limits<uint64_t>::max())
               ? static_cast<uint64_t>(number)
               : std::numeric_limits<uint64_t>::max();
}

/**
 * \param placed the first jobs of the run
 * \return number of alone runs that all jobs need. Equal jobs share a run; jobs after the trial are
 *         assumed to need new runs as often as those of its second half
 */
double
CountJobRuns(const Scenario& scenario, const Survey& survey, const std::vector<PlacedJob>& placed)
{
    const JobsAlone maker(scenario);
    const std::size_t count = std::min(placed.size(), MOST_JOBS);
    std::set<std::string> different;
    std::size_t inFirstHalf = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto& [job, placement] = placed[i];
        const auto found = survey.iterations.find(job.id);
        const uint64_t iterations = found == survey.iterations.end() ? 1 : found->second;
        different.insert(FormatScenario(maker.Make(job, placement, iterations)));
        inFirstHalf = i < count / 2 ? different.size() : inFirstHalf;
    }
    const double rest = static_cast<double>(survey.totals.jobs) - static_cast<double>(count);
    const double news = count == 0 ? 1
                                   : static_cast<double>(different.size() - inFirstHalf) /
                                         static_cast<double>(count - count / 2);
    return static_cast<double>(different.size()) + std::max(0.0, rest) * news;
}

/**
 * Forecast the alone runs: one for each cojob, and one for each of its jobs.
 *
 * \param run trial of the scenario itself
 * \return CPU seconds of all runs alone; none if their trials did no work
 */
std::optional<double>
ForecastAlone(const Scenario& scenario,
              const Survey& survey,
              const Trial& run,
              WorkTable& table,
              const TrialBudget& budget)
{
    long double build = 0;
    long double seconds = 0;
    long double work = 0;
    for (const CojobSpec& group : survey.examples)
    {
        std::map<JobId, uint64_t> ignored;
        const auto own = static_cast<double>(CountGroup(group, table, ignored).work);
        const Trial trial = TryOut(
            {MakeAlone(scenario, group), true, own, budget.alone, budget.deadline, ALONE_SHARE},
            table,
            {});
        build += (trial.buildSeconds + PROCESS_SECONDS) / survey.examples.size();
        seconds += trial.runSeconds;
        work += own * trial.share;
    }
    if (work == 0 && survey.totals.work > 0)
    {
        return std::nullopt;
    }
    const long double price = work > 0 ? seconds / work : 0;
    const WorkTotals& all = survey.totals;
    const double runs = CountJobRuns(scenario, survey, run.jobs);
    const double leaving = run.GetAtEnd(run.left / static_cast<double>(all.jobs));
    return static_cast<double>((all.cojobs + runs) * build +
                               (all.work * runs / all.jobs + all.cojobWork) * price) *
           leaving;
}

/** Complete a forecast by what a trial of the run shows. */
void
TakeTrial(const Trial& trial, const Scenario& scenario, CostForecast& costs)
{
    costs.share = trial.share;
    costs.done = trial.GetAtEnd(trial.done);
    if (trial.isCut)
    {
        costs.stop = !trial.reason.empty() ? trial.reason
                     : scenario.stop.time  ? "the simulated time is up (stop.time)"
                                           : "nothing more happens";
    }
    if (!trial.jobs.empty())
    {
        costs.networkShare = trial.bytes > 0 ? trial.networkBytes / trial.bytes : 0;
    }
    if (trial.share > 0)
    {
        costs.cpuSeconds = PROCESS_SECONDS + trial.GetWhole();
        costs.packetHops = trial.packetHops / trial.share;
    }
    else
    {
        costs.unseen.emplace_back(
            "what the run and the runs alone cost: in its time, the trial did no work of jobs");
    }
}

/** \return text of a duration: "0.3 s", "12 minutes", "3.1 hours" */
std::string
FormatDuration(double seconds)
{
    return seconds < MOST_OF_UNIT        ? FormatNumber(seconds, seconds < 1 ? 3 : 2) + " s"
           : seconds < 60 * MOST_OF_UNIT ? FormatNumber(seconds / 60, 2) + " minutes"
                                         : FormatNumber(seconds / 3600, 2) + " hours";
}

std::string
DescribeTraffic(const Forecast& forecast, const CostForecast& costs)
{
    const double bytes = static_cast<double>(forecast.bytes) * costs.done;
    const auto messages = static_cast<double>(forecast.messages) * costs.done;
    std::string text = costs.done < 1 ? "until the run ends about " : "";
    text += FormatNumber(bytes / 1e6) + " MB in " +
            std::to_string(costs.done < 1 ? Saturate(std::ceil(messages)) : forecast.messages) +
            " messages";
    if (!costs.networkShare)
    {
        return text + "; how much of it crosses the network is not known";
    }
    text += std::string(", of which ") + (forecast.usesRounds ? "at most " : "") +
            FormatNumber(bytes * *costs.networkShare / 1e6) + " MB cross the network";
    if (!forecast.hasPackets)
    {
        return text + " as fluids, no packets";
    }
    return costs.packetHops > 0
               ? text + ", about " + FormatNumber(costs.packetHops, 2) + " packet-hops"
           : costs.share == 1 ? text + ", no packet"
                              : text;
}

/** \return a text on the cost of the run, and of the alone runs, as far as they are known */
std::string
DescribeCosts(const CostForecast& costs)
{
    if (!costs.cpuSeconds)
    {
        return "not known";
    }
    const double percent = 100 * costs.share;
    const std::string by = " (by a trial of " +
                           (percent < 0.1 ? "less than 0.1" : FormatNumber(percent, 2)) +
                           " % of the work)";
    const std::string run = FormatDuration(*costs.cpuSeconds) + " of CPU time for the run, ";
    if (!costs.aloneCpuSeconds)
    {
        return run + "not known for the runs alone" + by;
    }
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    return run + FormatDuration(*costs.aloneCpuSeconds) + " for the runs alone: " +
           FormatDuration(*costs.cpuSeconds + *costs.aloneCpuSeconds / cores) + " on " +
           std::to_string(cores) + " cores" + by;
}

/** \return " in 4 servers and 2 racks" if some chassis have several hosts, else "" */
std::string
DescribeServers(const Forecast& forecast)
{
    return forecast.servers == forecast.hosts
               ? ""
               : " in " + std::to_string(forecast.servers) + " servers and " +
                     std::to_string(forecast.racks) + " racks";
}

/** \return "leaf 2:1, ...": for each level of switches, the ratio of bandwidth below to above */
std::string
DescribeUplinks(const Forecast& forecast)
{
    std::ostringstream text;
    text << std::setprecision(3);
    for (const Oversubscription& level : forecast.uplinks)
    {
        text << (text.tellp() > 0 ? ", " : "") << level.level << " " << level.ratio << ":1";
    }
    return text.str();
}

/** Count the task graphs of the jobs, those that jobs share once. */
void
CountGraphs(const WorkloadSample& work, Forecast& forecast)
{
    std::set<std::shared_ptr<const TaskGraph>> graphs; // keeps them, so that they are made once
    for (const CojobSpec& group : work.GetGroups())
    {
        for (const JobSpec& job : group.jobs)
        {
            graphs.insert(TrainingJob::Of(job.kind)->GetGraph(job));
        }
    }
    graphs.erase(nullptr);
    forecast.graphs = graphs.size();
    for (const auto& graph : graphs)
    {
        forecast.graphRanks += graph->ranks.size();
        forecast.graphBytes += CountGraphMemory(*graph);
        for (const RankGraph& rank : graph->ranks)
        {
            forecast.graphNodes += rank.program->nodes.size();
        }
    }
}

/** \return "41 MB of memory, 860 kB per rank, 34 B per node" */
std::string
DescribeGraphMemory(const Forecast& forecast)
{
    const auto bytes = static_cast<double>(forecast.graphBytes);
    const auto per = [bytes](uint64_t count) {
        return FormatSize(bytes / static_cast<double>(std::max<uint64_t>(count, 1)));
    };
    return std::to_string(forecast.graphs) + " task graphs, " +
           std::to_string(forecast.graphRanks) + " ranks, " + std::to_string(forecast.graphNodes) +
           " nodes: " + FormatSize(bytes) + " of memory, " + per(forecast.graphRanks) +
           " per rank, " + per(forecast.graphNodes) + " per node";
}

} // namespace

Forecast
MakeForecast(const WorkloadSample& work)
{
    const Scenario& scenario = work.GetScaled();
    const TopologySpec& topology = scenario.cluster.topology;
    Forecast forecast;
    forecast.hosts = static_cast<uint32_t>(CountHosts(topology));
    const std::vector<Place> places = ListPlaces(topology);
    forecast.servers = 1 + places.back().server;
    forecast.racks = 1 + places.back().rack;
    forecast.uplinks = ListOversubscriptions(topology);
    forecast.switches = CountSwitches(topology);
    forecast.cables = static_cast<uint32_t>(ListCables(topology).size());
    forecast.gpus = static_cast<uint32_t>(CountGpus(scenario.cluster));
    forecast.hasPackets = HasPackets(scenario);
    forecast.usesRounds = UsesRounds(scenario);
    WorkTable table(forecast.hasPackets);
    const Survey survey = SurveyWorkload(work, table);
    forecast.isSampled = work.GetFactor() > 1;
    forecast.cojobs = Saturate(survey.totals.cojobs);
    forecast.jobs = Saturate(survey.totals.jobs);
    forecast.stages = Saturate(survey.totals.stages);
    forecast.iterations = Saturate(survey.totals.iterations);
    forecast.bytes = Saturate(survey.totals.bytes);
    forecast.messages = Saturate(survey.totals.messages);
    CountGraphs(work, forecast);
    return forecast;
}

CostForecast
TryCosts(const WorkloadSample& work, const TrialBudget& budget, const CostListener& listener)
{
    const Scenario& scenario = work.GetScaled();
    CostForecast costs;
    const auto tell = [&listener](CostForecast soFar, const std::string& unseen) {
        if (listener)
        {
            soFar.unseen.push_back(unseen);
            listener(soFar);
        }
    };
    if (work.IsTrialPart())
    {
        costs.unseen.push_back("the trial had the first " +
                               std::to_string(work.GetGroups().size()) +
                               " arrivals only; what it costs that more jobs wait is not in it");
    }
    if (scenario.fidelity == Fidelity::SAMPLED)
    {
        costs.unseen.emplace_back("what the samples on packets cost");
    }
    tell(costs, "the trial did not end in time: the network was still being built");
    WorkTable table(HasPackets(scenario));
    const Survey survey = SurveyWorkload(work, table);
    const auto all = static_cast<double>(survey.totals.work);
    const Trial trial = TryOut(
        {work.MakeTrial(), !work.IsTrialPart(), all, budget.run, budget.deadline, RUN_SHARE},
        table,
        [&](const Trial& soFar) {
            CostForecast known = costs;
            TakeTrial(soFar, scenario, known);
            tell(known,
                 "the trial did not end in time: what came behind this part of the run took long, "
                 "perhaps within one event (a policy that plans), or at the end of the run");
        });
    TakeTrial(trial, scenario, costs);
    if (!scenario.output.alone)
    {
        costs.aloneCpuSeconds = 0;
        return costs;
    }
    tell(costs, "the trial of the runs alone did not end in time");
    if (!costs.cpuSeconds)
    {
        return costs; // TakeTrial has noted the reason
    }
    costs.aloneCpuSeconds = ForecastAlone(scenario, survey, trial, table, budget);
    if (!costs.aloneCpuSeconds)
    {
        costs.unseen.emplace_back(
            "what the runs alone cost: in their time, their trials did no work of jobs");
    }
    return costs;
}

void
PrintForecast(std::ostream& os,
              const Scenario& scenario,
              const Forecast& forecast,
              const CostForecast& costs)
{
    const char* about = forecast.isSampled ? "about " : "";
    os << scenario.name << (scenario.description.empty() ? "" : ": ") << scenario.description
       << "\n"
       << "topology: "
       << GetShortName(Topology::GetTypeId(), scenario.cluster.topology.shape.GetTypeId()) << ", "
       << forecast.hosts << " hosts with " << forecast.gpus << " GPUs" << DescribeServers(forecast)
       << ", " << forecast.switches << " switches, " << forecast.cables << " links\n";
    if (!forecast.uplinks.empty())
    {
        os << "uplinks:  " << DescribeUplinks(forecast)
           << " (oversubscription: rates below a switch to rates above it)\n";
    }
    os << "work:     " << about << forecast.cojobs << " cojobs, " << forecast.jobs << " jobs, "
       << forecast.stages << " stages, " << forecast.iterations << " iterations of jobs\n"
       << "traffic:  " << about << DescribeTraffic(forecast, costs) << "\n"
       << (forecast.graphs == 0 ? "" : "graphs:   " + DescribeGraphMemory(forecast) + "\n")
       << (costs.stop.empty() ? "" : "end:      with work left: " + costs.stop + "\n")
       << "scale:    model " << FormatNumber(scenario.scale.model) << ", iterations "
       << FormatNumber(scenario.scale.iterations) << " (applied above)\n"
       << "expected: " << DescribeCosts(costs) << "\n";
    for (const std::string& sentence : costs.unseen)
    {
        os << "unseen:   " << sentence << "\n";
    }
}

} // namespace ns3::ddl
