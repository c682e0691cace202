// SPDX-License-Identifier: GPL-2.0-only
#include "app/compare/ddl-comparison.h"
#include "app/process/ddl-process-pool.h"
#include "app/process/ddl-program.h"

#include "ns3/ddl-plugin.h"

#include <iostream>

using namespace ns3::ddl;

/** Runs a scenario with different settings, side by side, and compares. */
int
main(int argc, char** argv)
{
    SettleTimes();
    auto arguments = MakeCompareArguments();
    return RunProgram(arguments, argc, argv, [&arguments] {
        LoadPlugins(arguments.GetAll("plugin"));
        const CompareOptions options = ReadCompareOptions(arguments);
        ShareCores(options.jobs);
        return Compare(options, std::cout, std::cerr);
    });
}
