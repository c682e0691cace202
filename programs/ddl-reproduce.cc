// SPDX-License-Identifier: GPL-2.0-only
#include "app/process/ddl-process-pool.h"
#include "app/process/ddl-program.h"
#include "app/reproduce/ddl-reproduction.h"

#include "ns3/ddl-plugin.h"

#include <iostream>

using namespace ns3::ddl;

/** Runs the figures of a paper, and sets our numbers beside the published ones. */
int
main(int argc, char** argv)
{
    SettleTimes();
    auto arguments = MakeReproduceArguments();
    return RunProgram(arguments, argc, argv, [&arguments] {
        LoadPlugins(arguments.GetAll("plugin"));
        const ReproduceOptions options = ReadReproduceOptions(arguments);
        ShareCores(options.jobs);
        return Reproduce(options, std::cout, std::cerr);
    });
}
