// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-slurm.h"

#include "app/process/ddl-child-process.h"
#include "ddl-command-answer.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-safe-file.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace ns3::ddl
{

namespace
{

namespace fs = std::filesystem;

std::string
GetVariable(const char* name)
{
    const char* const value = std::getenv(name);
    return value ? value : "";
}

/** \return a number at the beginning of a text; nothing if there is none */
std::optional<std::size_t>
ReadCount(const std::string& text)
{
    std::istringstream stream(text);
    std::size_t count = 0;
    return stream >> count ? std::make_optional(count) : std::nullopt;
}

/** \return the least of the limits that a call of sacctmgr prints; no limit without accounting */
std::size_t
AskLeastLimit(const std::vector<std::string>& what)
{
    std::vector<std::string> command{"sacctmgr", "--noheader", "--parsable2", "--readonly", "show"};
    command.insert(command.end(), what.begin(), what.end());
    const auto answer = AskCommand(command);
    return answer.status == 0 ? ReadLeastSlurmLimit(answer.output) : Batch::ANY_NUMBER;
}

/** \return options that sbatch and srun share */
std::vector<std::string>
MakeCommonOptions(const EngineOptions& options)
{
    std::vector<std::string> words{"--ntasks=1", "--cpus-per-task=1"};
    const std::vector<std::pair<std::string, std::string>> choices{
        {"--account=", options.account},
        {"--partition=", options.partition},
        {"--qos=", options.qos}};
    for (const auto& [option, value] : choices)
    {
        if (!value.empty())
        {
            words.push_back(option + value);
        }
    }
    words.insert(words.end(), options.more.begin(), options.more.end());
    return words;
}

/** \return what the log of a task says about its end */
TaskState
ReadLog(const fs::path& log)
{
    constexpr std::size_t LINES = 20;
    return ReadSlurmLog(ReadEnd(log, LINES));
}

/** \return how a task has ended that Slurm has forgotten: without a log, it never began */
TaskState
ReadForgotten(const fs::path& log)
{
    std::error_code ignored;
    return fs::exists(log, ignored) ? ReadLog(log) : TaskState::CANCELLED;
}

/** \return how a task is doing. "FAILED" alone does not tell that slurmd killed it for its memory
 */
TaskState
ReadEndState(const std::string& state, const fs::path& log)
{
    const TaskState end = ReadSlurmState(state);
    return end == TaskState::OVER ? ReadLog(log) : end;
}

/** Job arrays by sbatch. The handle of a task is JOB_INDEX. */
class SlurmArrays final : public Batch
{
  public:
    explicit SlurmArrays(const EngineOptions& options)
        : m_options(options)
    {
    }

    std::string GetName() const override
    {
        return "slurm";
    }

    std::size_t CountWanted() override
    {
        return m_options.hasJobs ? m_options.jobs : 0;
    }

    std::size_t CountFree() override
    {
        AskLimits();
        if (m_mostJobs == ANY_NUMBER)
        {
            return ANY_NUMBER;
        }
        const auto answer = AskCommand({"squeue", "--noheader", "--array", "--me", "--format=%i"});
        const std::size_t there = SplitLines(answer.output).size();
        return answer.status == 0 && there < m_mostJobs ? m_mostJobs - there : 0;
    }

    void Submit(const std::vector<BatchTask*>& tasks, const fs::path& folder) override
    {
        // Tasks of an array have equal limits, so those that need about the same go together.
        std::map<std::pair<unsigned, unsigned>, std::vector<BatchTask*>> groups;
        for (BatchTask* task : tasks)
        {
            groups[{task->GetMinutes(), task->GetMegabytes()}].push_back(task);
        }
        for (auto group = groups.rbegin(); group != groups.rend(); ++group)
        {
            auto& [limits, members] = *group;
            for (std::size_t i = 0; i < members.size(); i += m_mostTasks)
            {
                const auto end = members.begin() + std::min(members.size(), i + m_mostTasks);
                if (!SubmitArray({members.begin() + i, end}, folder))
                {
                    return; // the limit on jobs is reached
                }
                m_hasSubmitted = true;
            }
        }
    }

    std::vector<TaskState> Look(const std::vector<const BatchTask*>& tasks) override
    {
        std::vector<TaskState> states(tasks.size(), TaskState::ALIVE);
        if (tasks.empty())
        {
            return states;
        }
        const auto answer = AskCommand({"squeue",
                                        "--noheader",
                                        "--array",
                                        "--states=all",
                                        "--format=%i|%T",
                                        "--jobs=" + JoinJobs(tasks)});
        const bool isForgotten = answer.output.find("Invalid job id") != std::string::npos;
        if (answer.status != 0 && !isForgotten)
        {
            return states; // nobody answers, as when the server is started again: ask later
        }
        std::map<std::string, std::string> known;
        for (const auto& line : SplitLines(answer.output))
        {
            const auto fields = SplitFields(line, '|');
            if (fields.size() == 2)
            {
                known[fields[0]] = fields[1];
            }
        }
        for (std::size_t i = 0; i < tasks.size(); ++i)
        {
            const auto found = known.find(tasks[i]->handle);
            states[i] = found != known.end() ? ReadEndState(found->second, tasks[i]->log)
                                             : Remember(*tasks[i]);
        }
        return states;
    }

    void Cancel(const std::vector<const BatchTask*>& tasks) override
    {
        constexpr int TRIES = 60;
        constexpr std::chrono::milliseconds PAUSE(500);
        if (tasks.empty())
        {
            return;
        }
        std::vector<std::string> command{"scancel"};
        for (const auto* task : tasks)
        {
            command.push_back(task->handle);
        }
        for (int i = 0; i < TRIES; ++i)
        {
            AskCommand(command);
            const auto left =
                AskCommand({"squeue", "--noheader", "--format=%i", "--jobs=" + JoinJobs(tasks)});
            const bool isForgotten = left.output.find("Invalid job id") != std::string::npos;
            if (isForgotten || (left.status == 0 && SplitLines(left.output).empty()))
            {
                return;
            }
            std::this_thread::sleep_for(PAUSE);
        }
    }

    double GetInterval() const override
    {
        return 10;
    }

  private:
    /** Ask Slurm, once, how large arrays may be, and how many jobs the user may have. */
    void AskLimits()
    {
        if (m_mostTasks > 0)
        {
            return;
        }
        const auto config = AskCommand({"scontrol", "show", "config"});
        if (config.status != 0)
        {
            throw RunError("Slurm does not answer: " + config.output);
        }
        m_mostTasks = ReadSlurmArrayLimit(config.output);
        if (FindProgram("sacctmgr").empty())
        {
            return;
        }
        const std::string user =
            GetVariable("USER").empty() ? std::to_string(getuid()) : GetVariable("USER");
        std::vector<std::string> association{"associations", "user=" + user};
        if (!m_options.account.empty())
        {
            association.push_back("account=" + m_options.account);
        }
        association.emplace_back("format=MaxSubmitJobs,GrpSubmitJobs");
        m_mostJobs = AskLeastLimit(association);
        if (!m_options.qos.empty())
        {
            m_mostJobs =
                std::min(m_mostJobs,
                         AskLeastLimit({"qos", m_options.qos, "format=MaxSubmitJobsPerUser"}));
        }
    }

    /** \return false if the user has as many jobs as the limit allows */
    bool SubmitArray(const std::vector<BatchTask*>& tasks, const fs::path& folder)
    {
        const std::string name = "array-" + std::to_string(tasks.front()->number);
        std::string list;
        for (const BatchTask* task : tasks)
        {
            list += task->script.string() + "\n";
        }
        WriteFileSafely(folder / (name + ".txt"), list);
        WriteFileSafely(folder / (name + ".sh"),
                        "#!/bin/sh\nexec /bin/sh \"$(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" " +
                            QuoteForShell((folder / (name + ".txt")).string()) + ")\"\n");
        const std::string most = m_options.hasJobs ? "%" + std::to_string(m_options.jobs) : "";
        std::vector<std::string> command{
            "sbatch",
            "--parsable",
            "--job-name=ddl",
            "--array=0-" + std::to_string(tasks.size() - 1) + most,
            "--time=" + std::to_string(tasks.front()->GetMinutes()),
            "--mem=" + std::to_string(tasks.front()->GetMegabytes()) + "M",
            "--requeue",
            "--open-mode=append",
            "--output=" + (folder / "logs" / (name + "_%a.txt")).string()};
        for (const auto& word : MakeCommonOptions(m_options))
        {
            command.push_back(word);
        }
        command.push_back((folder / (name + ".sh")).string());
        const auto answer = AskCommand(command);
        const auto job = answer.status == 0 ? ReadCount(answer.output) : std::nullopt;
        if (!job)
        {
            if (m_hasSubmitted && answer.output.find("limit") != std::string::npos)
            {
                return false;
            }
            throw RunError("sbatch refuses the tasks: " + answer.output);
        }
        for (std::size_t i = 0; i < tasks.size(); ++i)
        {
            tasks[i]->handle = std::to_string(*job) + "_" + std::to_string(i);
            tasks[i]->log = folder / "logs" / (name + "_" + std::to_string(i) + ".txt");
        }
        return true;
    }

    /** \return the state of a task that squeue no longer shows */
    static TaskState Remember(const BatchTask& task)
    {
        const auto answer = AskCommand({"sacct",
                                        "--noheader",
                                        "--allocations",
                                        "--parsable2",
                                        "--format=State",
                                        "--jobs=" + task.handle});
        const auto lines = SplitLines(answer.output);
        const bool isKnown = answer.status == 0 && !lines.empty();
        const TaskState state =
            isKnown ? ReadEndState(lines.back(), task.log) : ReadForgotten(task.log);
        return state == TaskState::ALIVE ? TaskState::OVER : state;
    }

    /** \return numbers of the jobs of tasks, each once: "12,14" */
    static std::string JoinJobs(const std::vector<const BatchTask*>& tasks)
    {
        std::set<std::string> jobs;
        for (const auto* task : tasks)
        {
            jobs.insert(task->handle.substr(0, task->handle.find('_')));
        }
        std::string text;
        for (const auto& job : jobs)
        {
            text += (text.empty() ? "" : ",") + job;
        }
        return text;
    }

    EngineOptions m_options;
    std::size_t m_mostTasks{0}; //!< most tasks of an array; 0: not asked yet
    std::size_t m_mostJobs{ANY_NUMBER};
    bool m_hasSubmitted{false};
};

/** Steps of the allocation in which this program runs, by srun. */
class SlurmSteps final : public Batch
{
  public:
    explicit SlurmSteps(const EngineOptions& options)
        : m_options(options),
          m_width(options.hasJobs ? options.jobs
                                  : std::max<std::size_t>(
                                        1,
                                        CountSlurmCpus(GetVariable("SLURM_JOB_CPUS_PER_NODE"))))
    {
    }

    std::string GetName() const override
    {
        return "slurm, as steps of an allocation";
    }

    std::size_t CountWanted() override
    {
        return m_width;
    }

    std::size_t CountFree() override
    {
        std::size_t running = 0;
        for (const auto& [handle, step] : m_steps)
        {
            running += step->Poll() ? 0 : 1;
        }
        return m_width - std::min(m_width, running);
    }

    void Submit(const std::vector<BatchTask*>& tasks, const fs::path&) override
    {
        for (BatchTask* task : tasks)
        {
            const bool isMeasured = !GetVariable("SLURM_MEM_PER_NODE").empty() ||
                                    !GetVariable("SLURM_MEM_PER_CPU").empty();
            std::vector<std::string> command{"srun", "--exact", "--nodes=1", "--input=none"};
            if (isMeasured)
            {
                command.push_back("--mem=" + std::to_string(task->GetMegabytes()) + "M");
            }
            for (const auto& word : MakeCommonOptions(m_options))
            {
                command.push_back(word);
            }
            command.emplace_back("/bin/sh");
            command.push_back(task->script.string());
            task->handle = "step-" + std::to_string(task->number);
            const int log = open(task->log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
            m_steps[task->handle] =
                std::make_unique<ChildProcess>(ChildProcess::Setup{command, "", -1, log});
            close(log);
        }
    }

    std::vector<TaskState> Look(const std::vector<const BatchTask*>& tasks) override
    {
        std::vector<TaskState> states;
        for (const auto* task : tasks)
        {
            const auto step = m_steps.find(task->handle); // of an earlier call: it has died with it
            const bool isAlive = step != m_steps.end() && !step->second->Poll();
            states.push_back(isAlive ? TaskState::ALIVE : ReadForgotten(task->log));
        }
        return states;
    }

    void Cancel(const std::vector<const BatchTask*>& tasks) override
    {
        for (const auto* task : tasks)
        {
            const auto step = m_steps.find(task->handle);
            if (step != m_steps.end())
            {
                step->second->Signal(SIGTERM);
            }
        }
        m_steps.clear(); // kills those that have not ended; Slurm ends their steps
    }

    double GetInterval() const override
    {
        return 1;
    }

    bool CanDetach() const override
    {
        return false;
    }

  private:
    EngineOptions m_options;
    std::size_t m_width;
    std::map<std::string, std::unique_ptr<ChildProcess>> m_steps; //!< by handle
};

} // namespace

std::string
FindMissingSlurm()
{
    const bool isAllocated = !GetVariable("SLURM_JOB_ID").empty();
    const std::vector<std::string> needed =
        isAllocated ? std::vector<std::string>{"srun"}
                    : std::vector<std::string>{"sbatch", "squeue", "scancel", "scontrol"};
    for (const auto& program : needed)
    {
        if (FindProgram(program).empty())
        {
            return "needs Slurm, and there is no " + program +
                   " here: call it on a machine that submits jobs, or install Slurm's commands "
                   "(Debian: apt-get install slurm-client)";
        }
    }
    return "";
}

std::unique_ptr<Batch>
MakeSlurm(const EngineOptions& options)
{
    if (!GetVariable("SLURM_JOB_ID").empty())
    {
        return std::make_unique<SlurmSteps>(options);
    }
    return std::make_unique<SlurmArrays>(options);
}

std::size_t
CountSlurmCpus(const std::string& text)
{
    std::size_t sum = 0;
    for (const auto& part : SplitFields(text, ','))
    {
        const auto times = part.find("(x");
        const std::size_t nodes =
            times == std::string::npos ? 1 : ReadCount(part.substr(times + 2)).value_or(0);
        sum += ReadCount(part).value_or(0) * nodes;
    }
    return sum;
}

TaskState
ReadSlurmLog(const std::string& end)
{
    const auto says = [&end](const char* text) { return end.find(text) != std::string::npos; };
    return says("DUE TO TIME LIMIT") ? TaskState::OUT_OF_TIME
           : says("oom-kill") || says("oom_kill") || says("exceeded memory limit")
               ? TaskState::OUT_OF_MEMORY
           : says("DUE TO NODE FAILURE") || says("DUE TO PREEMPTION") ? TaskState::LOST
           : says("CANCELLED AT")                                     ? TaskState::CANCELLED
                                                                      : TaskState::OVER;
}

std::size_t
ReadSlurmArrayLimit(const std::string& config)
{
    for (const auto& line : SplitLines(config))
    {
        const auto equals = line.find('=');
        if (line.compare(0, 12, "MaxArraySize") == 0 && equals != std::string::npos)
        {
            // It is one more than the largest index.
            const auto size = ReadCount(line.substr(equals + 1));
            return std::max<std::size_t>(1, size.value_or(Batch::ANY_NUMBER));
        }
    }
    return Batch::ANY_NUMBER;
}

std::size_t
ReadLeastSlurmLimit(const std::string& rows)
{
    std::size_t least = Batch::ANY_NUMBER;
    for (const auto& line : SplitLines(rows))
    {
        for (const auto& field : SplitFields(line, '|'))
        {
            least = std::min(least, ReadCount(field).value_or(Batch::ANY_NUMBER));
        }
    }
    return least;
}

TaskState
ReadSlurmState(const std::string& state)
{
    static const std::map<std::string, TaskState> KNOWN{{"PENDING", TaskState::ALIVE},
                                                        {"RUNNING", TaskState::ALIVE},
                                                        {"CONFIGURING", TaskState::ALIVE},
                                                        {"COMPLETING", TaskState::ALIVE},
                                                        {"SUSPENDED", TaskState::ALIVE},
                                                        {"REQUEUED", TaskState::ALIVE},
                                                        {"REQUEUE_FED", TaskState::ALIVE},
                                                        {"REQUEUE_HOLD", TaskState::ALIVE},
                                                        {"SPECIAL_EXIT", TaskState::ALIVE},
                                                        {"RESIZING", TaskState::ALIVE},
                                                        {"RESV_DEL_HOLD", TaskState::ALIVE},
                                                        {"SIGNALING", TaskState::ALIVE},
                                                        {"STAGE_OUT", TaskState::ALIVE},
                                                        {"STOPPED", TaskState::ALIVE},
                                                        {"TIMEOUT", TaskState::OUT_OF_TIME},
                                                        {"DEADLINE", TaskState::OUT_OF_TIME},
                                                        {"OUT_OF_MEMORY", TaskState::OUT_OF_MEMORY},
                                                        {"NODE_FAIL", TaskState::LOST},
                                                        {"BOOT_FAIL", TaskState::LOST},
                                                        {"PREEMPTED", TaskState::LOST},
                                                        {"CANCELLED", TaskState::CANCELLED}};
    const auto found = KNOWN.find(state.substr(0, state.find_first_of(" +")));
    return found == KNOWN.end() ? TaskState::OVER : found->second;
}

} // namespace ns3::ddl
