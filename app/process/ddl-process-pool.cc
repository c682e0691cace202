// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-process-pool.h"

#include "ddl-signal-watch.h"

#include "ns3/abort.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-safe-file.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace ns3::ddl
{

ProcessPool::ProcessPool(std::size_t width)
    : m_width(width)
{
    NS_ABORT_MSG_IF(width == 0, "a pool runs at least one process at a time");
}

void
ProcessPool::Start(const Task& task, std::size_t number, Children& running)
{
    const int log = open(task.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (log < 0)
    {
        throw RunError("cannot write " + task.log.string() + ": " + std::strerror(errno));
    }
    try
    {
        running[number] = std::make_unique<ChildProcess>(
            ChildProcess::Setup{task.command, "", -1, log, task.work});
    }
    catch (...)
    {
        close(log);
        throw;
    }
    close(log);
}

void
ProcessPool::Collect(Children& running, const std::function<void(std::size_t, int)>& ended)
{
    for (auto child = running.begin(); child != running.end();)
    {
        const auto status = child->second->Poll();
        if (status && ended)
        {
            ended(child->first, *status);
        }
        child = status ? running.erase(child) : std::next(child);
    }
}

void
ProcessPool::Stop(Children& running, SignalWatch& watch)
{
    constexpr std::chrono::seconds GRACE(10);
    const auto deadline = std::chrono::steady_clock::now() + GRACE;
    const auto signalAll = [&running](int signal) {
        for (const auto& child : running)
        {
            child.second->Signal(signal);
        }
    };
    const auto areOver = [&running] {
        bool over = true;
        for (const auto& child : running)
        {
            over = child.second->Poll().has_value() && over;
        }
        return over;
    };
    signalAll(SIGINT);
    while (!areOver() && std::chrono::steady_clock::now() < deadline)
    {
        if (watch.WaitForInterrupt())
        {
            break;
        }
    }
    signalAll(SIGKILL);
    for (const auto& child : running)
    {
        child.second->Wait();
    }
}

bool
ProcessPool::Run(const std::vector<Task>& tasks, const Listener& listener)
{
    SignalWatch watch;
    Children running;
    std::size_t next = 0;
    if (listener.isStopped && listener.isStopped())
    {
        return false;
    }
    while (next < tasks.size() || !running.empty())
    {
        for (; running.size() < m_width && next < tasks.size(); ++next)
        {
            if (listener.starting)
            {
                listener.starting(next);
            }
            Start(tasks[next], next, running);
        }
        if (watch.WaitForInterrupt())
        {
            Stop(running, watch);
            Collect(running, [&listener](std::size_t number, int status) {
                if (status == 0 && listener.ended)
                {
                    listener.ended(number, status);
                }
            });
            return false;
        }
        Collect(running, listener.ended);
        if (listener.tick)
        {
            listener.tick();
        }
    }
    return true;
}

bool
RunPieces(const std::vector<Piece>& pieces,
          const std::string& what,
          const PieceOptions& options,
          const std::function<void(std::size_t, int)>& ended)
{
    constexpr std::size_t LOG_LINES = 5; // lines of a failed piece's log that are shown
    std::vector<ProcessPool::Task> tasks;
    for (const auto& piece : pieces)
    {
        tasks.push_back({{}, piece.folder / "log", piece.work});
    }
    std::size_t done = 0;
    std::string failure; // message of the first piece that failed
    const auto end = [&](std::size_t i, int status) {
        ++done;
        std::string problem;
        if (status != 0)
        {
            problem = " failed with status " + std::to_string(status) + ":\n" +
                      ReadEnd(tasks[i].log, LOG_LINES);
        }
        try
        {
            if (ended)
            {
                ended(i, status);
            }
        }
        catch (const InputError& error)
        {
            problem = std::string(" left no results: ") + error.what();
        }
        if (!problem.empty() && failure.empty())
        {
            failure = what + " (" + pieces[i].folder.filename().string() + ")" + problem;
        }
    };
    ProcessPool::Listener listener;
    listener.isStopped = options.isStopped;
    listener.starting = [&pieces](std::size_t i) { PrepareFolder(pieces[i].folder); };
    listener.ended = end;
    listener.tick = [&] {
        if (options.report)
        {
            options.report(what + ": " + std::to_string(done) + " of " +
                           std::to_string(pieces.size()));
        }
    };
    const bool isComplete = ProcessPool(options.processes).Run(tasks, listener);
    if (isComplete && !failure.empty())
    {
        throw RunError(failure);
    }
    return isComplete;
}

void
ShareCores(std::size_t processes)
{
    const std::size_t cores = std::thread::hardware_concurrency();
    setenv("DDL_PROCESSES", std::to_string(std::max<std::size_t>(1, cores / processes)).c_str(), 0);
}

double
GetChildrenCpuSeconds()
{
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

} // namespace ns3::ddl
