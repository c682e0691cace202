// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-compare-run.h"

#include "ddl-run-summary.h"
#include "ddl-scenario-document.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-safe-file.h"

#include <deque>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace ns3
{
namespace ddl
{

namespace
{

namespace fs = std::filesystem;

std::string
ReadText(const fs::path& path)
{
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/** \return text of the scenario's file, and of those that it extends; "" if there is none */
std::string
ReadScenario(const std::string& scenario)
{
    std::string text;
    for (const auto& file : ListScenarioFiles(scenario))
    {
        text += ReadText(file);
    }
    return text;
}

/** \return text of request.json: what decides the results of a run, as far as we see it */
std::string
FormatRequest(const CompareRun& run)
{
    nlohmann::ordered_json request;
    request["arguments"] = run.arguments;
    request["scenario"] = ReadScenario(run.arguments.front());
    // Text that is not UTF-8 is the scenario reader's to complain about.
    return request.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

/** \return true if \p path was written after \p other */
bool
IsNewer(const fs::path& path, const fs::path& other)
{
    std::error_code failure;
    const auto time = fs::last_write_time(path, failure);
    return failure || time > fs::last_write_time(other, failure) || failure;
}

} // namespace

std::vector<std::string>
MakeScenarioArguments(const CompareOptions& options, const Combination& values)
{
    std::vector<std::string> arguments{options.scenario};
    for (const auto& plugin : options.plugins)
    {
        arguments.push_back("--plugin=" + plugin);
    }
    for (const auto& setting : options.settings)
    {
        arguments.push_back("--set=" + setting);
    }
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        arguments.push_back("--set=" + options.variations[i].path + "=" + values[i]);
    }
    return arguments;
}

std::vector<CompareRun>
PlanRuns(const CompareOptions& options)
{
    std::vector<uint64_t> seeds;
    for (uint64_t i = 0; i < options.seeds; ++i)
    {
        seeds.push_back(options.firstSeed + i);
    }
    const auto names = NameRuns(options.variations, seeds);
    std::vector<CompareRun> runs;
    for (const auto& values : CrossProduct(options.variations))
    {
        for (const uint64_t seed : seeds)
        {
            CompareRun run;
            run.name = names[runs.size()];
            run.seed = seed;
            run.values = values;
            run.arguments = MakeScenarioArguments(options, values);
            run.arguments.push_back("--seed=" + std::to_string(seed));
            run.folder = options.folder / "runs" / run.name;
            runs.push_back(run);
        }
    }
    return runs;
}

fs::path
GetLog(const CompareRun& run)
{
    return run.folder / "log.txt";
}

void
PrepareRun(const CompareRun& run)
{
    PrepareFolder(run.folder);
    std::error_code ignored;
    fs::remove(run.folder / "summary.json", ignored);
    WriteFileSafely(run.folder / "request.json", FormatRequest(run));
}

bool
HasResults(const CompareRun& run)
{
    try
    {
        return RunSummary(run.folder.string()).GetStatus() == "done";
    }
    catch (const InputError&)
    {
        return false;
    }
}

bool
IsFinished(const CompareRun& run, const std::vector<std::string>& plugins)
{
    for (const auto& plugin : plugins)
    {
        if (IsNewer(plugin, run.folder / "summary.json"))
        {
            return false;
        }
    }
    return HasResults(run) && ReadText(run.folder / "request.json") == FormatRequest(run);
}

std::string
ReadEnd(const fs::path& path, std::size_t lines)
{
    std::ifstream file(path);
    std::deque<std::string> last;
    std::string line;
    while (std::getline(file, line))
    {
        last.push_back(line);
        if (last.size() > lines)
        {
            last.pop_front();
        }
    }
    std::string text;
    for (const auto& kept : last)
    {
        text += kept + "\n";
    }
    return text;
}

} // namespace ddl
} // namespace ns3
