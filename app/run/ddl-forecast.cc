// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-forecast.h"

#include "app/scenario/ddl-scenario-parts.h"
#include "app/text/ddl-text-table.h"
#include "ddl-trial.h"

#include "ns3/ddl-network-scheduler.h"
#include "ns3/ddl-scenario.h"
#include "ns3/ddl-search-algorithm.h"
#include "ns3/ddl-transport.h"
#include "ns3/ddl-workload-source.h"

#include <algorithm>
#include <numeric>
#include <thread>

namespace ns3
{
namespace ddl
{

namespace
{

constexpr uint64_t MOST_GROUPS = 20000;  //!< of a generator or a trace that are counted
constexpr double PROCESS_SECONDS = 0.03; //!< CPU time of a program that starts, reads and writes

uint32_t
CountSwitches(const TopologySpec& topology)
{
    if (topology.kind == "leaf-spine")
    {
        return topology.leaves + topology.spines;
    }
    return topology.kind == "dumbbell" ? 2 : 1;
}

/** \return the nearest whole number, 2^64 - 1 if it is more */
uint64_t
Saturate(long double number)
{
    return number < static_cast<long double>(MAX_UNSIGNED) ? static_cast<uint64_t>(number)
                                                           : MAX_UNSIGNED;
}

bool
HasPackets(const Scenario& scenario)
{
    return scenario.transport.Create<Transport>()->HasPackets();
}

/** What a workload comes to; real numbers, as parts of it may be scaled up. */
struct Totals
{
    long double cojobs{0};
    long double jobs{0};
    long double stages{0};
    long double iterations{0};
    long double bytes{0};
    long double messages{0};
    long double work{0};      //!< by the table
    long double cojobWork{0}; //!< of cojobs, which run alone as a whole, too

    void Add(const CojobSpec& group, WorkTable& table)
    {
        const auto last = PlanLastStages(group);
        cojobs += group.plain ? 0 : 1;
        jobs += group.jobs.size();
        stages += *std::max_element(last.begin(), last.end());
        for (std::size_t i = 0; i < group.jobs.size(); ++i)
        {
            const long double rounds = std::accumulate(group.iterations.begin(),
                                                       group.iterations.begin() + last[i],
                                                       uint64_t{0});
            const WorkTable::Iteration& once = table.Get(group.jobs[i]);
            iterations += rounds;
            bytes += rounds * once.bytes;
            messages += rounds * once.messages;
            work += rounds * once.work;
            cojobWork += group.plain ? 0 : rounds * once.work;
        }
    }

    Totals& operator*=(double factor)
    {
        for (long double* total :
             {&cojobs, &jobs, &stages, &iterations, &bytes, &messages, &work, &cojobWork})
        {
            *total *= factor;
        }
        return *this;
    }

