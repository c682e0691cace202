// SPDX-License-Identifier: GPL-2.0-only
#include "app/results/ddl-csv-table.h"
#include "app/results/ddl-result-set.h"
#include "ddl-figure.h"
#include "ddl-step-figure.h"

#include <algorithm>
#include <map>
#include <vector>

namespace ns3::ddl
{

namespace
{

constexpr double LONG_RUN = 3 * 3600; //!< s; times of longer runs are in hours
constexpr double IN_HOURS = 3600;
constexpr std::size_t HOLDING_INTERVALS = 300; //!< intervals of a curve, which shows their means
constexpr std::size_t MOST_COMMUNICATING = 12; //!< most jobs that can be told apart in one panel

/** Unit in which times are shown. */
struct TimeUnit
{
    std::string name;
    double seconds;
};

TimeUnit
ChooseUnit(double end)
{
    return end < LONG_RUN ? TimeUnit{"s", 1} : TimeUnit{"h", IN_HOURS};
}

/** A run of a job. Times in seconds. */
struct JobRun
{
    std::string job;
    double start;
    double end;
    double trainStart;
    double trainEnd;
    double iterations;
    double gpus;
};

/** \return the rows of a run's runs.csv; none where there is no such file */
std::vector<JobRun>
ReadJobRuns(const std::string& folder)
{
    std::vector<JobRun> runs;
    const auto table = OpenTable(folder, "runs"); // earlier versions wrote no runs.csv
    for (std::size_t row = 0; table && row < table->GetRows(); ++row)
    {
        const auto get = [&](const char* column) {
            return table->GetNumber(row, column).value_or(0);
        };
        const std::string& gpus = table->GetText(row, "gpus"); // machine:index, "0:0 0:1"
        runs.push_back({table->GetText(row, "job_id"),
                        get("start_s"),
                        get("end_s"),
                        get("train_start_s"),
                        get("train_end_s"),
                        get("iterations"),
                        static_cast<double>(std::count(gpus.begin(), gpus.end(), ':'))});
    }
    return runs;
}

double
FindEnd(const std::vector<JobRun>& runs)
{
    double end = 0;
    for (const JobRun& run : runs)
    {
        end = std::max(end, run.end);
    }
    return end;
}

/** \return mean number of GPUs that runs held in each of HOLDING_INTERVALS equal intervals */
std::vector<double>
GetHeldGpus(const std::vector<JobRun>& runs, double end)
{
    std::vector<double> held(HOLDING_INTERVALS);
    const double length = end / HOLDING_INTERVALS;
    for (const JobRun& run : runs)
    {
        const auto first = static_cast<std::size_t>(run.start / length);
        for (std::size_t i = first; i < held.size() && i * length < run.end; ++i)
        {
            const double from = std::max(run.start, i * length);
            held[i] += run.gpus * (std::min(run.end, (i + 1) * length) - from) / length;
        }
    }
    return held;
}

/** A job that has left. */
struct JobTotals
{
    std::string job;
    std::string model;
    double communicated; //!< time in which the job only communicated, s
    double compute;      //!< compute time of an iteration, s
};

/** \return the job of each model that communicated longest, at most MOST_COMMUNICATING jobs */
std::vector<JobTotals>
ChooseJobs(const std::string& folder, const std::vector<JobRun>& runs)
{
    const CsvTable table(folder + "/jobs.csv");
    std::map<std::string, JobTotals> ofModels;
    for (std::size_t row = 0; row < table.GetRows(); ++row)
    {
        const JobTotals job{table.GetText(row, "job_id"),
                            table.GetText(row, "model"),
                            table.GetNumber(row, "comm_s").value_or(0),
                            table.GetNumber(row, "compute_s").value_or(0) /
                                std::max(table.GetNumber(row, "iterations").value_or(0), 1.0)};
        const bool hasRuns = std::any_of(runs.begin(), runs.end(), [&job](const JobRun& run) {
            return run.job == job.job && run.iterations > 0;
        });
        const auto known = ofModels.find(job.model);
        if (hasRuns && (known == ofModels.end() || known->second.communicated < job.communicated))
        {
            ofModels[job.model] = job;
        }
    }
    std::vector<JobTotals> jobs;
    for (const auto& [model, job] : ofModels)
    {
        if (jobs.size() < MOST_COMMUNICATING)
        {
            jobs.push_back(job);
        }
    }
    return jobs;
}

/** \return the part of an iteration in which a job only communicated, run by run, in percent */
StepCurve
DrawCommunication(const JobTotals& job, const std::vector<JobRun>& runs, const TimeUnit& unit)
{
    std::vector<JobRun> own;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(own), [&job](const JobRun& run) {
        return run.job == job.job && run.iterations > 0 && run.trainEnd > run.trainStart;
    });
    std::sort(own.begin(), own.end(), [](const JobRun& a, const JobRun& b) {
        return a.trainStart < b.trainStart;
    });
    StepCurve curve{job.model + ", job " + job.job, {}, 0};
    for (const JobRun& run : own)
    {
        const double computed = job.compute * run.iterations / (run.trainEnd - run.trainStart);
        curve.steps.push_back({run.trainStart / unit.seconds, 100 * std::max(1 - computed, 0.0)});
        curve.steps.push_back({run.trainEnd / unit.seconds, std::nullopt});
        curve.end = run.trainEnd / unit.seconds;
    }
    return curve;
}

/** GPUs that jobs held, over time, a line for each result (Dally, Fig. 11). */
Chart
MakeHeldGpus(const std::vector<ResultSet>& sets)
{
    std::vector<std::pair<std::string, std::vector<JobRun>>> shown;
    double last = 0;
    for (const auto& set : sets)
    {
        const auto folders = set.ListRuns();
        auto runs = folders.empty() ? std::vector<JobRun>() : ReadJobRuns(folders.front());
        last = std::max(last, FindEnd(runs));
        if (!runs.empty())
        {
            shown.emplace_back(set.label, std::move(runs));
        }
    }
    if (last == 0)
    {
        return NothingToDraw("no job held a GPU");
    }
    const TimeUnit unit = ChooseUnit(last);
    std::vector<StepCurve> curves;
    for (const auto& [label, runs] : shown)
    {
        const double end = FindEnd(runs);
        StepCurve curve{label, {}, end / unit.seconds};
        const auto held = GetHeldGpus(runs, end);
        for (std::size_t i = 0; i < held.size(); ++i)
        {
            curve.steps.push_back({curve.end * i / HOLDING_INTERVALS, held[i]});
        }
        curves.push_back(std::move(curve));
    }
    return {"GPUs of jobs",
            DescribeRuns(sets),
            {MakeStepPanel({"GPUs that jobs held", "", "gpus"}, unit.name, curves)}};
}

constexpr FigureEntry HELD_GPUS{"ns3::ddl::HeldGpusFigure",
                                "GPUs that jobs held over time, a line for each result; of each, "
                                "the first run",
                                MakeHeldGpus};
const TypeId HELD_GPUS_FIGURE = FigureOf<HELD_GPUS>::GetTypeId();

/**
 * The part of an iteration in which a job only communicated, over time: it changes with the job's
 * GPUs. The curves are the jobs that communicated longest, one per model (Dally, Fig. 6).
 */
Chart
MakeCommunication(const std::vector<ResultSet>& sets)
{
    const ResultSet* const set = FindOneWithRuns(sets);
    if (!set)
    {
        return NothingToDraw("no run has ended");
    }
    const std::string folder = set->ListRuns().front();
    const auto runs = ReadJobRuns(folder);
    const auto jobs = ChooseJobs(folder, runs);
    if (jobs.empty())
    {
        return NothingToDraw("no job has finished an iteration");
    }
    const TimeUnit unit = ChooseUnit(FindEnd(runs));
    std::vector<StepCurve> curves;
    for (const JobTotals& job : jobs)
    {
        curves.push_back(DrawCommunication(job, runs, unit));
    }
    return {"Communication of jobs",
            (sets.size() > 1 ? set->label + "; " : "") + DescribeRuns({*set}),
            {MakeStepPanel({"communication, % of an iteration", "%", "communication_percent"},
                           unit.name,
                           curves)}};
}

constexpr FigureEntry COMMUNICATION{"ns3::ddl::CommunicationFigure",
                                    "part of an iteration in which a job only communicated, over "
                                    "time, for a job of each model; of several results, the first",
                                    MakeCommunication};
const TypeId COMMUNICATION_FIGURE = FigureOf<COMMUNICATION>::GetTypeId();

} // namespace

} // namespace ns3::ddl
