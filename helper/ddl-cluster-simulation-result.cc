// SPDX-License-Identifier: GPL-2.0-only
// What a ClusterSimulation says of itself and of its run, captures included; how it runs is in
// ddl-cluster-simulation.cc.
#include "ddl-cluster-simulation.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-quantity.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <filesystem>
#include <sys/resource.h>

namespace ns3
{
namespace ddl
{

namespace
{

uint64_t
PeakBytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<uint64_t>(usage.ru_maxrss) * 1024; // Linux counts in KiB
}

/** \return pauses that the ports of all switches have asked for */
uint64_t
CountPauses(Ptr<Fabric> fabric)
{
    uint64_t pauses = 0;
    for (const auto& port : fabric->GetPorts())
    {
        const auto device = DynamicCast<SwitchPort>(port.device);
        pauses += device ? device->GetPauses() : 0;
    }
    return pauses;
}

double
SumCpuSeconds(const std::vector<Ptr<TaskQueuePolicy>>& policies)
{
    double seconds = 0;
    for (const auto& policy : policies)
    {
        seconds += policy->GetCpuSeconds();
    }
    return seconds;
}

NetworkTotals
SumPackets(const std::vector<PortRow>& ports)
{
    NetworkTotals totals;
    for (const auto& row : ports)
    {
        totals.packetHops += row.packets.value_or(0);
        totals.marks += row.marked.value_or(0);
    }
    return totals;
}

} // namespace

void
ClusterSimulation::EnablePcap(const std::string& folder)
{
    for (const NamedPort& port : m_fabric->GetPorts())
    {
        const std::string name =
            folder + "/" + port.node + "-" + std::to_string(port.port) + "-" + port.peer;
        PortCapture capture = ddl::EnablePcap(name, port.device);
        std::filesystem::rename(capture.name, name + ".pcap"); // ns-3's numbers tell users nothing
        capture.name = name + ".pcap";
        m_captures.push_back(capture);
    }
}

void
ClusterSimulation::EnableRows(const std::string& folder)
{
    m_recorder.EnableFiles(folder, {m_scenario.output.iterations, m_scenario.output.coflows});
}

void
ClusterSimulation::EnableTimeline(const std::string& file)
{
    m_timeline = std::make_unique<TimelineRecorder>(file);
    m_timeline->Watch(m_cluster);
    m_timeline->Watch(m_manager);
}

std::string
ClusterSimulation::ExplainEnd() const
{
    if (m_watch.HasFired())
    {
        const auto held = m_coordinator->GetGateKeeper().GetWaiting();
        return "no job moved for " + FormatDuration(m_watch.GetPatience()) + " (stop.stall)" +
               (held > 0 ? "; the gate holds back " + std::to_string(held) +
                               (held > 1 ? " jobs" : " job") + " (scheduler.gate)"
                         : "");
    }
    return m_scenario.stop.time ? "the simulated time was up (stop.time)" : "";
}

RunResult
ClusterSimulation::Collect(bool interrupted)
{
    RunResult result = m_recorder.TakeResult();
    result.end = Simulator::Now();
    for (const auto& job : m_manager->GetUnfinished())
    {
        result.unfinished.push_back({"job " + std::to_string(job.job.value), job.state});
    }
    result.imbalances = AuditPackets(m_fabric);
    const bool isSound = result.unfinished.empty() && result.imbalances.empty();
    result.status = interrupted ? RunResult::Status::INTERRUPTED
                    : isSound   ? RunResult::Status::DONE
                                : RunResult::Status::UNFINISHED;
    const bool isLeftOver = !interrupted && !result.unfinished.empty();
    result.reason = isLeftOver                  ? ExplainEnd()
                    : result.imbalances.empty() ? ""
                                                : "packets are not accounted for";
    FinishFiles(result);
    AddTotals(result);
    return result;
}

/** What goes wrong here never costs the other results. */
void
ClusterSimulation::FinishFiles(RunResult& result)
{
    const auto finish = [&result](const std::string& what, const auto& file) {
        try
        {
            file();
        }
        catch (const RunError& error)
        {
            result.unfinished.push_back({what, error.what()});
            result.status = result.status == RunResult::Status::DONE ? RunResult::Status::UNFINISHED
                                                                     : result.status;
        }
    };
    finish("rows", [this] { m_recorder.FinishFiles(); });
    if (m_timeline)
    {
        finish("timeline", [this] { m_timeline->Finish(); });
    }
    for (const auto& capture : m_captures)
    {
        finish("capture", [&capture] {
            capture.file->Close(); // what it still held is written now
            if (capture.file->Fail())
            {
                throw RunError("cannot write all packets to \"" + capture.name + "\"");
            }
        });
    }
}

void
ClusterSimulation::AddTotals(RunResult& result) const
{
    result.ports = ReadPorts(m_fabric, m_transport, std::max(result.end, NanoSeconds(1)));
    if (m_transport->HasPackets())
    {
        result.network = SumPackets(result.ports);
        result.network->drops = SumDrops(m_fabric);
        result.network->pauses = CountPauses(m_fabric);
        result.network->streams = m_transport->GetCounters();
    }
    result.certificate = m_bound.GetCertificate();
    result.controlMessages = m_control->GetMessages();
    result.controlBytes = m_control->GetBytes();
    result.mostRanks = m_coordinator->GetMostRanks();
    const Time span =
        result.unfinished.empty() ? result.makespan : result.end - m_recorder.GetFirstArrival();
    const double gpuSeconds = m_cluster->GetGpuCount() * span.GetSeconds();
    result.gpuUtilisation = gpuSeconds > 0 ? m_cluster->GetBusyTime().GetSeconds() / gpuSeconds : 0;
    result.events = Simulator::GetEventCount() - m_reports;
    result.policies = {{"network", m_scheduler->GetCpuSeconds()},
                       {"jobs", m_jobQueue->GetCpuSeconds()},
                       {"placement", m_placement->GetCpuSeconds()}};
    if (m_scenario.cluster.gpuMemory > 0)
    {
        result.policies.push_back({"tasks", SumCpuSeconds(m_tasks)});
    }
    if (m_gate->IsAsked())
    {
        result.gate = m_coordinator->GetGateKeeper().GetTotals();
        result.policies.push_back({"gate", m_gate->GetCpuSeconds()});
    }
    result.peakBytes = PeakBytes();
}

Ptr<Fabric>
ClusterSimulation::GetFabric() const
{
    return m_fabric;
}

Ptr<Cluster>
ClusterSimulation::GetCluster() const
{
    return m_cluster;
}

Ptr<Transport>
ClusterSimulation::GetTransport() const
{
    return m_transport;
}

Ptr<Coordinator>
ClusterSimulation::GetCoordinator() const
{
    return m_coordinator;
}

Ptr<JobManager>
ClusterSimulation::GetJobManager() const
{
    return m_manager;
}

} // namespace ddl
} // namespace ns3
