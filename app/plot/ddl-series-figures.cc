// SPDX-License-Identifier: GPL-2.0-only
#include "app/results/ddl-csv-table.h"
#include "ddl-figure-table.h"
#include "ddl-gnuplot.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <sstream>
#include <utility>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t MOST_CURVES = 12;     //!< most curves that can be told apart in one panel
constexpr std::size_t MOST_POINTS = 200000; //!< most points that a picture is drawn of

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
class SeriesTable
{
  public:
    /** \param folder folder of a run \param table its series.csv */
    SeriesTable(const std::string& folder, CsvTable table)
        : m_folder(folder),
          m_table(std::move(table))
    {
        for (std::size_t row = 0; row < m_table.GetRows(); ++row)
        {
            const double end = m_table.GetNumber(row, "time_s").value_or(0);
            if (m_ends.empty() || end > m_ends.back())
            {
                m_ends.push_back(end);
            }
        }
    }

    /** \return folder of the run */
    const std::string& GetFolder() const
    {
        return m_folder;
    }

    /** \return ends of the intervals, ascending, s */
    const std::vector<double>& GetEnds() const
    {
        return m_ends;
    }

    double GetLength(std::size_t interval) const
    {
        return m_ends[interval] - (interval == 0 ? 0 : m_ends[interval - 1]);
    }

    /**
     * \param name gives the name of the curve that a row belongs to; "" for a row that is left out
     * \return curves of one quantity of one kind of things, 0 where there is no row
     */
    std::vector<Curve> Read(const std::string& kind,
                            const std::string& quantity,
                            const std::function<std::string(const CsvTable&, std::size_t)>& name)
    {
        std::map<std::string, std::size_t> places;
        std::vector<Curve> curves;
        std::size_t interval = 0;
        for (std::size_t row = 0; row < m_table.GetRows(); ++row)
        {
            const double end = m_table.GetNumber(row, "time_s").value_or(0);
            while (end > m_ends[interval])
            {
                ++interval;
            }
            if (m_table.GetText(row, "kind") != kind ||
                m_table.GetText(row, "quantity") != quantity)
            {
                continue;
            }
            const std::string called = name(m_table, row);
            if (called.empty())
            {
                continue;
            }
            const auto [place, isNew] = places.emplace(called, curves.size());
            if (isNew)
            {
                curves.push_back({called, std::vector<double>(m_ends.size())});
            }
            curves[place->second].values[interval] += m_table.GetNumber(row, "value").value_or(0);
        }
        return curves;
    }

