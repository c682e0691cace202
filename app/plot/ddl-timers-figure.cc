// SPDX-License-Identifier: GPL-2.0-only
#include "app/results/ddl-csv-table.h"
#include "app/results/ddl-result-set.h"
#include "ddl-figure-table.h"
#include "ddl-gnuplot.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t MOST_TIMER_CURVES = 12; //!< that can be told apart in one panel
constexpr double HOUR = 3600;
/** The two timers: columns of timers.csv, and what they are called. */
const std::vector<std::pair<std::string, std::string>> TIMERS{{"machine_timer_s", "machine timer"},
                                                              {"rack_timer_s", "rack timer"}};

/** A timer from a date on. */
struct TimerStep
{
    double time;  //!< h
    double value; //!< h
};

/** Both timers of jobs of one size. */
using TimerSteps = std::vector<std::vector<TimerStep>>;

/** The timers.csv of a run. */
struct RunTimers
{
    std::string label;
    std::map<uint64_t, TimerSteps> sizes; //!< by GPUs of a job
    double end{0};                        //!< when the last job left, h
    double usual{0};                      //!< GPUs of a job, 95th percentile
};

/** \return what is in the first run of a set; no sizes where there is nothing */
RunTimers
ReadTimers(const ResultSet& set)
{
    RunTimers timers{set.label, {}, 0, 0};
    const auto runs = set.ListRuns();
    if (runs.empty() || !std::filesystem::exists(runs.front() + "/timers.csv"))
    {
        return timers;
    }
    const CsvTable table(runs.front() + "/timers.csv");
    for (std::size_t row = 0; row < table.GetRows(); ++row)
    {
        const double time = table.GetNumber(row, "time_s").value_or(0) / HOUR;
        const auto gpus = static_cast<uint64_t>(table.GetNumber(row, "gpus").value_or(0));
        auto& steps = timers.sizes.emplace(gpus, TimerSteps(TIMERS.size())).first->second;
        for (std::size_t t = 0; t < TIMERS.size(); ++t)
        {
            steps[t].push_back({time, table.GetNumber(row, TIMERS[t].first).value_or(0) / HOUR});
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

/** One curve of a panel. */
struct TimerCurve
{
    std::string name;
    std::vector<TimerStep> steps;
    double end; //!< h
};

/** One plot: a timer. */
struct TimerPanel
{
    std::string label; //!< of the y axis
    std::vector<TimerCurve> curves;
};

/** \return GPUs of the largest jobs, up to the usual size, that wait by a timer; 0: of none */
uint64_t
FindSize(const RunTimers& timers, std::size_t timer)
{
    uint64_t size = 0;
    for (const auto& [gpus, steps] : timers.sizes)
    {
        const bool waits = std::any_of(steps[timer].begin(),
                                       steps[timer].end(),
                                       [](const TimerStep& step) { return step.value > 0; });
        size = waits && (size == 0 || static_cast<double>(gpus) <= timers.usual) ? gpus : size;
    }
    return size;
}

/** \return of one run, the timers of all sizes */
std::vector<TimerPanel>
DrawSizes(const RunTimers& run)
{
    std::vector<TimerPanel> panels;
    for (std::size_t t = 0; t < TIMERS.size(); ++t)
    {
        panels.push_back({TIMERS[t].second + " (h)", {}});
        for (const auto& [gpus, steps] : run.sizes)
        {
            if (panels.back().curves.size() < MOST_TIMER_CURVES)
            {
                panels.back().curves.push_back(
                    {std::to_string(gpus) + (gpus == 1 ? " GPU" : " GPUs"), steps[t], run.end});
            }
        }
    }
    return panels;
}

/** \return of several runs, the timers of jobs of one size */
std::vector<TimerPanel>
DrawRuns(const std::vector<RunTimers>& runs)
{
    std::vector<TimerPanel> panels;
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
        panels.push_back(
            {TIMERS[t].second + " of jobs of " + std::to_string(size) + " GPUs (h)", {}});
        for (const auto& run : runs)
        {
            const auto found = run.sizes.find(size);
            panels.back().curves.push_back(
                {run.label,
                 found == run.sizes.end() ? std::vector<TimerStep>() : found->second[t],
                 run.end});
        }
    }
    return panels;
}

/** \return the value of a curve from a date on; nothing before its first and behind its end */
std::optional<double>
FindValue(const TimerCurve& curve, double time)
{
    const auto next =
        std::upper_bound(curve.steps.begin(),
                         curve.steps.end(),
                         time,
                         [](double at, const TimerStep& step) { return at < step.time; });
    return next == curve.steps.begin() || time >= curve.end
               ? std::nullopt
               : std::make_optional(std::prev(next)->value);
}

Chart::Panel
MakeTimerChart(const TimerPanel& panel)
{
    Chart::Panel drawn;
    drawn.kind = Chart::Kind::CURVES;
    drawn.xLabel = "simulated time (h)";
    drawn.yLabel = panel.label;
    for (const auto& curve : panel.curves)
    {
        drawn.times.push_back(curve.end);
        for (const auto& step : curve.steps)
        {
            drawn.times.push_back(step.time);
        }
    }
    std::sort(drawn.times.begin(), drawn.times.end());
    drawn.times.erase(std::unique(drawn.times.begin(), drawn.times.end()), drawn.times.end());
    if (!drawn.times.empty() && drawn.times.front() == 0)
    {
        drawn.times.erase(drawn.times.begin()); // the first interval begins there
    }
    for (const auto& curve : panel.curves)
    {
        Chart::Series series{curve.name, {}, {}, {}, {}};
        for (std::size_t i = 0; i < drawn.times.size(); ++i)
        {
            series.y.push_back(FindValue(curve, i == 0 ? 0 : drawn.times[i - 1]));
        }
        drawn.series.push_back(std::move(series));
    }
    return drawn;
}

} // namespace

/**
 * Timers by which jobs decline GPUs, over time: of one result, those of jobs of each size; of
 * several, those of jobs of the largest size that waits by them, up to the 95th percentile of the
 * jobs' GPUs (Dally, Fig. 4).
 */
class TimersFigure : public Figure
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::TimersFigure")
                                .SetParent<Figure>()
                                .SetGroupName("Ddl")
                                .AddConstructor<TimersFigure>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "how long jobs wait for near GPUs, over time (needs output.timers); of each result, "
               "the first run";
    }

  private:
    FigureFiles DoMake(const std::vector<ResultSet>& sets) const override
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
            return Nothing("no run has timers (output.timers=true, and a placement with timers)");
        }
        const auto panels = runs.size() == 1 ? DrawSizes(runs.front()) : DrawRuns(runs);
        const std::size_t sizes = runs.size() == 1 ? runs.front().sizes.size() : 0;
        const std::string note =
            DescribeRuns(sets) + (sizes > MOST_TIMER_CURVES
                                      ? "; the " + std::to_string(sizes - MOST_TIMER_CURVES) +
                                            " largest sizes are not drawn"
                                      : "");
        return panels.empty() ? Nothing("all timers are 0") : Draw(panels, note);
    }

    /** \param panels at least one; all have the same curves */
    FigureFiles Draw(const std::vector<TimerPanel>& panels, const std::string& note) const
    {
        FigureFrame frame{GetName(), "How long jobs wait for near GPUs", note, {}, panels.size()};
        for (const auto& curve : panels.front().curves)
        {
            frame.key.push_back(curve.name);
        }
        FigureTable<double, uint64_t, uint64_t, double> table("time_h,panel,curve,timer_h");
        Chart chart{frame.title, frame.note, {}};
        std::ostringstream script;
        script << BeginGnuplotScript(frame)
               << "set grid x y linecolor rgb '#DDDDDD' linetype 1 linewidth 0.5\n"
               << "set xlabel 'simulated time (h)'\nset xrange [0:*]\nset yrange [0:*]\n";
        for (std::size_t p = 0; p < panels.size(); ++p)
        {
            const auto& curves = panels[p].curves;
            chart.panels.push_back(MakeTimerChart(panels[p]));
            script << PlaceGnuplotPanel(p) << "set ylabel " << QuoteForGnuplot(panels[p].label)
                   << "\nplot ";
            for (std::size_t c = 0; c < curves.size(); ++c)
            {
                for (const auto& step : curves[c].steps)
                {
                    table.AddRow(step.time, p, c, step.value, curves[c].name);
                }
                if (curves[c].steps.empty())
                {
                    continue;
                }
                const TimerStep& last = curves[c].steps.back();
                if (last.time < curves[c].end)
                {
                    table.AddRow(curves[c].end, p, c, last.value, curves[c].name);
                }
                const SeriesLook look = GetSeriesLook(c);
                script << "\\\n  data skip 1 using ($2 == " << p << " && $3 == " << c
                       << " ? $1 : NaN):4 with steps linecolor rgb '#" << look.colour
                       << "' dashtype " << look.dashes << " linewidth "
                       << GetLineWidth(c, curves.size()) << ", ";
            }
            script << "\\\n  NaN notitle" << (p == 0 ? FormatGnuplotKey(frame, "lines") : "")
                   << "\n";
        }
        return table.MakeFiles(script.str() + EndGnuplotScript(), std::move(chart));
    }
};

NS_OBJECT_ENSURE_REGISTERED(TimersFigure);

} // namespace ns3::ddl
