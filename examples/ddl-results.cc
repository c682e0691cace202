// SPDX-License-Identifier: GPL-2.0-only
/*
 * The standard result files from a script: what `./ddl run` writes, without JSON as input.
 *
 * Four ring jobs of 2 to 5 workers come 1 ms apart. Rows go to the files as they come about, so
 * that a long run needs no more memory than a short one; WriteResults adds the files that are known
 * at the end. The program then reads jobs.csv back: a ring of N workers gives 2 (N - 1) M bytes to
 * its streams in each iteration.
 */
#include "ns3/core-module.h"
#include "ns3/ddl-module.h"

#include <filesystem>
#include <fstream>
#include <iostream>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr uint64_t MODEL_BYTES = 2000000; //!< of the model
constexpr uint32_t ITERATIONS = 2;

Scenario
MakeScenario()
{
    Scenario scenario;
    scenario.name = "results";
    scenario.cluster.gpus = 4;
    scenario.output.tables = {"iterations"};
    for (uint32_t number = 1; number <= 4; ++number)
    {
        JobSpec job;
        job.id = JobId{number};
        job.model.name = "example";
        job.model.bytes = MODEL_BYTES;
        job.workers = number + 1;
        job.pattern.SetTypeId("ns3::ddl::RingCommunicationPattern");
        scenario.workload.groups.push_back(
            MakePlainJob(job, MilliSeconds(number - 1), {ITERATIONS}));
    }
    return scenario;
}

/** \return the columns of a row */
std::vector<std::string>
Split(const std::string& row)
{
    std::vector<std::string> cells(1);
    for (const char c : row)
    {
        c == ',' ? cells.emplace_back() : cells.back() += c;
    }
    return cells;
}

} // namespace

int
main(int argc, char* argv[])
{
    WheelScheduler::MakeDefault(); // faster, and the same events as with ns-3's own default
    std::string folder = "results";
    CommandLine cmd(__FILE__);
    cmd.AddValue("out", "folder for the files", folder);
    cmd.Parse(argc, argv);

    {
        ClusterSimulation simulation(MakeScenario());
        std::filesystem::create_directories(folder);
        simulation.EnableRows(folder);
        const RunResult result = simulation.Run();
        simulation.WriteResults(folder, result);
    }
    std::ifstream jobs(folder + "/jobs.csv");
    std::string row;
    std::getline(jobs, row);
    const auto header = Split(row);
    const auto column = [&header](const std::string& name) {
        return std::find(header.begin(), header.end(), name) - header.begin();
    };
    uint32_t good = 0;
    while (std::getline(jobs, row))
    {
        const auto cells = Split(row);
        const uint64_t workers = std::stoull(cells.at(column("workers")));
        const uint64_t bytes = std::stoull(cells.at(column("bytes")));
        std::cout << workers << " workers sent " << bytes << " bytes\n";
        good += bytes == ITERATIONS * 2 * (workers - 1) * MODEL_BYTES ? 1 : 0;
    }
    for (const char* name : {"stages.csv",
                             "ports.csv",
                             "remarks.csv",
                             "schedule.csv",
                             "iterations.csv",
                             "summary.json"})
    {
        good += std::filesystem::exists(folder + "/" + name) ? 1 : 0;
    }
    return good == 4 + 6 ? 0 : 1;
}
