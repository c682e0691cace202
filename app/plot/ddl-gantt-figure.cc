// SPDX-License-Identifier: GPL-2.0-only
#include "app/results/ddl-csv-table.h"
#include "ddl-figure-table.h"
#include "ddl-gnuplot.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t COLOURS = 7;         //!< number of colours of jobs
constexpr std::size_t MOST_LINES = 4096;   //!< most rows: GPUs, and lanes of waits
constexpr std::size_t MOST_NAMES = 24;     //!< most names of machines that the axis has room for
constexpr std::size_t MOST_BOXES = 200000; //!< most boxes that a picture is drawn of
constexpr std::size_t MOST_STAGES = 5;     //!< most stages that the key names one by one
constexpr double LIGHTEST = 0.35; //!< strength of the first stage's colour, if there are many

/** Why jobs have no GPUs between two runs, as runs.csv has it, and gnuplot's pattern for it. */
const std::vector<std::pair<std::string, int>> WAITS{{"suspended", 4},
                                                     {"migrated", 5},
                                                     {"killed", 1},
                                                     {"failed", 2}};

/** A GPU: machine and index. */
using Slot = std::pair<uint64_t, uint64_t>;

/** A stage of a cojob. */
struct GanttStage
{
    uint64_t number;
    double start; //!< when its start message reached the first machine, s
    double end;   //!< when its last job had finished it, s
};

/** A run of a job, as runs.csv has it. */
struct GanttRun
{
    uint64_t job;
    uint64_t number;
    double start;
    double end;
    std::string reason; //!< reason of the run's end, as runs.csv has it
    std::vector<Slot> gpus;
};

/** A part of a run on one GPU, in one stage. */
struct GanttBox
{
    Slot slot;
    double start;
    double end;
    uint64_t job;
    std::optional<uint64_t> stage; //!< number of the stage, for a job of a cojob
    std::string label;
};

/** A time between two runs of a job, in which it has no GPUs. */
struct GanttWait
{
    std::size_t lane; //!< row below the GPUs, 0, 1, ...; waits in a row do not overlap
    double start;
    double end;
    uint64_t job;
    std::string reason; //!< reason of the wait, one of WAITS
};

/** All that is drawn. */
struct Gantt
{
    std::vector<GanttBox> boxes;
    std::map<Slot, std::size_t> lines; //!< row of each used GPU, 0, 1, ... by machine
    std::vector<GanttWait> waits;
    std::size_t lanes{0};
    uint64_t stages{0}; //!< greatest number of a stage, 0 if there are none
};

/** \return the GPUs that a text like "0:0 0:1 3:2" lists */
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

uint64_t
GetWhole(const CsvTable& table, std::size_t row, const std::string& column)
{
    return static_cast<uint64_t>(table.GetNumber(row, column).value_or(0));
}

/** \return the runs of each job, in order */
std::map<uint64_t, std::vector<GanttRun>>
ReadRuns(const std::string& folder)
{
    std::map<uint64_t, std::vector<GanttRun>> runs;
    const auto table = OpenTable(folder, "runs"); // earlier versions wrote no runs.csv
    for (std::size_t row = 0; table && row < table->GetRows(); ++row)
    {
        const uint64_t job = GetWhole(*table, row, "job_id");
        runs[job].push_back({job,
                             GetWhole(*table, row, "run"),
                             table->GetNumber(row, "start_s").value_or(0),
                             table->GetNumber(row, "end_s").value_or(0),
                             table->GetText(row, "reason"),
                             ParseSlots(table->GetText(row, "gpus"))});
    }
    for (auto& [job, list] : runs)
    {
        std::sort(list.begin(), list.end(), [](const GanttRun& a, const GanttRun& b) {
            return a.number < b.number;
        });
    }
    return runs;
}

/** \return the stages of the cojob of each job that has left, in order */
std::map<uint64_t, std::vector<GanttStage>>
ReadStagesOfJobs(const std::string& folder)
{
    std::map<uint64_t, std::vector<GanttStage>> ofCojobs;
    const CsvTable stages(folder + "/stages.csv");
    for (std::size_t row = 0; row < stages.GetRows(); ++row)
    {
        ofCojobs[GetWhole(stages, row, "cojob_id")].push_back(
            {GetWhole(stages, row, "stage"),
             stages.GetNumber(row, "start_s").value_or(0),
             stages.GetNumber(row, "end_s").value_or(0)});
    }
    for (auto& [cojob, list] : ofCojobs)
    {
        std::sort(list.begin(), list.end(), [](const GanttStage& a, const GanttStage& b) {
            return a.number < b.number;
        });
    }
    std::map<uint64_t, std::vector<GanttStage>> ofJobs;
    const CsvTable jobs(folder + "/jobs.csv");
    for (std::size_t row = 0; row < jobs.GetRows(); ++row)
    {
        const auto cojob = jobs.GetNumber(row, "cojob_id");
        const auto found = ofCojobs.find(static_cast<uint64_t>(cojob.value_or(0)));
        if (cojob && found != ofCojobs.end())
        {
            ofJobs.emplace(GetWhole(jobs, row, "job_id"), found->second);
        }
    }
    return ofJobs;
}

