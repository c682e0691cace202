// SPDX-License-Identifier: GPL-2.0-only
#include "app/results/ddl-csv-table.h"
#include "ddl-figure.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <utility>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t MOST_CURVES = 12; //!< most curves that can be told apart in one panel

/** The values of one quantity over time: one for each interval of a series. */
struct Curve
{
    std::string name;
    std::vector<double> values;

    double GetSum() const
    {
        double sum = 0;
        for (const double value : values)
        {
            sum += value;
        }
        return sum;
    }
};

/** The series.csv of a run, in intervals. */
struct SeriesTable
{
    std::string folder; //!< folder of the run
    CsvTable table;
    std::vector<double> ends{}; //!< ends of the intervals, ascending, s

    SeriesTable(const std::string& ofRun, CsvTable series)
        : folder(ofRun),
          table(std::move(series))
    {
        for (std::size_t row = 0; row < table.GetRows(); ++row)
        {
            const double end = table.GetNumber(row, "time_s").value_or(0);
            if (ends.empty() || end > ends.back())
            {
                ends.push_back(end);
            }
        }
    }

    double GetLength(std::size_t interval) const
    {
        return ends[interval] - (interval == 0 ? 0 : ends[interval - 1]);
    }

    /**
     * \param name gives the name of the curve that a row belongs to; "" for a row that is left out
     * \return curves of one quantity of one kind of things, 0 where there is no row
     */
    std::vector<Curve> Read(
        const std::string& kind,
        const std::string& quantity,
        const std::function<std::string(const CsvTable&, std::size_t)>& name) const
    {
        std::map<std::string, std::size_t> places;
        std::vector<Curve> curves;
        std::size_t interval = 0;
        for (std::size_t row = 0; row < table.GetRows(); ++row)
        {
            const double end = table.GetNumber(row, "time_s").value_or(0);
            while (end > ends[interval])
            {
                ++interval;
            }
            if (table.GetText(row, "kind") != kind || table.GetText(row, "quantity") != quantity)
            {
                continue;
            }
            const std::string called = name(table, row);
            if (called.empty())
            {
                continue;
            }
            const auto [place, isNew] = places.emplace(called, curves.size());
            if (isNew)
            {
                curves.push_back({called, std::vector<double>(ends.size())});
            }
            curves[place->second].values[interval] += table.GetNumber(row, "value").value_or(0);
        }
        return curves;
    }
};

/** Keep the MOST_CURVES curves that are largest by a measure. If \p addOthers, the last of them is
 * the sum of the others. */
void
KeepLargest(std::vector<Curve>& curves,
            const std::function<double(const Curve&)>& measure,
            bool addOthers)
{
    if (curves.size() <= MOST_CURVES)
    {
        return;
    }
    std::stable_sort(curves.begin(), curves.end(), [&measure](const Curve& a, const Curve& b) {
        return measure(a) > measure(b);
    });
    const std::size_t kept = MOST_CURVES - (addOthers ? 1 : 0);
    Curve others{std::to_string(curves.size() - kept) + " others",
                 std::vector<double>(curves.front().values.size())};
    for (std::size_t c = kept; addOthers && c < curves.size(); ++c)
    {
        for (std::size_t i = 0; i < others.values.size(); ++i)
        {
            others.values[i] += curves[c].values[i];
        }
    }
    curves.resize(kept);
    if (addOthers)
    {
        curves.push_back(std::move(others));
    }
}

constexpr double BYTES_PER_GIGABIT = 1e9 / 8;

/** Turn bytes per interval into rates. \param unit bytes; rates are in multiples of it per second
 */
void
ToRates(const SeriesTable& series, std::vector<Curve>& curves, double unit = BYTES_PER_GIGABIT)
{
    for (Curve& curve : curves)
    {
        for (std::size_t i = 0; i < curve.values.size(); ++i)
        {
            curve.values[i] = curve.values[i] / (unit * series.GetLength(i));
        }
    }
}

