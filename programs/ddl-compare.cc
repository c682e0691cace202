// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-comparison.h"
#include "ns3/ddl-program.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>

using namespace ns3::ddl;

namespace
{

/** Each run starts alone runs, one for each core if nobody tells it how many of us there are. */
void
ShareCores(std::size_t runs)
{
    const std::size_t cores = std::thread::hardware_concurrency();
    setenv("DDL_PROCESSES", std::to_string(std::max<std::size_t>(1, cores / runs)).c_str(), 0);
}

} // namespace

/** Runs a scenario with different settings, side by side, and compares. */
int
main(int argc, char** argv)
{
    auto arguments = MakeCompareArguments();
    return RunProgram(arguments, argc, argv, [&arguments] {
        const CompareOptions options = ReadCompareOptions(arguments);
        ShareCores(options.jobs);
        return Compare(options, std::cout, std::cerr);
    });
}