/**
 * Cut a run where a stage of its cojob starts. Time for which the job waits for the next stage
 * belongs to the old one.
 *
 * \param run a run
 * \param stages stages of the run's cojob that have ended, in order
 * \return a part for each stage
 */
std::vector<GanttStage>
CutByStage(const GanttRun& run, const std::vector<GanttStage>& stages)
{
    std::vector<GanttStage> parts;
    for (std::size_t i = 0; i < stages.size(); ++i)
    {
        const bool isLast = i + 1 == stages.size();
        // the search stopped the job at the end of this stage: it takes no part in later ones
        const bool isStopped = run.reason == "stopped-early" && !isLast &&
                               stages[i].end <= run.end && stages[i + 1].end > run.end;
        const double from = i == 0 ? run.start : std::max(run.start, stages[i].start);
        const double to = isLast || isStopped ? run.end : std::min(run.end, stages[i + 1].start);
        if (from < to)
        {
            parts.push_back({stages[i].number, from, to});
        }
        if (isStopped)
        {
            break;
        }
    }
    // a stage that has not ended has no row; a later run of the job may finish it
    const bool isOver = run.reason == "done" || run.reason == "stopped-early";
    if (!parts.empty() && !isOver && run.end > stages.back().end)
    {
        GanttStage& last = parts.back();
        const double begin = std::max(run.start, stages.back().end);
        last.end = begin;
        parts.push_back({stages.back().number + 1, begin, run.end});
    }
    parts.erase(std::remove_if(parts.begin(),
                               parts.end(),
                               [](const GanttStage& part) { return part.end <= part.start; }),
                parts.end());
    return parts;
}

/** Add the boxes of a run: one for each GPU and stage. */
void
AddBoxes(const GanttRun& run, const std::vector<GanttStage>& stages, Gantt& gantt)
{
    const std::string label =
        "job " + std::to_string(run.job) + ", run " + std::to_string(run.number);
    const auto parts = CutByStage(run, stages);
    for (const Slot& slot : run.gpus)
    {
        for (const GanttStage& part : parts)
        {
            gantt.stages = std::max(gantt.stages, part.number);
            gantt.boxes.push_back(
                {slot,
                 part.start,
                 part.end,
                 run.job,
                 part.number,
                 label + ", stage " + std::to_string(part.number) + ": " + run.reason});
        }
        if (parts.empty())
        {
            gantt.boxes.push_back(
                {slot, run.start, run.end, run.job, std::nullopt, label + ": " + run.reason});
        }
    }
}

/** Give each wait the first lane that is free. \return how many lanes there are */
std::size_t
StackWaits(std::vector<GanttWait>& waits)
{
    std::sort(waits.begin(), waits.end(), [](const GanttWait& a, const GanttWait& b) {
        return std::make_pair(a.start, a.job) < std::make_pair(b.start, b.job);
    });
    std::vector<double> ends; // end of the last wait in each lane
    for (GanttWait& wait : waits)
    {
        const auto found = std::find_if(ends.begin(), ends.end(), [&wait](double end) {
            return end <= wait.start;
        });
        wait.lane = static_cast<std::size_t>(found - ends.begin());
        if (found == ends.end())
        {
            ends.push_back(wait.end);
        }
        else
        {
            *found = wait.end;
        }
    }
    return ends.size();
}

