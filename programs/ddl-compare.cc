// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-comparison.h"
#include "ns3/ddl-program.h"

#include <iostream>

/** Runs a scenario with different settings, side by side, and compares. */
int
main(int argc, char** argv)
{
    auto arguments = ns3::ddl::MakeCompareArguments();
    return ns3::ddl::RunProgram(arguments, argc, argv, [&arguments] {
        return ns3::ddl::Compare(ns3::ddl::ReadCompareOptions(arguments), std::cout, std::cerr);
    });
}
