// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-cluster.h"

#include "ns3/abort.h"
#include "ns3/log.h"

#include <utility>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlCluster");
NS_OBJECT_ENSURE_REGISTERED(Cluster);

TypeId
Cluster::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::Cluster").SetParent<Object>().SetGroupName("Ddl");
    return tid;
}

Cluster::Cluster(Ptr<Fabric> fabric)
    : m_fabric(fabric)
{
    NS_LOG_FUNCTION(this << fabric);
}

void
Cluster::DoDispose()
{
    NS_LOG_FUNCTION(this);
    for (const auto& entry : m_machines)
    {
        entry.second->Dispose();
    }
    m_machines.clear();
    m_fabric = nullptr;
    Object::DoDispose();
}

void
Cluster::AddMachine(HostId host, uint32_t gpus, const GpuType& gpuType, uint64_t gpuMemory)
{
    NS_LOG_FUNCTION(this << host << gpus << gpuType.name << gpuMemory);
    NS_ABORT_MSG_UNLESS(m_fabric, "a cluster needs a fabric before its first machine");
    const auto machine =
        CreateObject<Machine>(host, m_fabric->GetHost(host), gpus, gpuType, gpuMemory);
    NS_ABORT_MSG_IF(!m_machines.emplace(host, machine).second,
                    "host " << host << " is a machine already");
}

std::vector<HostId>
Cluster::GetHosts() const
{
    std::vector<HostId> hosts;
    for (const auto& entry : m_machines)
    {
        hosts.push_back(entry.first);
    }
    return hosts;
}

Ptr<Machine>
Cluster::GetMachine(HostId host) const
{
    const auto found = m_machines.find(host);
    NS_ABORT_MSG_IF(found == m_machines.end(), "host " << host << " is no machine of the cluster");
    return found->second;
}

Ptr<Node>
Cluster::GetNode(HostId host) const
{
    return GetMachine(host)->GetNode();
}

DataRate
Cluster::GetRate(HostId host) const
{
    const auto port = m_fabric->GetHostPort(host);
    NS_ABORT_MSG_UNLESS(port, "host " << host.value << " has no link: it has no rate");
    return port->GetDataRate();
}

bool
Cluster::PassesNics(HostId a, HostId b) const
{
    return m_fabric->PassesNics(a, b);
}

const Place&
Cluster::GetPlace(HostId host) const
{
    return m_fabric->GetPlace(host);
}

std::vector<uint32_t>
Cluster::ListServers(const std::vector<HostId>& hosts) const
{
    std::vector<uint32_t> servers;
    servers.reserve(hosts.size());
    for (const HostId host : hosts)
    {
        servers.push_back(GetPlace(host).server);
    }
    return servers;
}

std::vector<uint32_t>
Cluster::ListRacks(const std::vector<HostId>& hosts) const
{
    std::vector<uint32_t> racks;
    racks.reserve(hosts.size());
    for (const HostId host : hosts)
    {
        racks.push_back(GetPlace(host).rack);
    }
    return racks;
}

std::vector<uint32_t>
Cluster::ListRails(const std::vector<HostId>& hosts) const
{
    std::map<uint32_t, uint32_t> counts; // hosts of each server so far
    std::map<HostId, uint32_t> rails;
    for (const auto& entry : m_machines)
    {
        rails[entry.first] = counts[GetPlace(entry.first).server]++;
    }
    std::vector<uint32_t> list;
    list.reserve(hosts.size());
    for (const HostId host : hosts)
    {
        list.push_back(rails.at(host));
    }
    return list;
}

Ptr<Gpu>
Cluster::GetGpu(GpuId id) const
{
    return GetMachine(id.host)->GetGpu(id.index);
}

uint32_t
Cluster::GetGpuCount() const
{
    uint32_t count = 0;
    for (const auto& entry : m_machines)
    {
        count += entry.second->GetGpuCount();
    }
    return count;
}

ClusterView
Cluster::GetView() const
{
    ClusterView view;
    for (const auto& entry : m_machines)
    {
        MachineView machine = entry.second->GetView();
        const Place& place = GetPlace(entry.first);
        machine.server = place.server;
        machine.rack = place.rack;
        view.machines.push_back(std::move(machine));
    }
    return view;
}

void
Cluster::Claim(const std::vector<GpuId>& gpus, JobId job, uint64_t memory)
{
    NS_LOG_FUNCTION(this << gpus.size() << job);
    for (const GpuId& id : gpus)
    {
        GetMachine(id.host)->Claim(id.index, job, memory);
    }
}

void
Cluster::Release(const std::vector<GpuId>& gpus, JobId job)
{
    NS_LOG_FUNCTION(this << gpus.size() << job);
    for (const GpuId& id : gpus)
    {
        GetMachine(id.host)->Release(id.index, job);
    }
}

void
Cluster::AddServer(HostId host)
{
    GetMachine(host)->AddServer();
}

void
Cluster::RemoveServer(HostId host)
{
    GetMachine(host)->RemoveServer();
}

Time
Cluster::GetBusyTime() const
{
    Time busy;
    for (const auto& entry : m_machines)
    {
        for (uint32_t index = 0; index < entry.second->GetGpuCount(); ++index)
        {
            busy += entry.second->GetGpu(index)->GetBusyTime();
        }
    }
    return busy;
}

GpuTimes
Cluster::GetGpuTimes() const
{
    GpuTimes sum;
    for (const auto& [host, machine] : m_machines)
    {
        for (uint32_t index = 0; index < machine->GetGpuCount(); ++index)
        {
            const GpuTimes times = machine->GetGpu(index)->GetTimes();
            sum.busy += times.busy;
            sum.waiting += times.waiting;
            sum.idle += times.idle;
        }
    }
    return sum;
}

} // namespace ns3::ddl