Gantt
ReadGantt(const std::string& folder)
{
    Gantt gantt;
    const auto runs = ReadRuns(folder);
    if (runs.empty())
    {
        return gantt;
    }
    const auto stages = ReadStagesOfJobs(folder);
    double last = 0;
    for (const auto& [job, list] : runs)
    {
        const auto found = stages.find(job);
        for (const GanttRun& run : list)
        {
            AddBoxes(run, found == stages.end() ? std::vector<GanttStage>{} : found->second, gantt);
            last = std::max(last, run.end);
        }
    }
    for (const auto& [job, list] : runs)
    {
        for (std::size_t i = 0; i < list.size(); ++i)
        {
            const bool isWait = std::any_of(WAITS.begin(), WAITS.end(), [&](const auto& wait) {
                return wait.first == list[i].reason;
            });
            const double end = i + 1 < list.size() ? list[i + 1].start : last;
            if (isWait && end > list[i].end)
            {
                gantt.waits.push_back({0, list[i].end, end, job, list[i].reason});
            }
        }
    }
    gantt.lanes = StackWaits(gantt.waits);
    for (const GanttBox& box : gantt.boxes)
    {
        gantt.lines.emplace(box.slot, 0);
    }
    std::size_t line = 0;
    for (auto& [slot, number] : gantt.lines)
    {
        number = line++;
    }
    return gantt;
}

/** \return label of a wait: "job 3, suspended" */
std::string
LabelWait(const GanttWait& wait)
{
    return "job " + std::to_string(wait.job) + ", " + wait.reason + ", waits for GPUs";
}

/** \return strength of the colour of a stage, above 0, at most 1: later stages are darker */
double
GetShade(const std::optional<uint64_t>& stage, uint64_t stages)
{
    return !stage || stages < 2 ? 1
                                : LIGHTEST + (1 - LIGHTEST) * static_cast<double>(*stage - 1) /
                                                 static_cast<double>(stages - 1);
}

/**
 * \return the boxes, on a row for each GPU, below them the jobs without GPUs; the first GPU of a
 *         machine has the machine's name
 */
Chart
MakeGanttChart(const FigureFrame& frame, const Gantt& gantt)
{
    Chart::Panel panel;
    panel.kind = Chart::Kind::BOXES;
    panel.xLabel = "simulated time (s)";
    panel.yLabel = "GPUs, by machine";
    panel.names.resize(gantt.lines.size() + gantt.lanes);
    std::set<uint64_t> named;
    for (const auto& [slot, line] : gantt.lines)
    {
        if (named.insert(slot.first).second)
        {
            panel.names[line] = "h" + std::to_string(slot.first);
        }
    }
    if (gantt.lanes > 0)
    {
        panel.names[gantt.lines.size()] = "waits";
    }
    for (const GanttBox& box : gantt.boxes)
    {
        panel.boxes.push_back({gantt.lines.at(box.slot),
                               box.start,
                               box.end,
                               static_cast<std::size_t>(box.job % COLOURS),
                               "job " + std::to_string(box.job),
                               "h" + std::to_string(box.slot.first) + ", GPU " +
                                   std::to_string(box.slot.second) + ": " + box.label,
                               GetShade(box.stage, gantt.stages),
                               false});
    }
    for (const GanttWait& wait : gantt.waits)
    {
        panel.boxes.push_back({gantt.lines.size() + wait.lane,
                               wait.start,
                               wait.end,
                               static_cast<std::size_t>(wait.job % COLOURS),
                               "job " + std::to_string(wait.job),
                               LabelWait(wait),
                               1,
                               true});
    }
    std::string note = frame.note;
    note += "; " + std::to_string(COLOURS) + " colours by job number, not those of other charts";
    note += gantt.stages > 1 ? "; stronger colour: later stages" : "";
    note += gantt.lanes > 0 ? "; dashed: jobs without GPUs between two runs" : "";
    return {frame.title, note, {std::move(panel)}};
}

/** \return colour 0, 1, ... of COLOURS: as in SeriesLook, but brown for black: stages are grey */
std::string
GetJobColour(std::size_t colour)
{
    return colour + 1 < COLOURS ? GetSeriesLook(colour).colour : "7F5539";
}

/** An entry of the key: its name, and how its box looks. */
struct KeyEntry
{
    std::string name;
    std::string look; //!< gnuplot's style: "fillstyle solid 1 linecolor rgb '#0072B2'"
};

/** \return the key's entries for colours: each names the first jobs that have the colour */
std::vector<KeyEntry>
ListJobColours(const Gantt& gantt)
{
    std::set<uint64_t> jobs;
    for (const GanttBox& box : gantt.boxes)
    {
        jobs.insert(box.job);
    }
    std::vector<std::pair<std::size_t, std::vector<uint64_t>>> colours;
    for (const uint64_t job : jobs)
    {
        const std::size_t colour = job % COLOURS;
        const auto found = std::find_if(colours.begin(), colours.end(), [colour](const auto& one) {
            return one.first == colour;
        });
        if (found == colours.end())
        {
            colours.push_back({colour, {job}});
        }
        else
        {
            found->second.push_back(job);
        }
    }
    std::vector<KeyEntry> entries;
    for (const auto& [colour, numbers] : colours)
    {
        std::string name = (numbers.size() > 1 ? "jobs " : "job ") + std::to_string(numbers[0]);
        name += numbers.size() > 1 ? ", " + std::to_string(numbers[1]) : "";
        name += numbers.size() > 2 ? ", ..." : "";
        entries.push_back(
            {name, "fillstyle solid 1 linecolor rgb '#" + GetJobColour(colour) + "'"});
    }
    return entries;
}

