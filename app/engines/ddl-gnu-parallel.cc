// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-gnu-parallel.h"

#include "app/process/ddl-child-process.h"
#include "ddl-command-answer.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-safe-file.h"

#include <array>
#include <chrono>
#include <csignal>
#include <fstream>
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
GetHost()
{
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    return host.data();
}

/**
 * One process of GNU parallel for each submission, in a session of its own, so that it can outlive
 * this program. The handle of its tasks is HOST:PROCESS.
 */
class GnuParallel final : public Batch
{
  public:
    explicit GnuParallel(const EngineOptions& options)
        : m_options(options)
    {
    }

    std::string GetName() const override
    {
        return "parallel";
    }

    std::size_t CountWanted() override
    {
        std::vector<std::string> command = MakeCommand();
        command.emplace_back("--nonall");
        command.emplace_back("nproc");
        const auto answer = AskCommand(command);
        if (answer.status != 0)
        {
            throw RunError("GNU parallel does not reach all hosts: " + answer.output);
        }
        std::size_t places = 0;
        for (const auto& line : SplitLines(answer.output))
        {
            std::size_t cores = 0;
            std::istringstream(line) >> cores;
            places += m_options.hasJobs && cores > 0 ? m_options.jobs : cores;
        }
        return places;
    }

    std::size_t CountFree() override
    {
        return ANY_NUMBER; // it has a queue of its own
    }

    void Submit(const std::vector<BatchTask*>& tasks, const fs::path& folder) override
    {
        const std::string name = "parallel-" + std::to_string(tasks.front()->number);
        std::string list;
        for (BatchTask* task : tasks)
        {
            list += task->script.string() + "\n";
            task->log = folder / "logs" / (name + ".txt");
        }
        WriteFileSafely(folder / (name + ".txt"), list);
        std::string words;
        for (const auto& word : MakeCommand())
        {
            words += QuoteForShell(word) + " ";
        }
        const fs::path process = folder / (name + ".pid");
        const std::string pid = QuoteForShell(process.string());
        const auto quote = [](const fs::path& path) { return QuoteForShell(path.string()); };
        WriteFileSafely(folder / (name + ".sh"),
                        "echo $$ >" + pid + ".part && mv " + pid + ".part " + pid + " && exec " +
                            words + "--retries 3 --joblog " + quote(folder / (name + ".log")) +
                            " /bin/sh :::: " + quote(folder / (name + ".txt")) + " >" +
                            quote(tasks.front()->log) + " 2>&1 </dev/null\n");
        // The starter waits until the other has left its process group, which ends with it.
        const auto answer =
            AskCommand({"/bin/sh",
                        "-c",
                        "setsid /bin/sh \"$1\" & while [ ! -e \"$2\" ]; do sleep 0.02; done",
                        "start",
                        (folder / (name + ".sh")).string(),
                        process.string()});
        std::ifstream file(process);
        std::string number;
        if (answer.status != 0 || !(file >> number))
        {
            throw RunError("cannot start GNU parallel: " + answer.output);
        }
        for (BatchTask* task : tasks)
        {
            task->handle = GetHost() + ":" + number;
        }
    }

    std::vector<TaskState> Look(const std::vector<const BatchTask*>& tasks) override
    {
        std::vector<TaskState> states;
        for (const auto* task : tasks)
        {
            const std::string host = task->handle.substr(0, task->handle.rfind(':'));
            if (host != GetHost())
            {
                throw RunError("an earlier call has started GNU parallel on " + host +
                               ": call it there with --resume, or remove " +
                               task->script.parent_path().string() + " if it has ended");
            }
            states.push_back(IsAlive(task->handle) ? TaskState::ALIVE : TaskState::OVER);
        }
        return states;
    }

    void Cancel(const std::vector<const BatchTask*>& tasks) override
    {
        constexpr int TRIES = 100;
        constexpr std::chrono::milliseconds PAUSE(100);
        std::set<std::string> handles;
        for (const auto* task : tasks)
        {
            handles.insert(task->handle);
        }
        for (const auto& handle : handles)
        {
            for (int i = 0; i < TRIES && IsAlive(handle); ++i)
            {
                // The first signal lets it wait for what runs, the second ends that.
                kill(GetProcess(handle), i < TRIES / 2 ? SIGTERM : SIGKILL);
                std::this_thread::sleep_for(PAUSE);
            }
        }
    }

    double GetInterval() const override
    {
        return 1;
    }

  private:
    /** \return GNU parallel with the options of all calls */
    std::vector<std::string> MakeCommand() const
    {
        std::vector<std::string> command{"parallel", "--will-cite"};
        if (!m_options.sshLogins.empty())
        {
            command.emplace_back("--sshloginfile");
            command.push_back(fs::absolute(m_options.sshLogins).string());
        }
        if (m_options.hasJobs)
        {
            command.emplace_back("--jobs");
            command.push_back(std::to_string(m_options.jobs));
        }
        command.insert(command.end(), m_options.more.begin(), m_options.more.end());
        return command;
    }

    static pid_t GetProcess(const std::string& handle)
    {
        return static_cast<pid_t>(
            std::strtol(handle.substr(handle.rfind(':') + 1).c_str(), nullptr, 10));
    }

    /** \return true if the process runs on this machine, and is GNU parallel */
    static bool IsAlive(const std::string& handle)
    {
        const pid_t process = GetProcess(handle);
        if (handle.substr(0, handle.rfind(':')) != GetHost() || process <= 0)
        {
            return false;
        }
        std::ifstream file("/proc/" + std::to_string(process) + "/cmdline");
        std::string words;
        std::getline(file, words);
        return words.find("parallel") != std::string::npos;
    }

    EngineOptions m_options;
};

} // namespace

std::string
FindMissingParallel()
{
    const std::string advice = ": install it (Debian: apt-get install parallel)";
    if (FindProgram("parallel").empty())
    {
        return "needs GNU parallel, which is not here" + advice;
    }
    const auto answer = AskCommand({"parallel", "--version"});
    return answer.output.find("GNU parallel") == std::string::npos
               ? "needs GNU parallel, and the program parallel here is another one" + advice
               : "";
}

std::unique_ptr<Batch>
MakeGnuParallel(const EngineOptions& options)
{
    return std::make_unique<GnuParallel>(options);
}

} // namespace ns3::ddl
