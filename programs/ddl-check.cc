// SPDX-License-Identifier: GPL-2.0-only
#include "app/process/ddl-program.h"
#include "app/run/ddl-forecast.h"

#include "ns3/ddl-plugin.h"
#include "ns3/ddl-scenario-reader.h"

#include <iostream>

using namespace ns3::ddl;

int
main(int argc, char* argv[])
{
    Arguments arguments("ddl check",
                        "Validates a scenario, runs its beginning for some seconds, and prints "
                        "what the whole would be and cost.");
    arguments.AddWord("SCENARIO", "a JSON file, or the name of a folder in scenarios/");
    arguments.AddOptions("set", "PATH=VALUE", "set a key of the scenario by its dotted path");
    arguments.AddOptions("vary", "PATH=VALUE", "the same: one value of a comparison's --vary");
    arguments.AddOptions("plugin", "FILE", "shared library with more policies");
    arguments.AddFlag("quiet", "only say what is wrong");
    return RunProgram(arguments, argc, argv, [&]() {
        LoadPlugins(arguments.GetAll("plugin"));
        ScenarioRequest request;
        request.scenario = arguments.Get("SCENARIO");
        request.settings = arguments.GetAll("set");
        request.variations = arguments.GetAll("vary");
        const Scenario scenario = ReadScenario(request);
        auto settings = request.settings;
        settings.insert(settings.end(), request.variations.begin(), request.variations.end());
        for (const auto& idle : FindIdleSettings(scenario, settings))
        {
            std::cerr << "warning: " << idle << "\n";
        }
        if (!arguments.Has("quiet"))
        {
            PrintForecast(std::cout, scenario, MakeForecast(scenario), TryCosts(scenario));
        }
        return 0;
    });
}
