// SPDX-License-Identifier: GPL-2.0-only
#include "app/process/ddl-child-process.h"
#include "ddl-paper.h"
#include "ddl-reproduction.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <sstream>
#include <thread>
#include <unistd.h>

namespace ns3
{
namespace ddl
{

namespace
{

constexpr uint64_t MOST_JOBS = 1024;

/** \return the parts between commas of all given values */
std::vector<std::string>
SplitAll(const std::vector<std::string>& values)
{
    std::vector<std::string> parts;
    for (const auto& value : values)
    {
        std::istringstream stream(value);
        std::string part;
        while (std::getline(stream, part, ','))
        {
            parts.push_back(part);
        }
    }
    return parts;
}

} // namespace

Arguments
MakeReproduceArguments()
{
    Arguments arguments(
        "ddl-reproduce",
        "Run the figures of a paper, and set our numbers beside the published ones.");
    const auto papers = ListPapers();
    arguments.AddWord("PAPER",
                      papers.empty() ? "a paper that a folder below scenarios/ has a figure of"
                                     : "one of " + JoinNames(papers));
    arguments.AddFlag("quick", "fewer seeds and values: minutes instead of an hour");
    arguments.AddOptions("figure",
                         "FIGURE,...",
                         "these alone, by number or folder (default: all of the paper)");
    arguments.AddOption("jobs", "N", "runs at a time (default: one for each core)");
    arguments.AddOption("out", "DIR", "where results go (default: results/PAPER)");
    arguments.AddOptions("plugin", "FILE", "library with policies of your own");
    arguments.AddFlag("quiet", "no progress and no table; errors are shown");
    arguments.SetNotes(
        "Writes DIR/report.md: a table on top, a section and its pictures for each figure. Runs "
        "that\n"
        "an earlier call has finished are kept: after an interruption, call it again.\n"
        "Exit status: 0 done, 1 a run failed or an expected value is missed (DIR/report.md says\n"
        "which), 2 bad input (nothing ran), 130 interrupted.");
    return arguments;
}

ReproduceOptions
ReadReproduceOptions(const Arguments& arguments)
{
    ReproduceOptions options;
    options.paper = arguments.Get("PAPER");
    options.figures = SplitAll(arguments.GetAll("figure"));
    options.plugins = arguments.GetAll("plugin");
    options.variant = arguments.Has("quick") ? FigureVariant::QUICK : FigureVariant::FULL;
    const uint64_t cores = std::max(1U, std::thread::hardware_concurrency());
    options.jobs = arguments.GetNumber("jobs", cores, 1, MOST_JOBS);
    options.quiet = arguments.Has("quiet");
    options.isTerminal = isatty(STDERR_FILENO) != 0;
    options.folder = arguments.Get("out", "results/" + options.paper);
    options.runProgram = FindSibling("ddl-reproduce", "ddl-run");
    options.checkProgram = FindSibling("ddl-reproduce", "ddl-check");
    return options;
}

} // namespace ddl
} // namespace ns3
