// SPDX-License-Identifier: GPL-2.0-only
/*
 * One parameter-server job alone on one switch, without JSON.
 *
 * Two workers push 10 MB each to two servers, which hold half of the model each, and pull it back.
 * Every machine sends 10 MB in one phase and receives 10 MB in the other, so at B = 10 Gbps an
 * iteration takes 2 M / B = 16 ms of payload, and 1538 / 1460 of that with headers and framing.
 */
#include "ns3/core-module.h"
#include "ns3/ddl-module.h"

#include <iostream>

using namespace ns3;
using namespace ns3::ddl;

int
main(int argc, char* argv[])
{
    WheelScheduler::MakeDefault(); // faster, and the same events as with ns-3's own default
    uint32_t iterations = 2;
    CommandLine cmd(__FILE__);
    cmd.AddValue("iterations", "how often the job pushes and pulls", iterations);
    cmd.Parse(argc, argv);

    Scenario scenario;
    scenario.name = "one-job";
    scenario.cluster.topology.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
    scenario.cluster.topology.shape.Set("Hosts", UintegerValue(4));

    JobSpec job;
    job.id = JobId{1};
    job.model.name = "example";
    job.model.bytes = 10000000;
    job.workers = 2;
    job.servers = 2;
    job.pattern.SetTypeId(ParameterServerCommunicationPattern::GetTypeId());
    job.placement =
        Placement{{{HostId{0}, 0}, {HostId{1}, 0}}, {OnMachine(HostId{2}), OnMachine(HostId{3})}};
    scenario.workload.groups = {MakePlainJob(job, Seconds(0), {iterations})};

    ClusterSimulation simulation(scenario);
    const RunResult result = simulation.Run();

    const double measured = result.jobs.at(0).GetJct() / iterations;
    const double expected = 2 * 10e6 * 8 / 10e9 * 1538 / 1460;
    std::cout << "iteration: " << measured * 1e3 << " ms, closed form: " << expected * 1e3
              << " ms, gap: " << (measured / expected - 1) * 100 << " %\n";
    return std::abs(measured / expected - 1) < 0.02 ? 0 : 1;
}
