// SPDX-License-Identifier: GPL-2.0-only
#include "app/plot/ddl-figure.h"
#include "app/process/ddl-program.h"

#include "ns3/ddl-plugin.h"

#include <iostream>

/** Draws figures from folders of results. */
int
main(int argc, char** argv)
{
    auto arguments = ns3::ddl::MakePlotArguments();
    return ns3::ddl::RunProgram(arguments, argc, argv, [&arguments] {
        ns3::ddl::LoadPlugins(arguments.GetAll("plugin"));
        return ns3::ddl::Plot(arguments, std::cout, std::cerr);
    });
}
