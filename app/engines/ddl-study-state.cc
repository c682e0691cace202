// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-study-state.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-safe-file.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace ns3::ddl
{

namespace
{

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

fs::path
GetStateFile(const fs::path& folder)
{
    return folder / "state.json";
}

Json
WriteTask(const SubmittedTask& submitted)
{
    const BatchTask& task = submitted.task;
    Json runs = Json::array();
    for (const auto& run : submitted.runs)
    {
        runs.push_back({{"name", run.name}, {"command", run.command}});
    }
    return {{"number", task.number},
            {"handle", task.handle},
            {"log", task.log.string()},
            {"seconds", task.seconds},
            {"memory_mb", task.memoryMb},
            {"time_factor", task.timeFactor},
            {"memory_factor", task.memoryFactor},
            {"losses", task.losses},
            {"runs", runs}};
}

SubmittedTask
ReadTask(const Json& entry, const fs::path& folder)
{
    SubmittedTask submitted;
    BatchTask& task = submitted.task;
    task.number = entry.at("number");
    task.handle = entry.at("handle");
    task.log = entry.at("log").get<std::string>();
    task.seconds = entry.at("seconds");
    task.memoryMb = entry.at("memory_mb");
    task.timeFactor = entry.at("time_factor");
    task.memoryFactor = entry.at("memory_factor");
    task.losses = entry.at("losses");
    task.script = GetTaskScript(folder, task.number);
    for (const auto& run : entry.at("runs"))
    {
        submitted.runs.push_back({run.at("name"), run.at("command")});
    }
    return submitted;
}

} // namespace

fs::path
GetTaskScript(const fs::path& folder, std::size_t number)
{
    return folder / ("task-" + std::to_string(number) + ".sh");
}

std::optional<StudyState>
ReadStudyState(const fs::path& folder)
{
    std::ifstream file(GetStateFile(folder));
    if (!file)
    {
        return std::nullopt;
    }
    try
    {
        const Json json = Json::parse(file);
        StudyState state;
        state.batch = json.at("engine");
        state.nextTask = json.at("next");
        for (const auto& entry : json.at("tasks"))
        {
            state.tasks.push_back(ReadTask(entry, folder));
        }
        return state;
    }
    catch (const Json::exception& error)
    {
        throw RunError(GetStateFile(folder).string() + " is damaged (" + error.what() +
                       "): cancel the tasks that an earlier call has submitted, and remove " +
                       folder.string());
    }
}

void
WriteStudyState(const fs::path& folder, const StudyState& state)
{
    Json tasks = Json::array();
    for (const auto& submitted : state.tasks)
    {
        tasks.push_back(WriteTask(submitted));
    }
    WriteFileSafely(
        GetStateFile(folder),
        Json{{"engine", state.batch}, {"next", state.nextTask}, {"tasks", tasks}}.dump(1));
}

void
RefuseOtherBatch(const fs::path& folder, const std::string& batch)
{
    const auto state = ReadStudyState(folder);
    if (state && !state->tasks.empty() && state->batch != batch)
    {
        throw RunError("an earlier call has submitted these runs to " + state->batch + " (" +
                       state->tasks.front().task.handle +
                       "): the same call as that one, with --resume, collects them. To give them "
                       "up, cancel them and remove " +
                       folder.string());
    }
}

} // namespace ns3::ddl
