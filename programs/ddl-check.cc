// SPDX-License-Identifier: GPL-2.0-only
#include "app/process/ddl-program.h"
#include "app/process/ddl-timed-answer.h"
#include "app/run/ddl-check-scenario.h"
#include "app/text/ddl-ns3-options.h"

#include <algorithm>

using namespace ns3::ddl;

namespace
{

constexpr std::chrono::milliseconds PATIENCE(4500); //!< time to answer, from the command on
constexpr std::chrono::milliseconds LEAST(3000);    //!< least time to answer after a build

} // namespace

int
main(int argc, char* argv[])
{
    SettleTimes();
    Arguments arguments("ddl check",
                        "Validates a scenario, runs its beginning for some seconds, and prints "
                        "what the whole would be and cost, and what it could not see. Answers "
                        "within five seconds.");
    arguments.AddWord("SCENARIO", "a JSON file, or the name of a folder in scenarios/");
    arguments.AddOptions("set", "PATH=VALUE", "set a key of the scenario by its dotted path");
    arguments.AddOptions("vary", "PATH=VALUE", "the same: one value of a comparison's --vary");
    arguments.AddOptions("plugin", "FILE", "shared library with more policies");
    arguments.AddFlag("quiet", "only say what is wrong, however long reading takes");
    arguments.PassOnNs3();
    arguments.SetNotes("Exit status: 0 valid; 1 not read in time (--quiet has no limit), or the "
                       "trial failed; 2 bad input.\n");
    return RunProgram(arguments, argc, argv, [&]() {
        PassToNs3(arguments.GetNs3());
        CheckRequest request;
        request.plugins = arguments.GetAll("plugin");
        request.scenario.scenario = arguments.Get("SCENARIO");
        request.scenario.settings = arguments.GetAll("set");
        request.scenario.variations = arguments.GetAll("vary");
        if (arguments.Has("quiet"))
        {
            return CheckQuietly(request);
        }
        const auto now = std::chrono::steady_clock::now();
        return CheckScenario(request, std::max(GetProcessStart() + PATIENCE, now + LEAST));
    });
}
