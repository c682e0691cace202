// SPDX-License-Identifier: GPL-2.0-only
#include "app/results/ddl-csv-table.h"
#include "ddl-figure-table.h"
#include "ddl-gnuplot.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <vector>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t COLOURS = 8;         //!< of SeriesLook, before they repeat
constexpr std::size_t MOST_LINES = 4096;   //!< GPUs
constexpr std::size_t MOST_NAMES = 24;     //!< of machines that can be read on the axis
constexpr std::size_t MOST_BOXES = 200000; //!< that a picture is drawn of

/** A GPU: machine and index. */
using Slot = std::pair<uint64_t, uint64_t>;

/** A run of a job on one GPU. */
struct Box
{
    Slot slot;
    double start;
    double end;
    uint64_t job;
    std::string label;
};

/** \return "0:0 0:1 3:2" as GPUs */
std::vector<Slot>
ParseSlots(const std::string& text)
{
    std::vector<Slot> slots;
    std::istringstream words(text);
    std::string word;
    while (words >> word)
    {
        const auto colon = word.find(':');
        slots.emplace_back(std::strtoull(word.c_str(), nullptr, 10),
                           std::strtoull(word.c_str() + colon + 1, nullptr, 10));
    }
    return slots;
}

/** \return a box for each GPU of each run in runs.csv */
std::vector<Box>
ReadBoxes(const std::string& folder)
{
    std::vector<Box> boxes;
    if (!std::filesystem::exists(folder + "/runs.csv"))
    {
        return boxes; // of a run that an earlier version made
    }
    const CsvTable table(folder + "/runs.csv");
    for (std::size_t row = 0; row < table.GetRows(); ++row)
    {
        const auto job = static_cast<uint64_t>(table.GetNumber(row, "job_id").value_or(0));
        const double start = table.GetNumber(row, "start_s").value_or(0);
        const double end = table.GetNumber(row, "end_s").value_or(0);
        const std::string label = "job " + table.GetText(row, "job_id") + ", run " +
                                  table.GetText(row, "run") + ": " + table.GetText(row, "reason");
        for (const Slot& slot : ParseSlots(table.GetText(row, "gpus")))
        {
            boxes.push_back({slot, start, end, job, label});
        }
    }
    return boxes;
}

/** \return the line of each GPU that was used: 0, 1, ... from the first machine on */
std::map<Slot, std::size_t>
NumberSlots(const std::vector<Box>& boxes)
{
    std::set<Slot> slots;
    for (const Box& box : boxes)
    {
        slots.insert(box.slot);
    }
    std::map<Slot, std::size_t> lines;
    for (const Slot& slot : slots)
    {
        lines.emplace(slot, lines.size());
    }
    return lines;
}

/** \return the boxes, on a row for each GPU; the first GPU of a machine has the machine's name */
Chart
MakeGanttChart(const FigureFrame& frame,
               const std::vector<Box>& boxes,
               const std::map<Slot, std::size_t>& lines)
{
    Chart::Panel panel;
    panel.kind = Chart::Kind::BOXES;
    panel.xLabel = "simulated time (s)";
    panel.yLabel = "GPUs, by machine";
    panel.names.resize(lines.size());
    std::set<uint64_t> named;
    for (const auto& [slot, line] : lines)
    {
        if (named.insert(slot.first).second)
        {
            panel.names[line] = "h" + std::to_string(slot.first);
        }
    }
    for (const Box& box : boxes)
    {
        panel.boxes.push_back({lines.at(box.slot),
                               box.start,
                               box.end,
                               static_cast<std::size_t>(box.job % COLOURS),
                               "job " + std::to_string(box.job),
                               "h" + std::to_string(box.slot.first) + ", GPU " +
                                   std::to_string(box.slot.second) + ": " + box.label});
    }
    return {frame.title, frame.note, {std::move(panel)}};
}

std::string
FormatScript(const FigureFrame& frame, const std::map<Slot, std::size_t>& lines)
{
    std::map<uint64_t, std::pair<std::size_t, std::size_t>> machines; // first line, and last
    for (const auto& [slot, line] : lines)
    {
        auto& range = machines.try_emplace(slot.first, line, line).first->second;
        range.second = line;
    }
    const std::size_t step = 1 + machines.size() / MOST_NAMES;
    std::ostringstream script;
    script << BeginGnuplotScript(frame) << PlaceGnuplotPanel(0)
           << "set xlabel 'simulated time (s)'\nset ylabel 'GPUs, by machine'\n"
           << "set yrange [" << lines.size() << " - 0.5:-0.5]\nset xrange [0:*]\nset ytics (";
    std::size_t number = 0;
    std::ostringstream borders;
    for (const auto& [machine, range] : machines)
    {
        if (number % step == 0)
        {
            script << (number == 0 ? "" : ", ") << "'h" << machine << "' "
                   << 0.5 * static_cast<double>(range.first + range.second);
        }
        if (number > 0 && machines.size() <= 2 * MOST_NAMES)
        {
            borders << "set arrow from graph 0, first " << range.first
                    << " - 0.5 to graph 1, first " << range.first
                    << " - 0.5 nohead linecolor rgb '#C0C0C0' back\n";
        }
        ++number;
    }
    script << ")\n" << borders.str() << "set style fill solid 0.8 border rgb 'white'\nplot \\\n";
    for (std::size_t colour = 0; colour < COLOURS; ++colour)
    {
        script << (colour == 0 ? "" : ", \\\n") << "  data skip 1 using ($5 == " << colour
               << " ? ($1 + $2) / 2 : 1/0):3:1:2:($3 - 0.45):($3 + 0.45) with boxxyerror linewidth "
               << "0.3 linecolor rgb '#" << GetSeriesLook(colour).colour << "' notitle";
    }
    script << "\n" << EndGnuplotScript();
    return script.str();
}

} // namespace

/**
 * Jobs over GPUs and time: a box for each GPU of each run of a job (runs.csv), machine by machine.
 * Jobs are told apart by eight colours, by number. Of the first run that ended.
 */
class GanttFigure : public Figure
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::GanttFigure")
                                .SetParent<Figure>()
                                .SetGroupName("Ddl")
                                .AddConstructor<GanttFigure>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "which job held which GPU when; of several results, the first";
    }

  private:
    FigureFiles DoMake(const std::vector<ResultSet>& sets) const override
    {
        const ResultSet* const shown = FindOneWithRuns(sets);
        const std::vector<Box> boxes =
            shown ? ReadBoxes(shown->ListRuns().front()) : std::vector<Box>();
        const auto lines = NumberSlots(boxes);
        if (boxes.empty())
        {
            return Nothing("no job held a GPU");
        }
        const FigureFrame frame{GetName(), "Jobs on GPUs over time", DescribeRuns({*shown})};
        Chart chart = MakeGanttChart(frame, boxes, lines);
        if (lines.size() > MOST_LINES || boxes.size() > MOST_BOXES)
        {
            return {"",
                    "",
                    std::to_string(boxes.size()) + " runs on " + std::to_string(lines.size()) +
                        " GPUs are too many for one picture",
                    nullptr,
                    std::move(chart)};
        }
        FigureTable<double, double, uint64_t, uint64_t, uint64_t> table(
            "start_s,end_s,line,job_id,colour");
        for (const Box& box : boxes)
        {
            table.AddRow(box.start,
                         box.end,
                         lines.at(box.slot),
                         box.job,
                         box.job % COLOURS,
                         box.label);
        }
        return table.MakeFiles(FormatScript(frame, lines), std::move(chart));
    }
};

NS_OBJECT_ENSURE_REGISTERED(GanttFigure);

} // namespace ns3::ddl
