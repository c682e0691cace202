// SPDX-License-Identifier: GPL-2.0-only
#include "app/results/ddl-csv-table.h"
#include "ddl-figure.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t COLOURS = 7;     //!< number of colours of jobs
constexpr std::size_t MOST_STAGES = 5; //!< most stages that the key names one by one
constexpr double LIGHTEST = 0.35;      //!< strength of the first stage's colour, if there are many

/** Why jobs have no GPUs between two runs, as runs.csv has it; each has a hatching. */
const std::vector<std::string> WAITS{"suspended", "migrated", "killed", "failed"};

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

/** All that is drawn. */
struct Gantt
{
    std::vector<GanttBox> boxes;
    std::map<Slot, std::size_t> lines; //!< row of each used GPU, 0, 1, ... by machine
    std::vector<Chart::Box> waits;     //!< times between two runs of a job; rows begin at 0
    std::size_t lanes{0};              //!< number of rows of waits, which do not overlap in any
    uint64_t stages{0};                //!< greatest number of a stage, 0 if there are none
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

/** Give each wait the first row that is free. \param waits waits, by job \return number of rows */
std::size_t
StackWaits(std::vector<Chart::Box>& waits)
{
    std::stable_sort(waits.begin(), waits.end(), [](const Chart::Box& a, const Chart::Box& b) {
        return a.start < b.start;
    });
    std::vector<double> ends; // end of the last wait in each row
    for (Chart::Box& wait : waits)
    {
        const auto found = std::find_if(ends.begin(), ends.end(), [&wait](double end) {
            return end <= wait.start;
        });
        wait.row = static_cast<std::size_t>(found - ends.begin());
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
            const auto wait = std::find(WAITS.begin(), WAITS.end(), list[i].reason);
            const double end = i + 1 < list.size() ? list[i + 1].start : last;
            if (wait != WAITS.end() && end > list[i].end)
            {
                const std::string name = "job " + std::to_string(job);
                gantt.waits.push_back({0,
                                       list[i].end,
                                       end,
                                       static_cast<std::size_t>(job % COLOURS),
                                       name,
                                       name + ", " + *wait + ", waits for GPUs",
                                       1,
                                       static_cast<std::size_t>(wait - WAITS.begin())});
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

/** \return strength of the colour of a stage, above 0, at most 1: later stages are darker */
double
GetShade(const std::optional<uint64_t>& stage, uint64_t stages)
{
    return !stage || stages < 2 ? 1
                                : LIGHTEST + (1 - LIGHTEST) * static_cast<double>(*stage - 1) /
                                                 static_cast<double>(stages - 1);
}

/** \return what the colours mean: the first jobs that have each */
std::vector<Chart::KeyEntry>
ListJobColours(const Gantt& gantt)
{
    std::set<uint64_t> jobs;
    for (const GanttBox& box : gantt.boxes)
    {
        jobs.insert(box.job);
    }
    std::vector<std::size_t> colours; // in the order of their first jobs
    std::map<std::size_t, std::vector<uint64_t>> numbers;
    for (const uint64_t job : jobs)
    {
        auto& same = numbers[job % COLOURS];
        if (same.empty())
        {
            colours.push_back(job % COLOURS);
        }
        same.push_back(job);
    }
    std::vector<Chart::KeyEntry> key;
    for (const std::size_t colour : colours)
    {
        const auto& same = numbers[colour];
        std::string name = (same.size() > 1 ? "jobs " : "job ") + std::to_string(same[0]);
        name += same.size() > 1 ? ", " + std::to_string(same[1]) : "";
        name += same.size() > 2 ? ", ..." : "";
        key.push_back({name, colour});
    }
    return key;
}

/** \return what colours, their strengths, in grey, and the hatchings mean */
std::vector<Chart::KeyEntry>
ListKey(const Gantt& gantt)
{
    auto key = ListJobColours(gantt);
    for (uint64_t stage = 1; stage <= gantt.stages && gantt.stages > 1; ++stage)
    {
        if (gantt.stages <= MOST_STAGES || stage == 1 || stage == gantt.stages)
        {
            key.push_back({"stage " + std::to_string(stage), {}, GetShade(stage, gantt.stages)});
        }
    }
    for (std::size_t reason = 0; reason < WAITS.size(); ++reason)
    {
        if (std::any_of(gantt.waits.begin(), gantt.waits.end(), [reason](const Chart::Box& wait) {
                return wait.hatching == reason;
            }))
        {
            key.push_back({WAITS[reason], {}, 1, reason});
        }
    }
    return key;
}

/**
 * \return the boxes, on a row for each GPU, below them the jobs without GPUs; the first GPU of a
 *         machine has the machine's name
 */
Chart::Panel
MakeGanttPanel(const Gantt& gantt)
{
    Chart::Panel panel;
    panel.kind = Chart::Kind::BOXES;
    panel.x = {"simulated time (s)", "s", "s"};
    panel.y = {"GPUs, by machine"};
    panel.key = ListKey(gantt);
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
                               GetShade(box.stage, gantt.stages)});
    }
    for (Chart::Box wait : gantt.waits)
    {
        wait.row += gantt.lines.size();
        panel.boxes.push_back(std::move(wait));
    }
    return panel;
}

/**
 * Jobs over GPUs and time: a box for each GPU of each run of a job (runs.csv), machine by machine,
 * cut where a stage of the job's cojob starts (stages.csv); later stages are darker. Below the GPUs
 * stand the jobs that have none between two runs: suspended, migrated, killed, or failed, told
 * apart by hatching. Jobs are told apart by seven colours, by number. The figure shows the first
 * run that ended.
 */
Chart
MakeGantt(const std::vector<ResultSet>& sets)
{
    const ResultSet* const shown = FindOneWithRuns(sets);
    const Gantt gantt = shown ? ReadGantt(shown->ListRuns().front()) : Gantt();
    if (gantt.boxes.empty())
    {
        return NothingToDraw("no job held a GPU");
    }
    return {"Jobs on GPUs over time", DescribeRuns({*shown}), {MakeGanttPanel(gantt)}};
}

constexpr FigureEntry GANTT{"ns3::ddl::GanttFigure",
                            "which job held which GPU when, by stage, and who was suspended; of "
                            "several results, the first",
                            MakeGantt};
const TypeId GANTT_FIGURE = FigureOf<GANTT>::GetTypeId();

} // namespace

} // namespace ns3::ddl
