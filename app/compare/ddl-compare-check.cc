// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-compare-check.h"

#include "app/process/ddl-process-pool.h"
#include "app/process/ddl-temporary-folder.h"
#include "ddl-compare-run.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace ns3
{
namespace ddl
{

namespace
{

constexpr int BAD_INPUT = 2; //!< exit status of programs that were given nonsense
constexpr std::size_t LAST_LINES = 10;

/** Put the lines of a check's output behind the others, each once. */
void
AddLines(const std::filesystem::path& log, std::vector<Diagnostic>& complaints)
{
    std::istringstream text(ReadEnd(log, SIZE_MAX));
    std::string line;
    while (std::getline(text, line))
    {
        const bool isKnown =
            std::any_of(complaints.begin(), complaints.end(), [&line](const Diagnostic& known) {
                return known.what == line;
            });
        if (!isKnown)
        {
            complaints.push_back({"", "", line});
        }
    }
}

} // namespace

bool
CheckCombinations(const CompareOptions& options)
{
    const TemporaryFolder folder;
    std::vector<ProcessPool::Task> tasks;
    for (const auto& values : CrossProduct(options.variations))
    {
        ProcessPool::Task task{{options.checkProgram},
                               folder.GetPath() / std::to_string(tasks.size())};
        const auto arguments = MakeScenarioArguments(options, values, "--vary");
        task.command.insert(task.command.end(), arguments.begin(), arguments.end());
        task.command.emplace_back("--quiet");
        tasks.push_back(task);
    }
    std::map<std::size_t, int> statuses;
    const bool isComplete =
        ProcessPool(options.jobs)
            .Run(tasks,
                 {nullptr,
                  [&statuses](std::size_t i, int status) { statuses[i] = status; },
                  nullptr});
    std::vector<Diagnostic> complaints;
    for (const auto& [i, status] : statuses)
    {
        if (status == BAD_INPUT)
        {
            AddLines(tasks[i].log, complaints);
        }
        else if (status != 0)
        {
            throw RunError(options.checkProgram + " failed (exit status " + std::to_string(status) +
                           "):\n" + ReadEnd(tasks[i].log, LAST_LINES));
        }
    }
    if (!complaints.empty())
    {
        throw InputError(complaints);
    }
    return isComplete;
}

} // namespace ddl
} // namespace ns3