/** \param kind CURVES or AREAS \return a chart of the curves over time */
Chart
MakeTimeChart(Chart::Kind kind,
              const std::string& title,
              const Chart::Axis& value,
              const SeriesTable& series,
              const std::vector<Curve>& curves)
{
    Chart::Panel panel;
    panel.kind = kind;
    panel.x = {"simulated time (s)", "s", "time_s"};
    panel.y = value;
    panel.times = series.ends;
    for (const Curve& curve : curves)
    {
        panel.series.push_back({curve.name, {}, {curve.values.begin(), curve.values.end()}});
    }
    return {title, "", {std::move(panel)}};
}

/** A figure of series.csv: a function from it to a chart without a note. */
using SeriesFigure = Chart (*)(const SeriesTable& series);

/** \return the chart of the series.csv of the first run that ended */
template <SeriesFigure DRAW>
Chart
MakeSeriesChart(const std::vector<ResultSet>& sets)
{
    const ResultSet* const shown = FindOneWithRuns(sets);
    if (!shown)
    {
        return NothingToDraw("no run has ended");
    }
    const std::string folder = shown->ListRuns().front();
    auto table = OpenTable(folder, "series");
    if (!table)
    {
        return NothingToDraw("there is no series.csv (output.series=10ms)");
    }
    const SeriesTable series(folder, std::move(*table));
    if (series.ends.empty())
    {
        return NothingToDraw("series.csv has no row");
    }
    Chart chart = DRAW(series);
    chart.note = DescribeRuns({*shown});
    return chart;
}

/** Payload that arrived, Gbit/s, over time: an area for each job, one above the other. */
Chart
DrawThroughput(const SeriesTable& series)
{
    auto jobs = series.Read("job", "bytes", [](const CsvTable& table, std::size_t row) {
        return "job " + table.GetText(row, "name");
    });
    if (jobs.empty())
    {
        return NothingToDraw("no job moved a byte");
    }
    KeepLargest(jobs, &Curve::GetSum, true);
    ToRates(series, jobs);
    return MakeTimeChart(Chart::Kind::AREAS,
                         "Throughput of jobs",
                         {"payload that arrived, Gbit/s, stacked", "Gbit/s", "gbit_s"},
                         series,
                         jobs);
}

constexpr FigureEntry THROUGHPUT{"ns3::ddl::ThroughputFigure",
                                 "throughput of jobs over time (needs output.series); of several "
                                 "results, the first",
                                 MakeSeriesChart<DrawThroughput>};
const TypeId THROUGHPUT_FIGURE = FigureOf<THROUGHPUT>::GetTypeId();

/**
 * What one worker received and sent, MB/s, over time: all bytes on the wire of the machine of the
 * first worker of the first job that ended (Liquid, Fig. 4).
 */
Chart
DrawWorkerTraffic(const SeriesTable& series)
{
    constexpr double MEGABYTE = 1e6;
    const auto table = OpenTable(series.folder, "runs");
    if (!table) // earlier versions wrote no such file
    {
        return NothingToDraw("there is no runs.csv");
    }
    if (table->GetRows() == 0 || table->GetText(0, "gpus").empty())
    {
        return NothingToDraw("no job held a GPU until it ended");
    }
    const std::string& gpus = table->GetText(0, "gpus"); // "2:0 3:0": first worker first
    const std::string machine = "h" + gpus.substr(0, gpus.find(':'));
    auto curves = series.Read("port", "bytes", [&machine](const auto& rows, std::size_t row) {
        const std::string& port = rows.GetText(row, "name"); // NODE-PORT-PEER
        return port.substr(0, port.find('-')) == machine     ? "sent"
               : port.substr(port.rfind('-') + 1) == machine ? "received"
                                                             : "";
    });
    if (curves.empty())
    {
        return NothingToDraw(machine + " neither sent nor received a byte");
    }
    std::sort(curves.begin(), curves.end(), [](const Curve& a, const Curve& b) {
        return a.name < b.name;
    });
    ToRates(series, curves, MEGABYTE);
    return MakeTimeChart(Chart::Kind::CURVES,
                         "Traffic of one worker of job " + table->GetText(0, "job_id") + ", on " +
                             machine,
                         {"on the wire, MB/s", "MB/s", "mb_s"},
                         series,
                         curves);
}