    Totals& operator+=(const Totals& other)
    {
        cojobs += other.cojobs;
        jobs += other.jobs;
        stages += other.stages;
        iterations += other.iterations;
        bytes += other.bytes;
        messages += other.messages;
        work += other.work;
        cojobWork += other.cojobWork;
        return *this;
    }
};

/** A workload, and some of its groups to try alone. */
struct Survey
{
    Totals totals;
    bool isSampled{false};
    std::vector<CojobSpec> examples; //!< the first group, and the one with the most work
};

/** \param scenario with its scale applied */
Survey
SurveyWorkload(const Scenario& scenario, WorkTable& table)
{
    Survey survey;
    Totals given; // by the generator or the trace
    std::size_t left = scenario.workload.groups.size();
    long double most = 0;
    const double factor = VisitSample(scenario, MOST_GROUPS, [&](const CojobSpec& group) {
        Totals own;
        own.Add(group, table);
        (left > 0 ? survey.totals : given) += own;
        left -= left > 0 ? 1 : 0;
        if (survey.examples.empty() || own.work > most)
        {
            most = own.work;
            survey.examples.resize(std::min<std::size_t>(survey.examples.size(), 1));
            survey.examples.push_back(group);
        }
    });
    given *= factor;
    survey.totals += given;
    survey.isSampled = factor > 1;
    return survey;
}

/** \return the scenario with one group to do, and nothing beside it */
Scenario
Alone(const Scenario& scenario, const CojobSpec& group)
{
    Scenario alone = scenario;
    alone.cluster.links.clear();
    alone.workload.background.clear();
    alone.workload.generator.reset();
    alone.workload.trace.reset();
    alone.workload.groups = {group};
    alone.workload.groups.front().submit = Time(0);
    alone.stop.time.reset();
    return alone;
}

/** Each cojob runs once more, and so does each job of it. */
double
ForecastAlone(const Scenario& scenario, const Survey& survey, WorkTable& table, double budget)
{
    long double build = 0;
    long double seconds = 0;
    long double work = 0;
    for (const CojobSpec& group : survey.examples)
    {
        Totals own;
        own.Add(group, table);
        const Trial trial = TryOut(Alone(scenario, group), own.work, table, budget);
        build += (trial.buildSeconds + PROCESS_SECONDS) / survey.examples.size();
        seconds += trial.runSeconds;
        work += own.work * trial.share;
    }
    const long double price = work > 0 ? seconds / work : 0;
    const Totals& all = survey.totals;
    return static_cast<double>((all.cojobs + all.jobs) * build +
                               (all.work + all.cojobWork) * price);
}

/** \return "0.3 s", "12 minutes", "3.1 hours" */
std::string
FormatDuration(double seconds)
{
    return seconds < 90     ? FormatNumber(seconds, seconds < 1 ? 3 : 2) + " s"
           : seconds < 5400 ? FormatNumber(seconds / 60, 2) + " minutes"
                            : FormatNumber(seconds / 3600, 2) + " hours";
}

std::string
DescribeTraffic(const Forecast& forecast, const CostForecast& costs)
{
    const double bytes = static_cast<double>(forecast.bytes);
    std::string text = FormatNumber(bytes / 1e6) + " MB in " + std::to_string(forecast.messages) +
                       " messages, of which " + FormatNumber(bytes * costs.networkShare / 1e6) +
                       " MB cross the network";
    if (!forecast.hasPackets)
    {
        return text + " as fluids, no packets";
    }
    return costs.packetHops > 0
               ? text + ", about " + FormatNumber(costs.packetHops, 2) + " packet-hops"
               : text + ", no packet";
}

} // namespace

Forecast
MakeForecast(const Scenario& unscaled)
{
    const Scenario scenario = ApplyScale(unscaled);
    const TopologySpec& topology = scenario.cluster.topology;
    Forecast forecast;
    forecast.hosts = static_cast<uint32_t>(CountHosts(topology));
    forecast.switches = CountSwitches(topology);
    forecast.cables = static_cast<uint32_t>(ListCables(topology).size());
    forecast.gpus = static_cast<uint32_t>(CountGpus(scenario.cluster));
    forecast.hasPackets = HasPackets(scenario);
    WorkTable table(forecast.hasPackets);
    const Survey survey = SurveyWorkload(scenario, table);
    forecast.isSampled = survey.isSampled;
    forecast.cojobs = Saturate(survey.totals.cojobs);
    forecast.jobs = Saturate(survey.totals.jobs);
    forecast.stages = Saturate(survey.totals.stages);
    forecast.iterations = Saturate(survey.totals.iterations);
    forecast.bytes = Saturate(survey.totals.bytes);
    forecast.messages = Saturate(survey.totals.messages);
    return forecast;
}

CostForecast
TryCosts(const Scenario& unscaled, const TrialBudget& budget)
{
    const Scenario scenario = ApplyScale(unscaled);
    WorkTable table(HasPackets(scenario));
    const Survey survey = SurveyWorkload(scenario, table);
    const auto work = static_cast<double>(survey.totals.work);
    const Trial trial = TryOut(scenario, work, table, budget.run);
    CostForecast costs;
    costs.share = trial.share;
    costs.cpuSeconds = PROCESS_SECONDS + trial.GetWhole();
    costs.networkShare = trial.bytes > 0 ? trial.networkBytes / trial.bytes : 0;
    costs.packetHops = trial.share > 0 ? trial.packetHops / trial.share : 0;
    if (scenario.output.alone)
    {
        costs.aloneCpuSeconds = ForecastAlone(scenario, survey, table, budget.alone);
    }
    return costs;
}

std::vector<std::string>
FindIdleSettings(const Scenario& scenario, const std::vector<std::string>& settings)
{
    std::vector<std::string> idle;
    for (std::size_t i = 0; i < settings.size(); ++i)
    {
        const std::string path = settings[i].substr(0, settings[i].find('='));
        for (std::size_t later = i + 1; later < settings.size(); ++later)
        {
            const std::string other = settings[later].substr(0, settings[later].find('='));
            if (path == other || path.compare(0, other.size() + 1, other + ".") == 0)
            {
                idle.push_back("--set=" + settings[i] + " is undone by --set=" + settings[later] +
                               " behind it");
                break;
            }
        }
    }
    const auto network =
        GetShortName(NetworkScheduler::GetTypeId(), scenario.scheduling.network.GetTypeId());
    const auto& groups = scenario.workload.groups;
    const bool isWeighted = std::any_of(groups.begin(), groups.end(), [](const auto& group) {
        return std::any_of(group.jobs.begin(), group.jobs.end(), [](const auto& job) {
            return job.weight != 1;
        });
    });
    if (isWeighted && network != "sincronia")
    {
        idle.push_back("weights of jobs change nothing: " + network +
                       " does not look at them, sincronia does");
    }
    const auto scheduler = scenario.scheduling.network.Create<NetworkScheduler>();
    if (scenario.scheduling.period != SchedulingSpec().period &&
        scheduler->GetTrigger() != NetworkScheduler::Trigger::PERIOD)
    {
        idle.push_back("scheduler.period changes nothing: " + network +
                       " does not run by the clock");
    }
    if (scenario.scheduling.controlAcks && !HasPackets(scenario))
    {
        idle.push_back("scheduler.acks changes nothing: fluids have no acknowledgements");
    }
    return idle;
}

void
PrintForecast(std::ostream& os,
              const Scenario& scenario,
              const Forecast& forecast,
              const CostForecast& costs)
{
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    const double seconds = costs.cpuSeconds + costs.aloneCpuSeconds / cores;
    const char* about = forecast.isSampled ? "about " : "";
    os << scenario.name << (scenario.description.empty() ? "" : ": ") << scenario.description
       << "\n"
       << "topology: " << scenario.cluster.topology.kind << ", " << forecast.hosts << " hosts with "
       << forecast.gpus << " GPUs, " << forecast.switches << " switches, " << forecast.cables
       << " links between neighbours\n"
       << "work:     " << about << forecast.cojobs << " cojobs, " << forecast.jobs << " jobs, "
       << forecast.stages << " stages, " << forecast.iterations << " iterations of jobs\n"
       << "traffic:  " << about << DescribeTraffic(forecast, costs) << "\n"
       << "scale:    model " << FormatNumber(scenario.scale.model) << ", iterations "
       << FormatNumber(scenario.scale.iterations) << " (applied above)\n"
       << "expected: " << FormatDuration(costs.cpuSeconds) << " of CPU time for the run, "
       << FormatDuration(costs.aloneCpuSeconds)
       << " for the runs alone: " << FormatDuration(seconds) << " on " << cores
       << " cores (by a trial of " << FormatNumber(100 * costs.share, 2) << " % of the work)\n";
}

} // namespace ddl
} // namespace ns3
