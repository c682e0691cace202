// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-batch-engine.h"

#include "app/process/ddl-child-process.h"
#include "app/process/ddl-signal-watch.h"
#include "ddl-task-packing.h"
#include "ddl-task-script.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-safe-file.h"

#include <algorithm>
#include <fstream>

namespace ns3::ddl
{

namespace
{

namespace fs = std::filesystem;

constexpr int KILLED = 128 + SIGKILL;      //!< status of a run that the system has killed
constexpr double UNKNOWN_MEMORY_MB = 2000; //!< memory of a run without a forecast
constexpr unsigned MOST_LOSSES = 3;        //!< times that a task may lose its machine
constexpr std::size_t TASK_LINES = 3;      //!< lines of a task's log that an error shows

/** \return names of the files of a folder, whole ones only */
std::set<std::string>
ListNames(const fs::path& folder)
{
    std::set<std::string> names;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
    {
        names.insert(entry.path().filename().string());
    }
    return names;
}

/** Change a folder, so that an NFS client reads it again instead of remembering what was in it. */
void
Refresh(const fs::path& folder)
{
    const fs::path probe = folder / ".refresh";
    std::ofstream(probe).close();
    std::error_code ignored;
    fs::remove(probe, ignored);
}

/** \return what `ended/NAME` says: exit status and seconds; nothing if there is no such file */
std::optional<RunEnd>
ReadEnded(const fs::path& path)
{
    std::ifstream file(path);
    RunEnd end;
    return file >> end.status >> end.seconds ? std::make_optional(end) : std::nullopt;
}

double
GetSeconds(std::chrono::steady_clock::time_point since)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
}

/** Remove the unfinished results that killed processes have left beside a run's folder. */
void
RemoveParts(const std::vector<StudyRun>& runs)
{
    std::set<fs::path> parents;
    for (const auto& run : runs)
    {
        parents.insert(run.folder.parent_path());
    }
    for (const auto& parent : parents)
    {
        for (const auto& name : ListNames(parent))
        {
            if (name.front() == '.' && name.find(".part-") != std::string::npos)
            {
                std::error_code ignored;
                fs::remove_all(parent / name, ignored);
            }
        }
    }
}

} // namespace

BatchEngine::BatchEngine(const EngineOptions& options, std::unique_ptr<Batch> batch)
    : m_options(options),
      m_batch(std::move(batch)),
      m_folder(fs::absolute(options.folder / "tasks").lexically_normal())
{
}

StudyEnd
BatchEngine::DoRun(const std::vector<StudyRun>& runs, const StudyListener& listener)
{
    const SignalWatch watch;
    if (m_options.isDetached && !m_batch->CanDetach())
    {
        throw InputError({{"--detach", "", "steps end with the allocation that they run in"}});
    }
    m_runs = &runs;
    m_listener = &listener;
    for (std::size_t run = 0; run < runs.size(); ++run)
    {
        m_left.insert(run);
        m_numbers[runs[run].name] = run;
    }
    Load();
    while (!m_left.empty())
    {
        Submit();
        if (m_options.isDetached)
        {
            return Detach();
        }
        if (watch.WaitForInterrupt())
        {
            return Stop();
        }
        Collect();
        Look();
        listener.tick();
    }
    Finish();
    return StudyEnd::COMPLETE;
}

/**
 * Find out what an earlier call has submitted. Tasks that are still alive are waited for; runs that
 * are in none are packed into new ones.
 */
void
BatchEngine::Load()
{
    RefuseOtherBatch(m_folder, m_batch->GetName());
    const auto state = ReadStudyState(m_folder);
    std::set<std::size_t> fresh = m_left;
    if (state)
    {
        Adopt(*state, fresh);
    }
    if (!m_options.isResumed || !state)
    {
        std::error_code ignored;
        fs::remove_all(m_folder, ignored);
    }
    PrepareFolder(m_folder / "logs");
    PrepareFolder(m_folder / "ended");
    Pack({fresh.begin(), fresh.end()});
}

/**
 * Take over the tasks of an earlier call that are still alive.
 *
 * \param state what it has submitted
 * \param fresh loses the runs of such tasks, and those that have ended
 * \throws RunError when there are any, and the user has not asked for them
 */