constexpr FigureEntry WORKER_TRAFFIC{"ns3::ddl::WorkerTrafficFigure",
                                     "traffic of the machine of a job's first worker over time "
                                     "(needs output.series); of several results, the first",
                                     MakeSeriesChart<DrawWorkerTraffic>};
const TypeId WORKER_TRAFFIC_FIGURE = FigureOf<WORKER_TRAFFIC>::GetTypeId();

/** What the machines sent, Gbit/s, over time: an area for each queue of their NICs. */
Chart
DrawPriorities(const SeriesTable& series)
{
    auto queues = series.Read("port", "bytes", [](const CsvTable& table, std::size_t row) {
        const std::string& port =
            table.GetText(row, "name"); // the port of a machine is "h3-0-leaf0"
        const bool isOfMachine = port.size() > 1 && port[0] == 'h' && std::isdigit(port[1]) != 0;
        return isOfMachine ? "queue " + table.GetText(row, "queue") : "";
    });
    if (queues.empty())
    {
        return NothingToDraw("no machine sent a packet");
    }
    std::sort(queues.begin(), queues.end(), [](const Curve& a, const Curve& b) {
        return std::make_pair(a.name.size(), a.name) < std::make_pair(b.name.size(), b.name);
    });
    KeepLargest(queues, &Curve::GetSum, true);
    ToRates(series, queues);
    return MakeTimeChart(Chart::Kind::AREAS,
                         "What machines sent, by queue",
                         {"sent by NICs, Gbit/s, stacked", "Gbit/s", "gbit_s"},
                         series,
                         queues);
}

constexpr FigureEntry PRIORITIES{"ns3::ddl::PrioritiesFigure",
                                 "what machines sent over time, by queue (needs output.series); of "
                                 "several results, the first",
                                 MakeSeriesChart<DrawPriorities>};
const TypeId PRIORITIES_FIGURE = FigureOf<PRIORITIES>::GetTypeId();

/** Bytes that wait in the fullest queues of ports, at the ends of the intervals. */
Chart
DrawQueues(const SeriesTable& series)
{
    auto queues = series.Read("port", "backlog_bytes", [](const CsvTable& table, std::size_t row) {
        return table.GetText(row, "name") + ", queue " + table.GetText(row, "queue");
    });
    if (queues.empty())
    {
        return NothingToDraw("nothing waited at the end of any interval (fluids have no queues)");
    }
    KeepLargest(
        queues,
        [](const Curve& curve) {
            return *std::max_element(curve.values.begin(), curve.values.end());
        },
        false);
    for (Curve& queue : queues)
    {
        for (double& value : queue.values)
        {
            value *= 1e-3;
        }
    }
    return MakeTimeChart(Chart::Kind::CURVES,
                         "Queues of ports",
                         {"waiting, kB", "kB", "kb"},
                         series,
                         queues);
}

constexpr FigureEntry QUEUES{"ns3::ddl::QueuesFigure",
                             "bytes in the fullest queues over time (needs output.series); of "
                             "several results, the first",
                             MakeSeriesChart<DrawQueues>};
const TypeId QUEUES_FIGURE = FigureOf<QUEUES>::GetTypeId();

/** How many GPUs computed, were held without computing, or were free. */
Chart
DrawGpus(const SeriesTable& series)
{
    std::vector<Curve> kinds;
    for (const auto& [quantity, name] :
         std::vector<std::pair<std::string, std::string>>{{"busy", "computing"},
                                                          {"waiting", "held, not computing"},
                                                          {"idle", "free"}})
    {
        auto found =
            series.Read("gpus", quantity, [name = name](const auto&, std::size_t) { return name; });
        kinds.push_back(found.empty() ? Curve{name, std::vector<double>(series.ends.size())}
                                      : std::move(found.front()));
    }
    return MakeTimeChart(Chart::Kind::AREAS, "GPUs", {"GPUs", "", "gpus"}, series, kinds);
}

constexpr FigureEntry GPUS{"ns3::ddl::GpusFigure",
                           "what GPUs did over time (needs output.series); of several results, the "
                           "first",
                           MakeSeriesChart<DrawGpus>};
const TypeId GPUS_FIGURE = FigureOf<GPUS>::GetTypeId();

} // namespace

} // namespace ns3::ddl
