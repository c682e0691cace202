// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TRANSPORT_FIXTURE_H
#define DDL_TRANSPORT_FIXTURE_H

#include "ddl-stream-pair.h"

#include "ns3/ddl-fabric.h"
#include "ns3/ddl-tcp-transport.h"
#include "ns3/ddl-topology.h"
#include "ns3/ddl-transport.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** A network with a transport; tests say what happens when. */
class TransportFixture : public ::testing::Test
{
  protected:
    using Attributes = std::vector<std::pair<std::string, std::string>>;

    static constexpr Mark DATA{1, 1};         //!< what most tests send with
    static constexpr uint64_t SEGMENT = 1460; //!< 1500 - 20 (IPv4) - 20 (TCP)
    static constexpr uint64_t FRAME = 1538;   //!< 1500 + 38 of Ethernet framing

    /** The kinds of network, as specs to change before Build. */
    static TopologySpec SingleSwitch(uint32_t hosts)
    {
        TopologySpec topology;
        topology.shape.SetTypeId("ns3::ddl::SingleSwitchTopology");
        topology.shape.Set("Hosts", UintegerValue(hosts));
        return topology;
    }

    static std::function<void()> Nothing()
    {
        return [] {};
    }

    /** Build the network and install a transport on it. */
    void Build(const TopologySpec& topology,
               const Attributes& attributes = {},
               const PortSpec& ports = {},
               const HostSpec& hosts = {},
               const std::string& kind = "tcp")
    {
        m_fabric = BuildTopology(topology, ports, hosts);
        m_transport = CreatePolicy<Transport>(kind);
        for (const auto& attribute : attributes)
        {
            m_transport->SetAttribute(attribute.first, StringValue(attribute.second));
        }
        m_transport->Install(m_fabric);
    }

    static void Call(std::function<void()> what)
    {
        what();
    }

    static StreamPair::DeliveredCallback Then(std::function<void()> what)
    {
        return StreamPair::DeliveredCallback([what] { what(); });
    }

    static void At(Time when, std::function<void()> what)
    {
        Simulator::Schedule(when, &TransportFixture::Call, what);
    }

    /** Parallel streams get other flow labels, in order of opening. */
    Ptr<StreamPair> Open(uint32_t source, uint32_t destination, Mark mark = DATA)
    {
        return Open(source, destination, mark, mark, m_nextLabel++);
    }

    Ptr<StreamPair> Open(uint32_t source,
                         uint32_t destination,
                         Mark sourceMark,
                         Mark destinationMark,
                         uint32_t flowLabel)
    {
        return StreamPair::Open(m_transport,
                                HostId{source},
                                HostId{destination},
                                sourceMark,
                                destinationMark,
                                flowLabel,
                                m_nextName++);
    }

    /** \return ends of streams that hold something, of the kind of which there are more */
    uint32_t CountStreams() const
    {
        return std::max(m_transport->GetSendingCount(), m_transport->GetReceivingCount());
    }

    /** \return packets dropped anywhere */
    uint64_t CountDrops() const
    {
        return Sum([](const QueueCounters& c) { return c.dropped; });
    }

    /** \return congestion marks made anywhere */
    uint64_t CountMarks() const
    {
        return Sum([](const QueueCounters& c) { return c.marked; });
    }

    uint64_t Sum(uint64_t (*field)(const QueueCounters&)) const
    {
        uint64_t sum = 0;
        for (const auto& port : m_fabric->GetPorts())
        {
            for (uint32_t queue = 0; queue < port.device->GetQueues(); ++queue)
            {
                sum += field(port.device->GetCounters(queue));
            }
        }
        return sum;
    }

    void TearDown() override
    {
        if (m_transport)
        {
            m_transport->Dispose();
        }
        m_transport = nullptr;
        if (m_fabric)
        {
            m_fabric->Dispose();
        }
        m_fabric = nullptr;
        Simulator::Destroy();
    }

    Ptr<Fabric> m_fabric;
    Ptr<Transport> m_transport;
    uint32_t m_nextLabel{0};
    uint32_t m_nextName{1};
};

} // namespace ns3::ddl

#endif // DDL_TRANSPORT_FIXTURE_H
