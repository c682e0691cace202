// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-packet-audit.h"

#include "ddl-fabric.h"
#include "ddl-link.h"

namespace ns3::ddl
{

namespace
{

std::string
Describe(const PacketCount& count)
{
    return std::to_string(count.packets) + " packets (" + std::to_string(count.bytes) + " bytes)";
}

/** \return packets that left the queues of a port, those lost on the wire included */
PacketCount
CountSent(const Port& port)
{
    PacketCount sent;
    for (uint32_t queue = 0; queue < port.GetQueues(); ++queue)
    {
        const QueueCounters& counters = port.GetBank().GetAccount(queue).GetCounters();
        sent += {counters.packets, counters.bytes};
    }
    return sent;
}

/** \return packets that a port dropped before they were sent */
PacketCount
CountUnsent(const Port& port)
{
    PacketCount dropped = port.GetDrops().GetSum();
    dropped -= port.GetDrops().Get(DropReason::ON_WIRE);
    dropped -= port.GetDrops().Get(DropReason::MISROUTED); // misrouted packets are inbound
    return dropped;
}

uint64_t
SumBacklogs(const Port& port)
{
    uint64_t bytes = 0;
    for (uint32_t queue = 0; queue < port.GetQueues(); ++queue)
    {
        bytes += port.GetBacklog(queue);
    }
    return bytes;
}

/** Collects the accounts that do not add up. */
class Audit
{
  public:
    explicit Audit(Ptr<Fabric> fabric)
        : m_fabric(fabric)
    {
    }

    std::vector<PacketImbalance> Run()
    {
        for (uint32_t host = 0; host < m_fabric->GetHosts(); ++host)
        {
            const std::string name = m_fabric->GetName(m_fabric->GetHost(HostId{host}));
            CheckNic(name, m_fabric->GetHostPort(HostId{host}));
            CheckNic(name + "'s scale-up port", m_fabric->GetScaleUpPort(HostId{host}));
        }
        for (uint32_t i = 0; i < m_fabric->GetSwitches(); ++i)
        {
            CheckSwitch(m_fabric->GetSwitch(i));
        }
        for (uint32_t link = 0; link < m_fabric->GetLinks(); ++link)
        {
            CheckLink(*m_fabric->GetLink(link), 0);
            CheckLink(*m_fabric->GetLink(link), 1);
        }
        if (m_frames != m_fabric->GetFramesInUse())
        {
            m_found.push_back({"the fabric",
                               "has " + std::to_string(m_fabric->GetFramesInUse()) +
                                   " frames in use, of which queues and links hold " +
                                   std::to_string(m_frames)});
        }
        return m_found;
    }

  private:
    /** \param nic a port of a host, or null */
    void CheckNic(const std::string& name, const Ptr<HostPort>& nic)
    {
        if (!nic)
        {
            return;
        }
        const PacketCount held = nic->GetBank().CountHeld();
        m_frames += held.packets;
        CompareFlows(name,
                     "was offered ",
                     nic->GetOfferedPackets(),
                     CountSent(*nic),
                     CountUnsent(*nic),
                     held);
        const PacketCount misrouted = nic->GetDrops().Get(DropReason::MISROUTED);
        PacketCount known = nic->GetDelivered();
        known += misrouted;
        Compare(name,
                nic->GetReceived(),
                known,
                "received " + Describe(nic->GetReceived()) + ", delivered " +
                    Describe(nic->GetDelivered()) + ", dropped " + Describe(misrouted));
        CompareBacklogs(name, held.bytes, SumBacklogs(*nic));
    }

    void CheckSwitch(Ptr<Switch> node)
    {
        const std::string name = m_fabric->GetName(node);
        PacketCount received;
        PacketCount sent;
        PacketCount held;
        PacketCount dropped = node->GetDrops().GetSum();
        uint64_t backlogs = 0;
        for (uint32_t i = 0; i < node->GetNDevices(); ++i)
        {
            const auto port = DynamicCast<SwitchPort>(node->GetDevice(i));
            if (port)
            {
                received += port->GetReceived();
                sent += CountSent(*port);
                held += port->GetBank().CountHeld();
                dropped += CountUnsent(*port);
                backlogs += SumBacklogs(*port);
            }
        }
        m_frames += held.packets;
        CompareFlows(name, "received ", received, sent, dropped, held);
        CompareBacklogs(name, held.bytes, backlogs);
        if (const auto buffer = node->GetSharedBuffer())
        {
            CompareBacklogs(name + "'s shared buffer", held.bytes, buffer->GetUsed());
        }
    }

    void CheckLink(const Link& link, uint32_t end)
    {
        const auto from = link.GetPort(end);
        const auto to = link.GetPort(1 - end);
        const PacketCount sent = CountSent(*from);
        const PacketCount lost = from->GetDrops().Get(DropReason::ON_WIRE);
        const PacketCount inFlight = link.CountInFlight(end);
        m_frames += inFlight.packets;
        PacketCount known = to->GetReceived();
        known += lost;
        known += inFlight;
        Compare("the link from " + m_fabric->GetName(from->GetNode()) + " to " +
                    m_fabric->GetName(to->GetNode()),
                sent,
                known,
                "was given " + Describe(sent) + ", delivered " + Describe(to->GetReceived()) +
                    ", lost " + Describe(lost) + ", carries " + Describe(inFlight));
    }

    void CompareFlows(const std::string& device,
                      const std::string& verb,
                      const PacketCount& given,
                      const PacketCount& sent,
                      const PacketCount& dropped,
                      const PacketCount& held)
    {
        PacketCount known = sent;
        known += dropped;
        known += held;
        Compare(device,
                given,
                known,
                verb + Describe(given) + ", sent " + Describe(sent) + ", dropped " +
                    Describe(dropped) + ", holds " + Describe(held));
    }

    void CompareBacklogs(const std::string& device, uint64_t held, uint64_t counted)
    {
        if (held != counted)
        {
            m_found.push_back({device,
                               "holds " + std::to_string(held) + " bytes in its queues, counts " +
                                   std::to_string(counted)});
        }
    }

    void Compare(const std::string& device,
                 const PacketCount& given,
                 const PacketCount& known,
                 const std::string& what)
    {
        if (!(given == known))
        {
            m_found.push_back({device, what});
        }
    }

    Ptr<Fabric> m_fabric;
    uint64_t m_frames{0}; //!< frames found in queues and in flight
    std::vector<PacketImbalance> m_found;
};

} // namespace

std::vector<PacketImbalance>
AuditPackets(Ptr<Fabric> fabric)
{
    return Audit(fabric).Run();
}

const char*
GetName(DropReason reason)
{
    static const std::array<const char*, DROP_REASONS> names = {"queue_full",
                                                                "no_headroom",
                                                                "link_down",
                                                                "lost_on_wire",
                                                                "no_route",
                                                                "ttl",
                                                                "refused",
                                                                "misrouted"};
    return names.at(static_cast<std::size_t>(reason));
}

DropCounts
SumDrops(Ptr<Fabric> fabric)
{
    DropCounts sum;
    for (const NamedPort& port : fabric->GetPorts())
    {
        sum += port.device->GetDrops();
    }
    for (uint32_t i = 0; i < fabric->GetSwitches(); ++i)
    {
        sum += fabric->GetSwitch(i)->GetDrops();
    }
    return sum;
}

} // namespace ns3::ddl
