// SPDX-License-Identifier: GPL-2.0-only
/*
 * A ring all-reduce over the leaves of a leaf-spine network, without JSON.
 *
 * N workers each send 2 (N - 1) chunks of M / N, so an iteration takes 2 (N - 1) / N * M / B, if no
 * two flows share a link: each worker has its own machine, and only two flows cross between the
 * racks, one in each direction. On the wire, 1460 bytes of data take 1538 with headers and framing,
 * and the acknowledgement of a packet that came in takes 78 more of the same port.
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
    uint32_t workers = 4;
    uint32_t iterations = 3;
    double megabytes = 20;
    CommandLine cmd(__FILE__);
    cmd.AddValue("workers", "members of the ring, an even number", workers);
    cmd.AddValue("iterations", "how often they all-reduce", iterations);
    cmd.AddValue("megabytes", "size of the model", megabytes);
    cmd.Parse(argc, argv);

    Scenario scenario;
    scenario.name = "ring";
    scenario.cluster.topology.shape.Set("Leaves", UintegerValue(2));
    scenario.cluster.topology.shape.Set("HostsPerLeaf", StringValue(std::to_string(workers / 2)));
    scenario.cluster.topology.shape.Set("Spines", UintegerValue(2));

    JobSpec job;
    job.id = JobId{1};
    job.model.name = "example";
    job.model.bytes = static_cast<uint64_t>(megabytes * 1e6);
    job.workers = workers;
    job.pattern.SetTypeId(RingCommunicationPattern::GetTypeId());
    job.placement.emplace();
    for (uint32_t host = 0; host < workers; ++host)
    {
        job.placement->workers.push_back({HostId{host}, 0});
    }
    scenario.workload.groups = {MakePlainJob(job, Seconds(0), {iterations})};

    ClusterSimulation simulation(scenario);
    const RunResult result = simulation.Run();

    const double measured = result.jobs.at(0).GetJct() / iterations;
    const double expected =
        2.0 * (workers - 1) / workers * megabytes * 1e6 * 8 / 10e9 * (1538 + 78) / 1460;
    std::cout << "iteration: " << measured * 1e3 << " ms, closed form: " << expected * 1e3
              << " ms, gap: " << (measured / expected - 1) * 100 << " %\n";
    return std::abs(measured / expected - 1) < 0.02 ? 0 : 1;
}
