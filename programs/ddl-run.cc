// SPDX-License-Identifier: GPL-2.0-only
#include "app/process/ddl-program.h"
#include "app/run/ddl-run-identity.h"
#include "app/run/ddl-run-once.h"
#include "app/run/ddl-run-scenario.h"
#include "app/text/ddl-complaints.h"
#include "app/text/ddl-ns3-options.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-plugin.h"
#include "ns3/ddl-safe-file.h"
#include "ns3/ddl-scenario-reader.h"

#include <filesystem>

using namespace ns3::ddl;

namespace
{

/** \throws InputError when the file is a device or the like, which must not be replaced */
void
WriteIdentity(const std::string& file, const Scenario& scenario)
{
    if (std::filesystem::exists(file) && !std::filesystem::is_regular_file(file))
    {
        throw InputError({{"--identity", "", file + " is not a file"}});
    }
    WriteFileSafely(file, FormatIdentity(IdentifyRun(scenario)));
}

} // namespace

int
main(int argc, char* argv[])
{
    SettleTimes();
    Arguments arguments("ddl run", "One simulation; a table at the end; results in DIR.");
    arguments.AddWord("SCENARIO", "a JSON file, or the name of a folder in scenarios/");
    arguments.AddOptions("set", "PATH=VALUE", "set a key of the scenario by its dotted path");
    arguments.AddOption("out", "DIR", "where results go; default results/NAME");
    arguments.AddOption("seed",
                        "N",
                        "of ECMP salts, random policies and jitter; default: scenario's");
    arguments.AddFlag("quiet", "no progress and no table; errors are always said");
    arguments.AddOption("identity", "FILE", "write what tells this run from others; run nothing");
    arguments.AddFlag("once", "only if DIR lacks this run's results; they appear in full or not");
    arguments.AddOptions("plugin", "FILE", "shared library with more policies");
    arguments.PassOnNs3();
    arguments.SetNotes(
        "Exit status: 0 done; 1 the run failed or work was left over; 2 bad input; 130 "
        "interrupted.\n"
        "DDL_PROCESSES in the environment: alone runs at a time; default one for each core.\n");
    return RunProgram(arguments, argc, argv, [&]() {
        LoadPlugins(arguments.GetAll("plugin"));
        ScenarioRequest request;
        request.scenario = arguments.Get("SCENARIO");
        request.settings = arguments.GetAll("set");
        if (arguments.Has("seed"))
        {
            request.seed = arguments.Get("seed");
        }
        RunOptions options;
        options.folder = arguments.Get("out");
        options.quiet = arguments.Has("quiet");
        Scenario scenario;
        Complaints complaints;
        complaints.Try([&] { PassToNs3(arguments.GetNs3()); });
        complaints.Try([&] { scenario = ReadScenario(request); });
        complaints.Throw();
        if (arguments.Has("identity"))
        {
            WriteIdentity(arguments.Get("identity"), scenario);
            return 0;
        }
        return arguments.Has("once") ? RunOnce(scenario, options) : RunScenario(scenario, options);
    });
}
