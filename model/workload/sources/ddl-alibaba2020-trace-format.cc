// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-cluster-log-trace-format.h"

#include "ns3/ddl-content-hash.h"
#include "ns3/string.h"

#include <algorithm>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/stream.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unordered_map>

namespace ns3::ddl
{

namespace
{

// The published tables have no first line of names; these are the names published beside them.
const std::string TASKS = "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,"
                          "plan_mem,plan_gpu,gpu_type";
const std::string JOBS = "job_name,inst_id,user,status,start_time,end_time";
const std::string INSTANCES = "job_name,task_name,inst_name,worker_name,inst_id,status,start_time,"
                              "end_time,machine";

/** A table of the log: its columns, and whether its first line names them. */
struct Table
{
    TraceColumns columns;
    bool isNamed{false};
};

/** \return whether a line is a row of a table without names, by number of fields and its status */
bool
IsRowOf(const std::string& line, const std::string& header)
{
    static const std::vector<std::string> states = {"Terminated", "Failed", "Running", "Waiting"};
    const TraceColumns columns(header);
    const auto fields = SplitCsv(line);
    return fields.size() == columns.GetCount() &&
           std::count(states.begin(), states.end(), fields[*columns.Find("status")]) > 0;
}

/** \return whether a line is the first of a table: its names, or a row */
bool
IsTable(const std::string& line, const std::string& header, const std::vector<std::string>& names)
{
    return TraceColumns(line).HasAll(names) || IsRowOf(line, header);
}

Table
FindColumns(const std::string& line, const std::string& header)
{
    const bool isNamed = TraceColumns(line).Has("job_name");
    return {TraceColumns(isNamed ? line : header), isNamed};
}

} // namespace

/**
 * `alibaba2020`: `pai_task_table.csv` of Alibaba's cluster-trace-gpu-v2020 (Weng et al., NSDI
 * 2022), with a first line of names or, as published, without. Tasks of one `job_name` are a job:
 * its GPUs are `inst_num` times `plan_gpu` (per cent of a GPU) of all tasks; it runs from their
 * first start to their last end. Tasks named `ServerTask` that ask for no GPU are its parameter
 * servers. A time of 0 is a missing one.
 *
 * A job arrives at the start of its first task, or with `JobTable` when it was submitted.
 */
class Alibaba2020TraceFormat : public ClusterLogTraceFormat
{
  public:
    static TypeId GetTypeId()
    {
        using Self = Alibaba2020TraceFormat;
        static TypeId tid =
            TypeId("ns3::ddl::Alibaba2020TraceFormat")
                .SetParent<ClusterLogTraceFormat>()
                .SetGroupName("Ddl")
                .AddConstructor<Self>()
                .AddAttribute("JobTable",
                              "pai_job_table.csv beside the log: jobs arrive at its start_time; if "
                              "empty, at the start of their first task",
                              StringValue(""),
                              MakeStringAccessor(&Self::m_jobTable),
                              MakeStringChecker())
                .AddAttribute("ServerTask",
                              "tasks of this name without a GPU are parameter servers; if empty, "
                              "none are",
                              StringValue("ps"),
                              MakeStringAccessor(&Self::m_serverTask),
                              MakeStringChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "pai_task_table.csv of Alibaba's cluster-trace-gpu-v2020, with or without names of "
               "columns";
    }

    bool Recognises(const std::string& header) const override
    {
        return IsTable(header, TASKS, {"job_name", "task_name", "plan_gpu"}) ||
               IsTable(header, JOBS, {"job_name", "user", "status"}) ||
               IsTable(header, INSTANCES, {"job_name", "inst_name"});
    }

  private:
    using Names = std::unordered_map<std::string, std::size_t>; // index of each job

    LogColumns GetColumns() const override
    {
        return {{"job_name", "inst_num", "start_time", "end_time", "plan_gpu"},
                "start_time",
                "start_time",
                "end_time",
                "",
                "status",
                ""};
    }

    void ReadGpus(const TraceRow& row, LogJob& job) const override
    {
        constexpr double WHOLE = 100; // per cent
        constexpr uint64_t MOST_INSTANCES = 1000000;
        const double gpus = LogJobs::ReadCount(row, "plan_gpu") / WHOLE;
        const uint64_t instances = IsMissing(row.Text("inst_num"))
                                       ? 1
                                       : row.Whole("inst_num", 0, MOST_INSTANCES).value_or(0);
        job.AddGpus(gpus, instances);
        if (gpus == 0 && !m_serverTask.empty() && row.Text("task_name") == m_serverTask)
        {
            job.servers = static_cast<uint32_t>(std::min(instances, MOST_GPUS));
        }
    }

    void DoRead(TraceLines& lines, Trace& trace) const override
    {
        const std::string first = lines.Next().value_or("");
        const bool isTasks = IsTable(first, TASKS, GetColumns().required);
        if (!isTasks && Recognises(first))
        {
            lines.Refuse("is the first line of another table of this log, without GPUs (name "
                         "pai_task_table.csv; the attribute JobTable names pai_job_table.csv)");
            return;
        }
        const Table table = FindColumns(first, TASKS);
        if (!table.columns.Require(GetColumns().required, lines))
        {
            return;
        }
        LogJobs rules(*this, table.columns, lines, trace);
        std::vector<LogJob> jobs;
        Names names;
        auto line = table.isNamed ? lines.Next() : std::make_optional(first);
        for (; line; line = lines.Next())
        {
            ReadTask(TraceRow(table.columns, *line, lines), rules, jobs, names);
        }
        if (!m_jobTable.empty())
        {
            ReadJobTable(trace, lines, jobs, names, rules);
        }
        for (const auto& job : jobs)
        {
            rules.Take(job);
        }
        rules.Finish();
    }

    /** \return the time in a field; none if it is missing or 0 */
    static std::optional<double> ReadTaskTime(LogJobs& rules,
                                              const TraceRow& row,
                                              const std::string& column)
    {
        const auto time = rules.ReadTime(row, column);
        return time.value_or(0) > 0 ? time : std::nullopt;
    }

    void ReadTask(const TraceRow& row,
                  LogJobs& rules,
                  std::vector<LogJob>& jobs,
                  Names& names) const
    {
        LogJob task;
        rules.ReadCommon(row, task);
        ReadGpus(row, task);
        task.start = ReadTaskTime(rules, row, "start_time");
        task.end = ReadTaskTime(rules, row, "end_time");
        task.submit = task.start;
        if (!row.IsGood())
        {
            return;
        }
        const auto [known, isNew] = names.emplace(row.Text("job_name"), jobs.size());
        if (isNew)
        {
            jobs.push_back(task);
        }
        else
        {
            Join(jobs[known->second], task);
        }
    }

    /** Add a task to the others of its job. Of tasks without a GPU only servers count. */
    static void Join(LogJob& job, const LogJob& task)
    {
        if (task.servers != NOT_GIVEN)
        {
            job.servers = (job.servers != NOT_GIVEN ? job.servers : 0) + task.servers;
        }
        if (task.gpus == 0)
        {
            return;
        }
        if (job.gpus == 0)
        {
            const uint32_t servers = job.servers;
            const uint64_t line = job.line;
            job = task;
            job.servers = servers;
            job.line = line;
            return;
        }
        job.gpus += task.gpus;
        job.isPart = job.isPart || task.isPart;
        job.isOther = job.isOther || task.isOther;
        job.isWrongState = job.isWrongState || task.isWrongState;
        if (task.start && (!job.start || *task.start < *job.start))
        {
            job.start = task.start;
            job.submit = task.submit;
        }
        const bool isEndless = !job.end || !task.end; // one of its tasks still ran
        job.end = isEndless ? std::nullopt : std::max(job.end, task.end);
    }

    /** Set the arrival of jobs to their submission; of the others to nothing known. */
    void ReadJobTable(Trace& trace,
                      TraceLines& log,
                      std::vector<LogJob>& jobs,
                      const Names& names,
                      LogJobs& rules) const
    {
        const auto path = std::filesystem::path(trace.name).parent_path() / m_jobTable;
        std::ifstream file(path, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(file),
                               std::istreambuf_iterator<char>()};
        if (!file || text.empty())
        {
            log.Refuse("JobTable: " + path.string() + " cannot be read, or is empty");
            return;
        }
        trace.hash = HashText(text);
        boost::iostreams::stream<boost::iostreams::array_source> input(text.data(), text.size());
        TraceLines lines(input, path.string());
        auto line = lines.Next();
        const Table table = FindColumns(line.value_or(""), JOBS);
        line = table.isNamed ? lines.Next() : line;
        std::vector<bool> isFound(jobs.size(), false);
        if (table.columns.Require({"job_name", "start_time"}, lines))
        {
            for (; line; line = lines.Next())
            {
                const TraceRow row(table.columns, *line, lines);
                const auto job = names.find(row.Text("job_name"));
                const auto submit = ReadTaskTime(rules, row, "start_time");
                if (job != names.end() && submit && row.IsGood())
                {
                    jobs[job->second].submit = submit;
                    isFound[job->second] = true;
                }
            }
        }
        lines.Finish();
        for (std::size_t i = 0; i < jobs.size(); ++i)
        {
            if (!isFound[i])
            {
                rules.Note("not in JobTable: they arrive when they start", jobs[i].line);
            }
        }
    }

    std::string m_jobTable;
    std::string m_serverTask;
};

NS_OBJECT_ENSURE_REGISTERED(Alibaba2020TraceFormat);

} // namespace ns3::ddl
