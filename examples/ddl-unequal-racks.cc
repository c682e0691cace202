// SPDX-License-Identifier: GPL-2.0-only
/*
 * A topology of one's own: three racks that differ in size and in their uplinks.
 *
 * Racks of 2, 3 and 4 machines hang on one core switch by uplinks of 5, 10 and 20 Gbps; machines
 * have NICs of 10 Gbps. A ring all-reduce with one worker per rack sends 2 (N - 1) chunks of M / N
 * over each uplink, and all wait for the slowest one, of B = 5 Gbps: an iteration takes
 * 2 (N - 1) / N * M / B. On RDMA's wire, 1456 bytes of data take 1538 with headers and framing, and
 * the acknowledgement of each packet that came in takes 90 more of the same port.
 */
#include "ns3/core-module.h"
#include "ns3/ddl-module.h"

#include <iostream>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** \return the racks, and in `first` the first machine of each */
Ptr<Fabric>
BuildRacks(std::vector<HostId>& first)
{
    struct Rack
    {
        uint32_t machines;
        DataRate uplink;
    };

    auto fabric = CreateObject<Fabric>();
    auto core = fabric->AddSwitch("core");
    for (const Rack& rack :
         {Rack{2, DataRate("5Gbps")}, Rack{3, DataRate("10Gbps")}, Rack{4, DataRate("20Gbps")}})
    {
        auto top = fabric->AddSwitch("rack" + std::to_string(first.size()));
        fabric->Connect(top, core, rack.uplink, MicroSeconds(1));
        first.push_back(HostId{fabric->GetHosts()});
        for (uint32_t i = 0; i < rack.machines; ++i)
        {
            fabric->Connect(fabric->AddHost(), top, DataRate("10Gbps"), MicroSeconds(1));
        }
    }
    fabric->ComputeRoutes();
    fabric->InstallStack();
    return fabric;
}

} // namespace

int
main(int argc, char* argv[])
{
    WheelScheduler::MakeDefault(); // faster, and the same events as with ns-3's own default
    uint32_t iterations = 3;
    CommandLine cmd(__FILE__);
    cmd.AddValue("iterations", "how often the workers all-reduce", iterations);
    cmd.Parse(argc, argv);

    std::vector<HostId> first;
    auto fabric = BuildRacks(first);
    ClusterHelper helper;
    helper.SetTransport("ns3::ddl::RdmaTransport", "AckInterval", UintegerValue(1));
    helper.SetGpus(1);
    helper.SetGpus(first[2], 4); // one machine of the third rack has more
    auto cluster = helper.Install(fabric);
    RunRecorder recorder(cluster);

    JobSpec job;
    job.model.name = "example";
    job.model.bytes = 30000000;
    job.workers = 3;
    job.placement = Placement{{{first[0], 0}, {first[1], 0}, {first[2], 3}}, {}};
    cluster->Submit(job, {iterations}, Seconds(0));
    Simulator::Run();

    const RunResult result = recorder.TakeResult();
    Simulator::Destroy();
    double busy = 0;
    for (const PortRow& queue : result.ports)
    {
        busy += queue.node == "rack0" && queue.peer == "core" ? queue.utilisation : 0;
    }
    const double measured = result.jobs.at(0).GetJct() / iterations;
    const double expected = 2.0 * 2 / 3 * 30e6 * 8 / 5e9 * (1538 + 90) / 1456;
    std::cout << "iteration: " << measured * 1e3 << " ms, closed form: " << expected * 1e3
              << " ms, gap: " << (measured / expected - 1) * 100
              << " %; the slowest uplink was in use " << busy * 100 << " % of the time\n";
    return std::abs(measured / expected - 1) < 0.02 ? 0 : 1;
}
