// SPDX-License-Identifier: GPL-2.0-only
/*
 * A network scheduler by its TypeId, and trace sinks on what it decides.
 *
 * Two jobs push 40 MB and 10 MB from the same machine at the same time. Shortest-processing-time
 * first lets the short one go first: at B = 10 Gbps it takes 10 MB / B, and both together take
 * 50 MB / B. With fair shares the short one would take 20 MB / B. On the wire, 1456 bytes of data
 * take 1538 with headers and framing.
 */
#include "ns3/core-module.h"
#include "ns3/ddl-module.h"

#include <iostream>
#include <map>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

std::map<uint32_t, double> g_seconds; //!< by job: when it ended

void
PrintOrder(const ScheduleRecord& record)
{
    std::cout << record.time.GetMicroSeconds() << " us: order of jobs " << record.order << "\n";
}

void
PrintRemark(std::string path, const RemarkRecord& record)
{
    std::cout << record.time.GetMicroSeconds() << " us: " << path << ": stream " << record.name
              << " of job " << record.job << " goes to band " << +record.mark.band << ", DSCP "
              << +record.mark.dscp << "\n";
}

void
NoteEnd(Ptr<Job> job, bool /* stoppedEarly */)
{
    g_seconds[job->GetId().value] = Simulator::Now().GetSeconds();
}

/** \return a job with a worker on machine 0 that pushes to a parameter server and pulls nothing */
JobSpec
MakePush(uint32_t gpu, uint64_t bytes)
{
    JobSpec job;
    job.model.name = "example";
    job.model.bytes = bytes;
    job.servers = 1;
    job.pattern.SetTypeId("ns3::ddl::ParameterServerCommunicationPattern");
    job.pattern.Set("PullRatio", DoubleValue(0));
    job.placement = Placement{{{HostId{0}, gpu}}, {OnMachine(HostId{1 + gpu})}};
    return job;
}

} // namespace

int
main(int argc, char* argv[])
{
    WheelScheduler::MakeDefault(); // faster, and the same events as with ns-3's own default
    std::string scheduler = "ns3::ddl::SptfNetworkScheduler";
    CommandLine cmd(__FILE__);
    cmd.AddValue("scheduler", "TypeId or short name of a network scheduler", scheduler);
    cmd.Parse(argc, argv);

    auto fabric = CreateObject<Fabric>();
    auto top = fabric->AddSwitch("top");
    for (uint32_t host = 0; host < 3; ++host)
    {
        fabric->Connect(fabric->AddHost(), top, DataRate("10Gbps"), MicroSeconds(1));
    }
    fabric->ComputeRoutes();
    fabric->InstallStack();
    ClusterHelper helper;
    helper.SetTransport("rdma");
    helper.SetNetworkScheduler(scheduler);
    auto cluster = helper.Install(fabric);
    Config::ConnectWithoutContext("/TrainingCluster/Coordinator/Schedule",
                                  MakeCallback(&PrintOrder));
    Config::Connect("/TrainingCluster/Agents/*/Remark", MakeCallback(&PrintRemark));
    cluster->GetJobObserver()->TraceConnectWithoutContext("JobEnd", MakeCallback(&NoteEnd));
    const JobId large = cluster->Submit(MakePush(0, 40000000), {1}, Seconds(0));
    const JobId small = cluster->Submit(MakePush(1, 10000000), {1}, Seconds(0));
    Simulator::Run();
    Simulator::Destroy();

    const double perByte = 8 / 10e9 * 1538 / 1456;
    bool good = true;
    const auto check = [&good](const char* name, double measured, double expected) {
        std::cout << name << " job: " << measured * 1e3 << " ms, closed form: " << expected * 1e3
                  << " ms, gap: " << (measured / expected - 1) * 100 << " %\n";
        good = good && std::abs(measured / expected - 1) < 0.02;
    };
    check("short", g_seconds[small.value], 10e6 * perByte);
    check("long", g_seconds[large.value], 50e6 * perByte);
    return good ? 0 : 1;
}
