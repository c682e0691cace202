// SPDX-License-Identifier: GPL-2.0-only
#include "app/process/ddl-program.h"
#include "app/report/ddl-report-command.h"

#include "ns3/ddl-plugin.h"

#include <iostream>

/** Writes one HTML page of results. */
int
main(int argc, char** argv)
{
    auto arguments = ns3::ddl::MakeReportArguments();
    return ns3::ddl::RunProgram(arguments, argc, argv, [&arguments] {
        ns3::ddl::LoadPlugins(arguments.GetAll("plugin"));
        return ns3::ddl::WriteReport(arguments, std::cout);
    });
}