  private:
    std::string m_folder;
    CsvTable m_table;
    std::vector<double> m_ends;
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

/** One plot of a figure over time. */
struct TimePanel
{
    std::string label; //!< label of the y axis
    std::vector<Curve> curves;
    bool isFilled{false}; //!< the curves are areas, each stacked on the one before
};

/** A row per point of a curve: time, panel, curve, lower edge of its area or 0, upper edge. */
using CurveTable = FigureTable<double, uint64_t, uint64_t, double, double>;

/** Add a curve as steps: two points for each interval. \param floor lower edge of an area; becomes
 * the lower edge of the next one */
void
AddCurve(CurveTable& table,
         const SeriesTable& series,
         const Curve& curve,
         std::pair<std::size_t, std::size_t> place,
         std::vector<double>& floor)
{
    const std::vector<double>& ends = series.GetEnds();
    for (std::size_t i = 0; i < ends.size(); ++i)
    {
        const double top = floor[i] + curve.values[i];
        for (const double time : {ends[i] - series.GetLength(i), ends[i]})
        {
            table.AddRow(time, place.first, place.second, floor[i], top, curve.name);
        }
        floor[i] = top;
    }
}

/** \return plot element of curve c of a panel */
std::string
FormatCurve(const TimePanel& panel, std::size_t p, std::size_t c)
{
    const SeriesLook look = GetSeriesLook(c);
    std::ostringstream script;
    script << "  data skip 1 using ($2 == " << p << " && $3 == " << c << " ? $1 : NaN):";
    if (panel.isFilled)
    {
        script << "4:5 with filledcurves linecolor rgb '#" << look.colour << "' " << look.filling;
    }
    else
    {
        script << "5 with lines linecolor rgb '#" << look.colour << "' dashtype " << look.dashes
               << " linewidth " << GetLineWidth(c, panel.curves.size());
    }
    return script.str();
}

Chart::Panel
MakeChartPanel(const TimePanel& panel, const SeriesTable& series)
{
    Chart::Panel drawn;
    drawn.kind = panel.isFilled ? Chart::Kind::AREAS : Chart::Kind::CURVES;
    drawn.xLabel = "simulated time (s)";
    drawn.yLabel = panel.label;
    drawn.times = series.GetEnds();
    for (const Curve& curve : panel.curves)
    {
        drawn.series.push_back(
            {curve.name, {}, {curve.values.begin(), curve.values.end()}, {}, {}});
    }
    return drawn;
}

/**
 * \param frame the frame; its number of panels is set here
 * \param panels at least one panel; those with a key have the same curves
 */
FigureFiles
MakeTimeFigure(FigureFrame frame, const SeriesTable& series, const std::vector<TimePanel>& panels)
{
    const std::size_t intervals = series.GetEnds().size();
    Chart chart{frame.title, frame.note, {}};
    for (const TimePanel& panel : panels)
    {
        chart.panels.push_back(MakeChartPanel(panel, series));
    }
    CurveTable table("time_s,panel,curve,from,to");
    frame.panels = panels.size();
    std::ostringstream script;
    script << BeginGnuplotScript(frame)
           << "set grid x y linecolor rgb '#DDDDDD' linetype 1 linewidth 0.5\n"
           << "set xlabel 'simulated time (s)'\nset xrange [0:"
           << FormatReal(series.GetEnds().back()) << "]\nset yrange [0:*]\n";
    std::size_t points = 0;
    for (std::size_t p = 0; p < panels.size(); ++p)
    {
        const TimePanel& panel = panels[p];
        points += 2 * intervals * panel.curves.size();
        script << PlaceGnuplotPanel(p) << "set ylabel " << QuoteForGnuplot(panel.label)
               << "\nplot \\\n";
        std::vector<double> floor(intervals);
        for (std::size_t c = 0; c < panel.curves.size(); ++c)
        {
            AddCurve(table, series, panel.curves[c], {p, c}, floor);
            script << (c == 0 ? "" : ", \\\n") << FormatCurve(panel, p, c);
            if (!panel.isFilled)
            {
                std::fill(floor.begin(), floor.end(), 0);
            }
        }
        script << (p == 0 ? FormatGnuplotKey(frame, panel.isFilled ? "boxes" : "lines") : "")
               << "\n";
    }
    if (points > MOST_POINTS)
    {
        return {"",
                "",
                std::to_string(intervals) + " intervals are too many for one picture",
                nullptr,
                std::move(chart)};
    }
    return table.MakeFiles(script.str() + EndGnuplotScript(), std::move(chart));
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

/** A figure of the series.csv of the first run that ended. */
class SeriesFigure : public Figure
{
  protected:
    FigureFiles DoMake(const std::vector<ResultSet>& sets) const override
    {
        const ResultSet* const shown = FindOneWithRuns(sets);
        if (!shown)
        {
            return Nothing("no run has ended");
        }
        const std::string folder = shown->ListRuns().front();
        auto table = OpenTable(folder, "series");
        if (!table)
        {
            return Nothing("there is no series.csv (output.series=10ms)");
        }
        SeriesTable series(folder, std::move(*table));
        if (series.GetEnds().empty())
        {
            return Nothing("series.csv has no row");
        }
        return Draw(series, DescribeRuns({*shown}));
    }

  private:
    /** \param runs a sentence on which runs are shown */
    virtual FigureFiles Draw(SeriesTable& series, const std::string& runs) const = 0;
};

std::vector<std::string>
ListNames(const std::vector<Curve>& curves)
{
    std::vector<std::string> names;
    for (const Curve& curve : curves)
    {
        names.push_back(curve.name);
    }
    return names;
}

} // namespace

/** Payload that arrived, Gbit/s, over time: an area for each job, one above the other. */
class ThroughputFigure : public SeriesFigure
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::ThroughputFigure")
                                .SetParent<Figure>()
                                .SetGroupName("Ddl")
                                .AddConstructor<ThroughputFigure>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "throughput of jobs over time (needs output.series); of several results, the first";
    }

  private:
    FigureFiles Draw(SeriesTable& series, const std::string& runs) const override
    {
        auto jobs = series.Read("job", "bytes", [](const CsvTable& table, std::size_t row) {
            return "job " + table.GetText(row, "name");
        });
        if (jobs.empty())
        {
            return Nothing("no job moved a byte");
        }
        KeepLargest(jobs, &Curve::GetSum, true);
        ToRates(series, jobs);
        const auto names = ListNames(jobs);
        return MakeTimeFigure({GetName(), "Throughput of jobs", runs, names},
                              series,
                              {{"payload that arrived, Gbit/s, stacked", std::move(jobs), true}});
    }
};

NS_OBJECT_ENSURE_REGISTERED(ThroughputFigure);

/**
 * What one worker received and sent, MB/s, over time: all bytes on the wire of the machine of the
 * first worker of the first job that ended (Liquid, Fig. 4).
 */