void
BatchEngine::Adopt(const StudyState& state, std::set<std::size_t>& fresh)
{
    m_next = state.nextTask;
    std::vector<BatchTask> tasks;
    std::vector<const BatchTask*> submitted;
    for (const auto& earlier : state.tasks)
    {
        tasks.push_back(earlier.task);
        tasks.back().runs = FindRuns(earlier.runs);
    }
    for (const auto& task : tasks)
    {
        submitted.push_back(&task);
    }
    const auto states = m_batch->Look(submitted);
    for (std::size_t i = 0; i < tasks.size(); ++i)
    {
        const bool isAlive = states[i] == TaskState::ALIVE;
        if (isAlive && !m_options.isResumed)
        {
            throw RunError("tasks that an earlier call has submitted are under way (" +
                           tasks[i].handle + "): --resume collects them");
        }
        for (const std::size_t run : tasks[i].runs)
        {
            const bool isOver =
                m_options.isResumed && ReadEnded(m_folder / "ended" / (*m_runs)[run].name);
            fresh.erase(isAlive || isOver ? run : m_runs->size());
        }
        if (isAlive)
        {
            m_tasks[tasks[i].number] = tasks[i];
        }
    }
}

/** \return indices of those runs of an earlier call that are the same ones in this call */
std::vector<std::size_t>
BatchEngine::FindRuns(const std::vector<SubmittedRun>& earlier) const
{
    std::vector<std::size_t> found;
    for (const auto& run : earlier)
    {
        const auto number = m_numbers.find(run.name);
        if (number != m_numbers.end() && run.command == MakeOnceCommand((*m_runs)[number->second]))
        {
            found.push_back(number->second);
        }
    }
    return found;
}

void
BatchEngine::Save() const
{
    if (!m_batch->CanDetach())
    {
        return; // tasks that end with this program are no later call's concern
    }
    StudyState state{m_batch->GetName(), m_next, {}};
    for (const auto* task : ListSubmitted())
    {
        SubmittedTask submitted{*task, {}};
        for (const std::size_t run : task->runs)
        {
            submitted.runs.push_back({(*m_runs)[run].name, MakeOnceCommand((*m_runs)[run])});
        }
        state.tasks.push_back(std::move(submitted));
    }
    WriteStudyState(m_folder, state);
}

void
BatchEngine::Pack(const std::vector<std::size_t>& runs)
{
    std::vector<double> seconds;
    for (const std::size_t run : runs)
    {
        m_listener->preparing(run);
        seconds.push_back((*m_runs)[run].price.cpuSeconds.value_or(LEAST_TASK_SECONDS));
    }
    for (const auto& pack : PackRuns(seconds, m_batch->CountWanted()))
    {
        BatchTask task;
        for (const std::size_t i : pack)
        {
            const auto& price = (*m_runs)[runs[i]].price;
            task.runs.push_back(runs[i]);
            task.seconds += seconds[i];
            task.memoryMb = std::max(task.memoryMb, price.memoryMb.value_or(UNKNOWN_MEMORY_MB));
        }
        AddTask(task);
    }
}

/** Add a task that is to be submitted, and write its script. */
void
BatchEngine::AddTask(BatchTask task)
{
    task.number = m_next++;
    task.handle.clear();
    task.script = GetTaskScript(m_folder, task.number);
    task.log = m_folder / "logs" / ("task-" + std::to_string(task.number) + ".txt");
    for (const std::size_t run : task.runs)
    {
        std::error_code ignored;
        fs::remove(m_folder / "ended" / (*m_runs)[run].name, ignored);
        fs::remove(m_folder / "logs" / ((*m_runs)[run].name + ".txt"), ignored);
    }
    WriteFileSafely(task.script, FormatTaskScript(m_folder, task, *m_runs));
    m_tasks[task.number] = std::move(task);
}

/** Submit as many of the waiting tasks as the batch system takes, those with the most work first.
 */
void
BatchEngine::Submit()
{
    std::vector<BatchTask*> waiting;
    for (auto& [number, task] : m_tasks)
    {
        if (task.handle.empty())
        {
            waiting.push_back(&task);
        }
    }
    if (waiting.empty() || GetSeconds(m_tried) < m_batch->GetInterval())
    {
        return;
    }
    m_tried = Clock::now();
    waiting.resize(std::min(waiting.size(), m_batch->CountFree()));
    if (!waiting.empty())
    {
        SubmitOrCancel(waiting);
        Save();
    }
}

/** Submit tasks. \throws RunError when they are refused; none is under way then */
void
BatchEngine::SubmitOrCancel(const std::vector<BatchTask*>& tasks)
{
    try
    {
        m_batch->Submit(tasks, m_folder);
    }
    catch (const RunError&)
    {
        m_batch->Cancel(ListSubmitted());
        Finish();
        throw;
    }
}

