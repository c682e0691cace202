// SPDX-License-Identifier: GPL-2.0-only
#include "app/process/ddl-child-process.h"
#include "app/text/ddl-complaints.h"
#include "ddl-comparison.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-scenario.h"

#include <algorithm>
#include <functional>
#include <thread>
#include <unistd.h>

namespace ns3
{
namespace ddl
{

namespace
{

namespace fs = std::filesystem;

constexpr uint64_t MOST_SEEDS = 100000;
constexpr uint64_t MOST_JOBS = 1024;
constexpr uint64_t LAST_FIRST_SEED = LARGEST_SEED - MOST_SEEDS;

/** \return "quickstart" for "quickstart", "a/quickstart.json" and "quickstart/scenario.json" */
std::string
NameScenario(const std::string& word)
{
    fs::path path = fs::path(word).lexically_normal();
    path = path.has_filename() ? path : path.parent_path();
    if (path.filename() == "scenario.json" && path.has_parent_path())
    {
        return path.parent_path().filename().string();
    }
    return path.extension() == ".json" ? path.stem().string() : path.filename().string();
}

/** \throws InputError when a setting is one that has an option of its own */
void
CheckSettings(const std::vector<std::string>& settings)
{
    for (const auto& setting : settings)
    {
        if (setting.compare(0, 5, "seed=") == 0)
        {
            throw InputError({{"--set=" + setting, "", "the seed is set with --seed=S"}});
        }
    }
}

/** \throws InputError when there would be one run only */
void
CheckThatSomethingVaries(const Arguments& arguments)
{
    if (arguments.GetAll("vary").empty() && !arguments.Has("seeds"))
    {
        throw InputError("nothing varies, so there is nothing to compare (--vary=PATH=V1,V2,... or "
                         "--seeds=N; for one run, ddl run)");
    }
}

/** Every run reads the scenario: a pipe would be empty for all but the first. */
void
CheckThatItCanBeReadAgain(const std::string& scenario)
{
    std::error_code ignored;
    if (fs::exists(scenario, ignored) && !fs::is_directory(scenario, ignored) &&
        !fs::is_regular_file(scenario, ignored))
    {
        throw InputError({{scenario, "", "is read by every run: it must be a file"}});
    }
}

} // namespace

Arguments
MakeCompareArguments()
{
    Arguments arguments("ddl-compare",
                        "Run a scenario with different settings, side by side, and compare.");
    arguments.AddWord("SCENARIO", "path of a JSON file, or name of a folder under scenarios/");
    arguments.AddOptions("vary",
                         "PATH=V1,V2,...",
                         "a key of the scenario, and its values; several give the cross product");
    arguments.AddOptions("set", "PATH=VALUE", "set a key for all runs");
    arguments.AddOption("seeds", "N", "run everything with N seeds (default: 1)");
    arguments.AddOption("seed", "S", "the first seed; S+1, S+2, ... follow (default: 1)");
    arguments.AddOption("jobs", "N", "runs at a time (default: one for each core)");
    arguments.AddFlag("resume", "keep the finished runs of an earlier, equal request");
    arguments.AddOption("out", "DIR", "where results go (default: results/SCENARIO-compare)");
    arguments.AddOptions("plugin", "FILE", "library with policies of your own");
    arguments.AddFlag("quiet", "no progress and no table");
    arguments.SetNotes(
        "Ratios are to the first value of the last --vary, all else equal. DIR gets compare.csv (a "
        "row\n"
        "a run), bars.png, cdf-slowdown.png, and the results of each run in runs/NAME.\n"
        "Exit status: 0 done, 1 a run failed, 2 bad input (nothing ran), 130 interrupted.");
    return arguments;
}

CompareOptions
ReadCompareOptions(const Arguments& arguments)
{
    CompareOptions options;
    options.scenario = arguments.Get("SCENARIO");
    options.settings = arguments.GetAll("set");
    options.plugins = arguments.GetAll("plugin");
    Complaints complaints;
    complaints.Try([&] { options.variations = ParseVariations(arguments.GetAll("vary")); });
    complaints.Try([&] { CheckThatSomethingVaries(arguments); });
    complaints.Try([&] { CheckSettings(options.settings); });
    complaints.Try([&] { CheckThatItCanBeReadAgain(options.scenario); });
    complaints.Try([&] { options.seeds = arguments.GetNumber("seeds", 1, 1, MOST_SEEDS); });
    complaints.Try([&] { options.firstSeed = arguments.GetNumber("seed", 1, 1, LAST_FIRST_SEED); });
    complaints.Try([&] {
        const uint64_t cores = std::max(1U, std::thread::hardware_concurrency());
        options.jobs = arguments.GetNumber("jobs", cores, 1, MOST_JOBS);
    });
    complaints.Throw();
    options.resume = arguments.Has("resume");
    options.quiet = arguments.Has("quiet");
    options.isTerminal = isatty(STDERR_FILENO) != 0;
    options.folder = arguments.Get("out", "results/" + NameScenario(options.scenario) + "-compare");
    options.runProgram = FindSibling("ddl-compare", "ddl-run");
    options.checkProgram = FindSibling("ddl-compare", "ddl-check");
    return options;
}

} // namespace ddl
} // namespace ns3