class WorkerTrafficFigure : public SeriesFigure
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::WorkerTrafficFigure")
                                .SetParent<Figure>()
                                .SetGroupName("Ddl")
                                .AddConstructor<WorkerTrafficFigure>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "traffic of the machine of a job's first worker over time (needs output.series); of "
               "several results, the first";
    }

  private:
    FigureFiles Draw(SeriesTable& series, const std::string& runs) const override
    {
        constexpr double MEGABYTE = 1e6;
        const auto table = OpenTable(series.GetFolder(), "runs");
        if (!table) // earlier versions wrote no such file
        {
            return Nothing("there is no runs.csv");
        }
        if (table->GetRows() == 0 || table->GetText(0, "gpus").empty())
        {
            return Nothing("no job held a GPU until it ended");
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
            return Nothing(machine + " neither sent nor received a byte");
        }
        std::sort(curves.begin(), curves.end(), [](const Curve& a, const Curve& b) {
            return a.name < b.name;
        });
        ToRates(series, curves, MEGABYTE);
        const auto names = ListNames(curves);
        return MakeTimeFigure(
            {GetName(),
             "Traffic of one worker of job " + table->GetText(0, "job_id") + ", on " + machine,
             runs,
             names},
            series,
            {{"on the wire, MB/s", std::move(curves)}});
    }
};

NS_OBJECT_ENSURE_REGISTERED(WorkerTrafficFigure);

/** What the machines sent, Gbit/s, over time: an area for each queue of their NICs. */
class PrioritiesFigure : public SeriesFigure
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::PrioritiesFigure")
                                .SetParent<Figure>()
                                .SetGroupName("Ddl")
                                .AddConstructor<PrioritiesFigure>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "what machines sent over time, by queue (needs output.series); of several results, "
               "the first";
    }

  private:
    FigureFiles Draw(SeriesTable& series, const std::string& runs) const override
    {
        auto queues = series.Read("port", "bytes", [](const CsvTable& table, std::size_t row) {
            const std::string& port = table.GetText(row, "name"); // of a machine: "h3-0-leaf0"
            const bool isOfMachine =
                port.size() > 1 && port[0] == 'h' && std::isdigit(port[1]) != 0;
            return isOfMachine ? "queue " + table.GetText(row, "queue") : "";
        });
        if (queues.empty())
        {
            return Nothing("no machine sent a packet");
        }
        std::sort(queues.begin(), queues.end(), [](const Curve& a, const Curve& b) {
            return std::make_pair(a.name.size(), a.name) < std::make_pair(b.name.size(), b.name);
        });
        KeepLargest(queues, &Curve::GetSum, true);
        ToRates(series, queues);
        const auto names = ListNames(queues);
        return MakeTimeFigure({GetName(), "What machines sent, by queue", runs, names},
                              series,
                              {{"sent by NICs, Gbit/s, stacked", std::move(queues), true}});
    }
};

NS_OBJECT_ENSURE_REGISTERED(PrioritiesFigure);

/** Bytes that wait in the fullest queues of ports, at the ends of the intervals. */
class QueuesFigure : public SeriesFigure
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::QueuesFigure")
                                .SetParent<Figure>()
                                .SetGroupName("Ddl")
                                .AddConstructor<QueuesFigure>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "bytes in the fullest queues over time (needs output.series); of several results, "
               "the first";
    }

  private:
    FigureFiles Draw(SeriesTable& series, const std::string& runs) const override
    {
        auto queues =
            series.Read("port", "backlog_bytes", [](const CsvTable& table, std::size_t row) {
                return table.GetText(row, "name") + ", queue " + table.GetText(row, "queue");
            });
        if (queues.empty())
        {
            return Nothing("nothing waited at the end of any interval (fluids have no queues)");
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
        const auto names = ListNames(queues);
        return MakeTimeFigure({GetName(), "Queues of ports", runs, names},
                              series,
                              {{"waiting, kB", std::move(queues)}});
    }
};

NS_OBJECT_ENSURE_REGISTERED(QueuesFigure);

/** How many GPUs computed, were held without computing, or were free; and how many jobs waited. */
class GpusFigure : public SeriesFigure
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::GpusFigure")
                                .SetParent<Figure>()
                                .SetGroupName("Ddl")
                                .AddConstructor<GpusFigure>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "what GPUs did over time (needs output.series); of several results, the first";
    }

  private:
    FigureFiles Draw(SeriesTable& series, const std::string& runs) const override
    {
        std::vector<Curve> kinds;
        for (const auto& [quantity, name] :
             std::vector<std::pair<std::string, std::string>>{{"busy", "computing"},
                                                              {"waiting", "held, not computing"},
                                                              {"idle", "free"}})
        {
            auto found = series.Read("gpus", quantity, [name = name](const auto&, std::size_t) {
                return name;
            });
            kinds.push_back(found.empty()
                                ? Curve{name, std::vector<double>(series.GetEnds().size())}
                                : std::move(found.front()));
        }
        const auto names = ListNames(kinds);
        return MakeTimeFigure({GetName(), "GPUs", runs, names},
                              series,
                              {{"GPUs", std::move(kinds), true}});
    }
};

NS_OBJECT_ENSURE_REGISTERED(GpusFigure);

} // namespace ns3::ddl