/** Tell the listener about runs that have started or ended. */
void
BatchEngine::Collect()
{
    const auto logs = ListNames(m_folder / "logs");
    const auto ended = ListNames(m_folder / "ended");
    const auto left = m_left; // a copy: runs leave it
    for (const std::size_t run : left)
    {
        const std::string& name = (*m_runs)[run].name;
        const bool hasEnded = ended.count(name) > 0;
        if ((hasEnded || logs.count(name + ".txt") > 0) && m_started.insert(run).second)
        {
            m_listener->starting(run);
        }
        if (hasEnded)
        {
            CollectRun(run);
        }
    }
    for (auto task = m_tasks.begin(); task != m_tasks.end();)
    {
        task = ListLeft(task->second).empty() ? m_tasks.erase(task) : std::next(task);
    }
}

/** \return true if a run whose end shows was told to the listener */
bool
BatchEngine::CollectRun(std::size_t run)
{
    constexpr double PATIENCE = 90; // longer than an NFS client remembers a folder
    const StudyRun& what = (*m_runs)[run];
    const auto end = ReadEnded(m_folder / "ended" / what.name);
    if (!end)
    {
        return false;
    }
    std::error_code ignored;
    if (end->status == 0 && !fs::exists(what.folder / "summary.json", ignored))
    {
        Refresh(what.folder.parent_path());
        const auto since = m_unseen.emplace(run, Clock::now()).first->second;
        if (GetSeconds(since) < PATIENCE)
        {
            return false;
        }
    }
    if (end->status == KILLED && m_memory.insert(run).second)
    {
        BatchTask again;
        again.runs = {run};
        again.seconds = what.price.cpuSeconds.value_or(LEAST_TASK_SECONDS);
        again.memoryMb = what.price.memoryMb.value_or(UNKNOWN_MEMORY_MB);
        again.memoryFactor = 2;
        for (auto& [number, task] : m_tasks) // it leaves the task that it was in
        {
            task.runs.erase(std::remove(task.runs.begin(), task.runs.end(), run), task.runs.end());
        }
        AskAgain(again, what.name + " was killed, as for too much memory");
        return false;
    }
    End(run, *end);
    return true;
}

/** Note that a run is over: its log goes to its folder. */
void
BatchEngine::End(std::size_t run, const RunEnd& end)
{
    const StudyRun& what = (*m_runs)[run];
    const fs::path log = m_folder / "logs" / (what.name + ".txt");
    PrepareFolder(what.folder);
    std::error_code ignored;
    if (fs::exists(log, ignored))
    {
        fs::rename(log, what.GetLog(), ignored);
    }
    if (m_started.insert(run).second)
    {
        m_listener->starting(run);
    }
    m_left.erase(run);
    m_listener->ended(run, end);
}

/** Ask the batch system, not too often, about tasks whose runs have not all ended. */
void
BatchEngine::Look()
{
    if (m_left.empty() || GetSeconds(m_looked) < m_batch->GetInterval())
    {
        return;
    }
    m_looked = Clock::now();
    const auto tasks = ListSubmitted();
    const auto states = m_batch->Look(tasks);
    std::vector<std::pair<BatchTask, TaskState>> over;
    for (std::size_t i = 0; i < tasks.size(); ++i)
    {
        if (states[i] == TaskState::ALIVE)
        {
            m_over.erase(tasks[i]->number);
            continue;
        }
        Refresh(m_folder / "ended");
        const auto since = m_over.emplace(tasks[i]->number, Clock::now()).first->second;
        if (GetSeconds(since) >= m_batch->GetLag())
        {
            over.emplace_back(*tasks[i], states[i]);
        }
    }
    for (const auto& [task, state] : over)
    {
        m_over.erase(task.number);
        m_tasks.erase(task.number);
        Settle(task, state);
        Save();
    }
}

/** Decide what becomes of the runs of a task that is over, and that have not ended. */
void
BatchEngine::Settle(const BatchTask& task, TaskState state)
{
    BatchTask rest = task;
    rest.runs.clear();
    for (const std::size_t run : ListLeft(task))
    {
        const bool hasEnded = ReadEnded(m_folder / "ended" / (*m_runs)[run].name).has_value();
        if (!hasEnded) // else its results are only waited for
        {
            rest.runs.push_back(run);
        }
    }
    if (rest.runs.empty())
    {
        return;
    }
    switch (state)
    {
    case TaskState::OUT_OF_TIME:
        AskForTwice(std::move(rest), &BatchTask::timeFactor, "time");
        return;
    case TaskState::OUT_OF_MEMORY:
        AskForTwice(std::move(rest), &BatchTask::memoryFactor, "memory");
        return;
    case TaskState::LOST:
        if (++rest.losses <= MOST_LOSSES)
        {
            AskAgain(rest, "task " + task.handle + " lost its machine");
            return;
        }
        GiveUp(rest, "its task lost its machine, again and again");
        return;
    case TaskState::CANCELLED:
        GiveUp(rest, "its task " + task.handle + " was cancelled");
        return;
    default:
        const std::string end = ReadEnd(task.log, TASK_LINES);
        GiveUp(rest,
               "its task " + task.handle + " ended before it" + (end.empty() ? "" : ": " + end));
    }
}