/** \return the key's entries for stages: the strengths of colours, in grey */
std::vector<KeyEntry>
ListStageShades(const Gantt& gantt)
{
    std::vector<KeyEntry> entries;
    for (uint64_t stage = 1; stage <= gantt.stages && gantt.stages > 1; ++stage)
    {
        if (gantt.stages > MOST_STAGES && stage > 1 && stage < gantt.stages)
        {
            continue;
        }
        entries.push_back({"stage " + std::to_string(stage),
                           "fillstyle solid " + FormatReal(GetShade(stage, gantt.stages)) +
                               " linecolor rgb '#444444'"});
    }
    return entries;
}

/** \return the key's entries for waits: the hatchings */
std::vector<KeyEntry>
ListWaitPatterns(const Gantt& gantt)
{
    std::vector<KeyEntry> entries;
    for (const auto& [reason, pattern] : WAITS)
    {
        const bool isUsed =
            std::any_of(gantt.waits.begin(),
                        gantt.waits.end(),
                        [name = reason](const GanttWait& wait) { return wait.reason == name; });
        if (isUsed)
        {
            entries.push_back({reason,
                               "linecolor rgb '#444444' fillstyle pattern " +
                                   std::to_string(pattern) + " border"});
        }
    }
    return entries;
}

std::vector<KeyEntry>
ListKey(const Gantt& gantt)
{
    std::vector<KeyEntry> key = ListJobColours(gantt);
    for (const auto& more : {ListStageShades(gantt), ListWaitPatterns(gantt)})
    {
        key.insert(key.end(), more.begin(), more.end());
    }
    return key;
}

/** \return the names of machines at the y axis, and a line between two of them */
std::string
FormatMachines(const Gantt& gantt)
{
    std::map<uint64_t, std::pair<std::size_t, std::size_t>> machines; // first and last row
    for (const auto& [slot, line] : gantt.lines)
    {
        auto& range = machines.try_emplace(slot.first, line, line).first->second;
        range.second = line;
    }
    const std::size_t step = 1 + machines.size() / MOST_NAMES;
    std::ostringstream script;
    std::ostringstream borders;
    script << "set ytics (";
    std::size_t number = 0;
    for (const auto& [machine, range] : machines)
    {
        if (number % step == 0)
        {
            script << (number == 0 ? "" : ", ") << "'h" << machine << "' "
                   << static_cast<double>(range.first + range.second) / 2;
        }
        if (number > 0 && machines.size() <= 2 * MOST_NAMES)
        {
            borders << "set arrow from graph 0, first " << range.first
                    << " - 0.5 to graph 1, first " << range.first
                    << " - 0.5 nohead linecolor rgb '#C0C0C0' back\n";
        }
        ++number;
    }
    if (gantt.lanes > 0)
    {
        script << ", 'waits' lane((" << gantt.lanes << " - 1) / 2.0)";
        borders << "set arrow from graph 0, first lines - 0.25 to graph 1, first lines - 0.25 "
                   "nohead linecolor rgb '#555555' back\n";
    }
    script << ")\n" << borders.str();
    return script.str();
}

