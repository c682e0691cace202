// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-compare-run.h"

#include "app/process/ddl-process-pool.h"
#include "app/process/ddl-temporary-folder.h"
#include "app/results/ddl-run-summary.h"
#include "app/run/ddl-run-identity.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-safe-file.h"

#include <deque>
#include <fstream>

namespace ns3
{
namespace ddl
{

namespace fs = std::filesystem;

std::vector<std::string>
MakeScenarioArguments(const CompareOptions& options,
                      const Combination& values,
                      const std::string& option)
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
        arguments.push_back(option + "=" + options.variations[i].path + "=" + values[i]);
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
            run.arguments = MakeScenarioArguments(options, values, "--set");
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
}

bool
HasResults(const CompareRun& run)
{
    try
    {
        const RunSummary summary(run.folder.string());
        return summary.GetStatus() == "done" && summary.HasFiles();
    }
    catch (const InputError&)
    {
        return false;
    }
}

bool
KeepFinished(const CompareOptions& options, std::vector<CompareRun>& runs)
{
    const TemporaryFolder folder;
    std::vector<CompareRun*> complete;
    std::vector<ProcessPool::Task> tasks;
    for (auto& run : runs)
    {
        if (HasResults(run))
        {
            const fs::path identity = folder.GetPath() / std::to_string(complete.size());
            ProcessPool::Task task{{options.runProgram}, identity.string() + ".log"};
            task.command.insert(task.command.end(), run.arguments.begin(), run.arguments.end());
            task.command.push_back("--identity=" + identity.string());
            tasks.push_back(task);
            complete.push_back(&run);
        }
    }
    const auto compare = [&complete, &folder](std::size_t i, int status) {
        const std::string now = ReadIdentity((folder.GetPath() / std::to_string(i)).string());
        const std::string then = ReadIdentity((complete[i]->folder / "summary.json").string());
        if (status == 0 && !now.empty() && now == then)
        {
            complete[i]->state = CompareRun::State::DONE;
        }
    };
    return ProcessPool(options.jobs).Run(tasks, {nullptr, compare, nullptr});
}

} // namespace ddl
} // namespace ns3
