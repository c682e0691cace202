// SPDX-License-Identifier: GPL-2.0-only
#include "app/results/ddl-csv-table.h"
#include "app/results/ddl-result-set.h"
#include "ddl-figure.h"
#include "ddl-step-figure.h"

#include <algorithm>
#include <map>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t MOST_TIMER_CURVES = 12; //!< most curves that can be told apart in one panel
constexpr double HOUR = 3600;
/** The two timers: their columns in timers.csv, and their names. */
const std::vector<std::pair<std::string, std::string>> TIMERS{{"machine_timer_s", "machine timer"},
                                                              {"rack_timer_s", "rack timer"}};

/** Both timers of jobs of one size. */
using BothTimers = std::vector<std::vector<Step>>; // steps of each of TIMERS, in hours

/** The timers.csv of a run. */
struct RunTimers
{
    std::string label;
    std::map<uint64_t, BothTimers> sizes; //!< timers by number of GPUs of a job
    double end{0};                        //!< last date of a timer or of a job, h
    double usual{0};                      //!< 95th percentile of the jobs' number of workers
};

/** \return the timers of the first run of a set; no sizes if there is no run or no timers.csv */
RunTimers
ReadTimers(const ResultSet& set)
{
    RunTimers timers{set.label, {}, 0, 0};
    const auto runs = set.ListRuns();
    const auto table = runs.empty() ? std::nullopt : OpenTable(runs.front(), "timers");
    if (!table)
    {
        return timers;
    }
    for (std::size_t row = 0; row < table->GetRows(); ++row)
    {
        const double time = table->GetNumber(row, "time_s").value_or(0) / HOUR;
        const auto gpus = static_cast<uint64_t>(table->GetNumber(row, "gpus").value_or(0));
        auto& steps = timers.sizes.emplace(gpus, BothTimers(TIMERS.size())).first->second;
        for (std::size_t t = 0; t < TIMERS.size(); ++t)
        {
            steps[t].push_back({time, table->GetNumber(row, TIMERS[t].first).value_or(0) / HOUR});
        }
        timers.end = std::max(timers.end, time);
    }
    for (const double end : ReadColumn({set.label, {runs.front()}}, "jobs.csv", "end_s"))
    {
        timers.end = std::max(timers.end, end / HOUR);
    }
    auto workers = ReadColumn({set.label, {runs.front()}}, "jobs.csv", "workers");
    std::sort(workers.begin(), workers.end());
    timers.usual = workers.empty() ? 0 : workers[(workers.size() - 1) * 95 / 100];
    return timers;
}

/** \return the greatest size of jobs, up to the usual size, that wait by a timer; 0: none does */
uint64_t
FindSize(const RunTimers& timers, std::size_t timer)
{
    uint64_t size = 0;
    for (const auto& [gpus, steps] : timers.sizes)
    {
        const bool waits = std::any_of(steps[timer].begin(),
                                       steps[timer].end(),
                                       [](const Step& step) { return step.value > 0.0; });
        size = waits && (size == 0 || static_cast<double>(gpus) <= timers.usual) ? gpus : size;
    }
    return size;
}

/** \return panels with the timers of all sizes of jobs, for one run */
std::vector<Chart::Panel>
DrawSizes(const RunTimers& run)
{
    std::vector<Chart::Panel> panels;
    for (std::size_t t = 0; t < TIMERS.size(); ++t)
    {
        std::vector<StepCurve> curves;
        for (const auto& [gpus, steps] : run.sizes)
        {
            if (curves.size() < MOST_TIMER_CURVES)
            {
                curves.push_back(
                    {std::to_string(gpus) + (gpus == 1 ? " GPU" : " GPUs"), steps[t], run.end});
            }
        }
        panels.push_back(MakeStepPanel({TIMERS[t].second + " (h)", "h", "timer_h"}, "h", curves));
    }
    return panels;
}

/** \return panels with the timers of jobs of one size, for several runs */
std::vector<Chart::Panel>
DrawRuns(const std::vector<RunTimers>& runs)
{
    std::vector<Chart::Panel> panels;
    for (std::size_t t = 0; t < TIMERS.size(); ++t)
    {
        uint64_t size = 0;
        for (auto run = runs.begin(); run != runs.end() && size == 0; ++run)
        {
            size = FindSize(*run, t);
        }
        if (size == 0)
        {
            continue;
        }
        std::vector<StepCurve> curves;
        for (const auto& run : runs)
        {
            const auto found = run.sizes.find(size);
            curves.push_back({run.label,
                              found == run.sizes.end() ? std::vector<Step>() : found->second[t],
                              run.end});
        }
        panels.push_back(
            MakeStepPanel({TIMERS[t].second + " of jobs of " + std::to_string(size) + " GPUs (h)",
                           "h",
                           "timer_h"},
                          "h",
                          curves));
    }
    return panels;
}

/**
 * Timers by which jobs decline GPUs, over time: of one result, those of jobs of each size; of
 * several, those of jobs of the largest size that waits by them, up to the 95th percentile of the
 * jobs' GPUs (Dally, Fig. 4).
 */
Chart
MakeTimers(const std::vector<ResultSet>& sets)
{
    std::vector<RunTimers> runs;
    for (const auto& set : sets)
    {
        RunTimers run = ReadTimers(set);
        if (!run.sizes.empty())
        {
            runs.push_back(std::move(run));
        }
    }
    if (runs.empty())
    {
        return NothingToDraw("no run has timers (output.timers=true, and a placement with timers)");
    }
    const std::size_t sizes = runs.size() == 1 ? runs.front().sizes.size() : 0;
    const std::string left =
        sizes > MOST_TIMER_CURVES
            ? "; the " + std::to_string(sizes - MOST_TIMER_CURVES) + " largest sizes are not drawn"
            : "";
    Chart chart{"How long jobs wait for near GPUs",
                DescribeRuns(sets) + left,
                runs.size() == 1 ? DrawSizes(runs.front()) : DrawRuns(runs)};
    return chart.panels.empty() ? NothingToDraw("all timers are 0") : chart;
}

constexpr FigureEntry TIMERS_ENTRY{"ns3::ddl::TimersFigure",
                                   "how long jobs wait for near GPUs, over time (needs "
                                   "output.timers); of each result, the first run",
                                   MakeTimers};
const TypeId TIMERS_FIGURE = FigureOf<TIMERS_ENTRY>::GetTypeId();

} // namespace

} // namespace ns3::ddl
