// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-machine.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/object-vector.h"

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlMachine");
NS_OBJECT_ENSURE_REGISTERED(Machine);

TypeId
Machine::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::Machine")
            .SetParent<Object>()
            .SetGroupName("Ddl")
            .AddAttribute("Gpus",
                          "Its GPUs",
                          TypeId::ATTR_GET,
                          ObjectVectorValue(),
                          MakeObjectVectorAccessor(&Machine::GetGpu, &Machine::GetGpuCount),
                          MakeObjectVectorChecker<Gpu>());
    return tid;
}

Machine::Machine(HostId host,
                 Ptr<Node> node,
                 uint32_t gpus,
                 const GpuType& gpuType,
                 uint64_t gpuMemory)
    : m_host(host),
      m_node(node),
      m_gpuType(gpuType),
      m_gpuMemory(gpuMemory),
      m_holders(gpus)
{
    NS_LOG_FUNCTION(this << host << gpus << gpuType.name);
    for (uint32_t index = 0; index < gpus; ++index)
    {
        m_gpus.push_back(CreateObject<Gpu>(GpuId{host, index}));
    }
}

void
Machine::DoDispose()
{
    NS_LOG_FUNCTION(this);
    for (const auto& gpu : m_gpus)
    {
        gpu->Dispose();
    }
    m_gpus.clear();
    m_holders.clear();
    m_node = nullptr;
    Object::DoDispose();
}

Ptr<Gpu>
Machine::GetGpu(uint32_t index) const
{
    NS_ABORT_MSG_IF(index >= m_gpus.size(), "machine " << m_host << " has no GPU " << index);
    return m_gpus[index];
}

MachineView
Machine::GetView() const
{
    MachineView view;
    view.host = m_host;
    view.servers = m_servers;
    view.gpuType = m_gpuType;
    for (uint32_t index = 0; index < m_gpus.size(); ++index)
    {
        view.gpus.push_back({GpuId{m_host, index},
                             m_holders[index].empty(),
                             m_gpuMemory,
                             m_gpuMemory - GetHeldMemory(index)});
    }
    return view;
}

void
Machine::Claim(uint32_t index, JobId job, uint64_t memory)
{
    NS_LOG_FUNCTION(this << index << job << memory);
    const Ptr<Gpu> gpu = GetGpu(index);
    auto& holders = m_holders[index];
    if (holders.count(job) > 0)
    {
        return;
    }
    const bool whole = m_gpuMemory == 0 || memory == 0;
    const uint64_t rest = m_gpuMemory - GetHeldMemory(index);
    NS_ABORT_MSG_IF(memory > m_gpuMemory && m_gpuMemory > 0,
                    "job " << job << " claims " << memory << " bytes of a GPU of " << m_gpuMemory);
    NS_ABORT_MSG_IF(whole ? !holders.empty() : memory > rest,
                    "job " << job << " claims GPU " << index << " of machine " << m_host
                           << ", which job " << holders.begin()->first << " holds");
    holders[job] = whole ? m_gpuMemory : memory;
    gpu->SetHolders(holders.size());
}

void
Machine::Release(uint32_t index, JobId job)
{
    NS_LOG_FUNCTION(this << index << job);
    const Ptr<Gpu> gpu = GetGpu(index);
    auto& holders = m_holders[index];
    NS_ABORT_MSG_IF(!holders.empty() && holders.count(job) == 0,
                    "job " << job << " releases GPU " << index << " of machine " << m_host
                           << ", which job " << holders.begin()->first << " holds");
    holders.erase(job);
    gpu->SetHolders(holders.size());
}

std::optional<JobId>
Machine::GetHolder(uint32_t index) const
{
    NS_ABORT_MSG_IF(index >= m_gpus.size(), "machine " << m_host << " has no GPU " << index);
    const auto& holders = m_holders[index];
    return holders.empty() ? std::nullopt : std::make_optional(holders.begin()->first);
}

uint64_t
Machine::GetHeldMemory(uint32_t index) const
{
    uint64_t held = 0;
    for (const auto& [job, bytes] : m_holders.at(index))
    {
        held += bytes;
    }
    return held;
}

void
Machine::AddServer()
{
    ++m_servers;
}

void
Machine::RemoveServer()
{
    NS_ABORT_MSG_IF(m_servers == 0, "machine " << m_host << " has no server to remove");
    --m_servers;
}

} // namespace ns3::ddl