/** Ask once for twice as much of what a task was killed for; a second time, a run fails. */
void
BatchEngine::AskForTwice(BatchTask task, unsigned BatchTask::*factor, const std::string& what)
{
    if (task.*factor == 1)
    {
        task.*factor = 2;
        const std::string handle = task.handle;
        AskAgain(std::move(task), "task " + handle + " was killed for its " + what);
        return;
    }
    FailFirst(std::move(task), "killed for its " + what + ", also with twice as much");
}

void
BatchEngine::AskAgain(BatchTask task, const std::string& why)
{
    task.seconds = 0;
    for (const std::size_t run : task.runs)
    {
        task.seconds += (*m_runs)[run].price.cpuSeconds.value_or(LEAST_TASK_SECONDS);
    }
    m_listener->say(why + ": asked for again with " + std::to_string(task.GetMinutes()) +
                    " min and " + std::to_string(task.GetMegabytes()) + " MiB");
    AddTask(std::move(task));
}

/** Runs of a task fail. */
void
BatchEngine::GiveUp(const BatchTask& task, const std::string& cause)
{
    m_hasLosses = true;
    for (const std::size_t run : task.runs)
    {
        End(run, {1, 0, cause});
    }
}

/** The run that was under way fails; those behind it get a task of their own. */
void
BatchEngine::FailFirst(BatchTask task, const std::string& cause)
{
    const auto first = std::find_if(task.runs.begin(), task.runs.end(), [this](std::size_t run) {
        return IsStarted(run);
    });
    if (first == task.runs.end())
    {
        GiveUp(task, cause);
        return;
    }
    BatchTask failed = task;
    failed.runs = {*first};
    task.runs.erase(first);
    GiveUp(failed, cause);
    if (!task.runs.empty())
    {
        AskAgain(std::move(task), "the other runs of its task go on");
    }
}

/** Cancel everything, and take the runs that are over. */
StudyEnd
BatchEngine::Stop()
{
    m_batch->Cancel(ListSubmitted());
    Refresh(m_folder / "ended");
    const auto ended = ListNames(m_folder / "ended");
    const auto left = m_left; // a copy: runs leave it
    for (const std::size_t run : left)
    {
        const auto end = ReadEnded(m_folder / "ended" / (*m_runs)[run].name);
        if (end && end->status == 0)
        {
            End(run, *end);
        }
    }
    Finish();
    return StudyEnd::INTERRUPTED;
}

/** Leave the tasks to the batch system. */
StudyEnd
BatchEngine::Detach()
{
    std::set<std::string> handles;
    std::size_t waiting = 0;
    for (const auto& [number, task] : m_tasks)
    {
        waiting += task.handle.empty() ? 1 : 0;
        handles.insert(task.handle);
    }
    handles.erase("");
    std::string names;
    for (const auto& handle : handles)
    {
        names += (names.empty() ? "" : " ") + handle;
    }
    m_listener->say(
        "submitted: " + std::to_string(m_tasks.size() - waiting) + " tasks (" + names + ")" +
        (waiting > 0
             ? "; " + std::to_string(waiting) + " more do not fit yet: --resume submits them"
             : "") +
        "; --resume collects the results");
    return StudyEnd::DETACHED;
}

/** Remove what was needed for the tasks only; that of tasks that failed stays, to be looked at. */
void
BatchEngine::Finish()
{
    RemoveParts(*m_runs);
    std::error_code ignored;
    if (m_hasLosses)
    {
        fs::remove(m_folder / "state.json", ignored);
        return;
    }
    fs::remove_all(m_folder, ignored);
}

std::vector<const BatchTask*>
BatchEngine::ListSubmitted() const
{
    std::vector<const BatchTask*> tasks;
    for (const auto& [number, task] : m_tasks)
    {
        if (!task.handle.empty())
        {
            tasks.push_back(&task);
        }
    }
    return tasks;
}

std::vector<std::size_t>
BatchEngine::ListLeft(const BatchTask& task) const
{
    std::vector<std::size_t> left;
    std::copy_if(task.runs.begin(),
                 task.runs.end(),
                 std::back_inserter(left),
                 [this](std::size_t run) { return m_left.count(run) > 0; });
    return left;
}

bool
BatchEngine::IsStarted(std::size_t run) const
{
    std::error_code ignored;
    return fs::exists(m_folder / "logs" / ((*m_runs)[run].name + ".txt"), ignored);
}

} // namespace ns3::ddl