std::string
FormatGanttScript(const FigureFrame& frame, const Gantt& gantt, const std::vector<KeyEntry>& key)
{
    std::ostringstream script;
    script << BeginGnuplotScript(frame) << PlaceGnuplotPanel(0)
           << "set xlabel 'simulated time (s)'\nset ylabel 'GPUs, by machine'\n"
           << "lines = " << gantt.lines.size() << "  # GPUs\n"
           << "lanes = " << gantt.lanes << "  # of jobs without GPUs\n"
           << "high = lanes > 0 ? (1.0 * lanes > 0.5 * lines + 1 ? (0.5 * lines + 1) / lanes : 1) "
              ": 1\n"
           << "lane(n) = lines + (n + 0.5) * high\n"
           << "set yrange [lines - 0.5 + (lanes > 0 ? 0.5 + lanes * high : 0):-0.5]\n"
           << "set xrange [0:*]\n"
           << FormatMachines(gantt) << "set style fill solid 1 border rgb 'white'\n"
           << "# Colours are those of jobs, lighter in the first stages.\n"
           << "tint(c, t) = int(255 - (255 - c) * t)\n"
           << "colour(c, t) = 65536 * tint(int(c) / 65536, t) + 256 * tint(int(c) / 256 % 256, t) "
              "+ tint(int(c) % 256, t)\n"
           << "base(n) = int(word('";
    for (std::size_t colour = 0; colour < COLOURS; ++colour)
    {
        script << (colour == 0 ? "" : " ") << std::stoul(GetJobColour(colour), nullptr, 16);
    }
    script << "', int(n) % " << COLOURS << " + 1))\n"
           << "plot \\\n  data skip 1 using (strcol(6) eq 'run' ? ($1 + $2) / 2 : NaN)"
           << ":3:1:2:($3 - 0.45):($3 + 0.45):(colour(base($4), $7)) with boxxyerror linewidth 0.3 "
           << "linecolor rgb variable";
    for (const auto& [reason, pattern] : WAITS)
    {
        const bool isUsed =
            std::any_of(gantt.waits.begin(), gantt.waits.end(), [name = reason](const auto& wait) {
                return wait.reason == name;
            });
        if (isUsed)
        {
            script << ", \\\n  data skip 1 using (strcol(6) eq '" << reason
                   << "' ? ($1 + $2) / 2 : NaN):(lane($3)):1:2:(lane($3) - 0.4 * high):(lane($3) + "
                      "0.4 * high):(base($4)) with boxxyerror fillstyle pattern "
                   << pattern << " border linewidth 0.6 linecolor rgb variable";
        }
    }
    for (const auto& entry : key)
    {
        script << ", \\\n  keyentry with boxes " << entry.look << " title "
               << QuoteForGnuplot(entry.name);
    }
    script << "\n" << EndGnuplotScript();
    return script.str();
}

} // namespace

/**
 * Jobs over GPUs and time: a box for each GPU of each run of a job (runs.csv), machine by machine,
 * cut where a stage of the job's cojob starts (stages.csv); later stages are darker. Below the GPUs
 * stand the jobs that have none between two runs: suspended, migrated, killed, or failed, told
 * apart by hatching. Jobs are told apart by seven colours, by number. The figure shows the first
 * run that ended.
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
        return "which job held which GPU when, by stage, and who was suspended; of several "
               "results, the first";
    }

  private:
    FigureFiles DoMake(const std::vector<ResultSet>& sets) const override
    {
        const ResultSet* const shown = FindOneWithRuns(sets);
        const Gantt gantt = shown ? ReadGantt(shown->ListRuns().front()) : Gantt();
        if (gantt.boxes.empty())
        {
            return Nothing("no job held a GPU");
        }
        const auto key = ListKey(gantt);
        FigureFrame frame{GetName(), "Jobs on GPUs over time", DescribeRuns({*shown})};
        for (const auto& entry : key)
        {
            frame.key.push_back(entry.name);
        }
        Chart chart = MakeGanttChart(frame, gantt);
        const std::size_t boxes = gantt.boxes.size() + gantt.waits.size();
        if (gantt.lines.size() + gantt.lanes > MOST_LINES || boxes > MOST_BOXES)
        {
            return {"",
                    "",
                    std::to_string(boxes) + " runs, stages and waits on " +
                        std::to_string(gantt.lines.size()) + " GPUs are too many for one picture",
                    nullptr,
                    std::move(chart)};
        }
        FigureTable<double, double, uint64_t, uint64_t, std::optional<double>, std::string, double>
            table("start_s,end_s,line,job_id,stage,state,shade");
        for (const GanttBox& box : gantt.boxes)
        {
            table.AddRow(box.start,
                         box.end,
                         gantt.lines.at(box.slot),
                         box.job,
                         box.stage ? std::optional<double>(*box.stage) : std::nullopt,
                         "run",
                         GetShade(box.stage, gantt.stages),
                         box.label);
        }
        for (const GanttWait& wait : gantt.waits)
        {
            table.AddRow(wait.start,
                         wait.end,
                         wait.lane,
                         wait.job,
                         std::nullopt,
                         wait.reason,
                         1,
                         LabelWait(wait));
        }
        return table.MakeFiles(FormatGanttScript(frame, gantt, key), std::move(chart));
    }
};

NS_OBJECT_ENSURE_REGISTERED(GanttFigure);

} // namespace ns3::ddl
