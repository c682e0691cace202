// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TRANSPORT_H
#define DDL_TRANSPORT_H

#include "ddl-queue-traffic.h"
#include "ddl-stream-host.h"

#include "ns3/data-rate.h"
#include "ns3/ddl-fabric.h"
#include "ns3/ddl-policy.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

struct TopologySpec;

/** One of the equal-cost paths between two hosts. */
struct StreamPath
{
    uint32_t flowLabel{0};        //!< label of streams that take it, see StreamHost::Open
    std::vector<Ptr<Port>> ports; //!< egress ports, in order
};

/**
 * Policy family: how do bytes move? A transport gives each host of a fabric its StreamHost, which
 * opens the streams that begin there and accepts those that end there. It is selected by name:
 * `tcp` is TcpTransport.
 *
 * A stream within one machine does not touch the network: it is a LocalStream, served in order at
 * LocalRate with LocalDelay, for every transport. So are streams within a server whose scale-up
 * network is made of streams, at that network's rate.
 *
 * The transport knows all machines, and no machine knows it.
 */
class Transport : public Policy
{
  public:
    static TypeId GetTypeId();

    ~Transport() override;

    /**
     * Prepare the hosts (protocol stacks, listening ends). Call once, on a fabric that has been
     * built and addressed.
     *
     * \throws InputError when an attribute is invalid (unknown congestion control), or there is a
     *         FindPathProblem
     */
    void Install(Ptr<Fabric> fabric);

    /** \return the part of one machine, which opens its streams; after Install */
    Ptr<StreamHost> On(HostId host) const;

    /**
     * \param source machine that sends
     * \param destination another machine
     * \param flowLabel the stream's flow label, see StreamHost::Open
     * \return egress ports of the stream's packets and acknowledgements over the links that are up
     *         now; by default those of all equal-cost paths
     */
    virtual std::vector<Ptr<Port>> ListPorts(HostId source,
                                             HostId destination,
                                             uint32_t flowLabel) const;

    /** \param selector how switches choose among equal-cost ports \return why this transport, with
     * its present attributes, cannot be used with it, or "" */
    virtual std::string FindPathProblem(const PathSelector& /* selector */) const
    {
        return "";
    }

    /** \param topology a network that can be built \return why this transport, with its present
     * attributes, cannot be installed there, as far as that is known without it, or "" */
    virtual std::string FindNetworkProblem(const TopologySpec& /* topology */) const
    {
        return "";
    }

    /** \return whether streams can be pinned to paths (ListPaths) with this selector of switches,
     * as far as attributes say */
    bool CanPinPaths(const PathSelector& selector) const
    {
        return selector.GetSpread() == PathSpread::FLOW && DoGetFlow(HostId{0}, 0).has_value();
    }

    /**
     * List the paths that a scheduler can pin a stream to (StreamHost::Open,
     * SendingStream::SetPath) over the links that are up now. Where switches do not keep flows to
     * one port there are none to choose from. O(labels x hops), for as many labels as it takes to
     * meet all paths, at most 1024.
     *
     * \return the paths, each with the least label that takes it; none where streams of this
     *         transport have no labels, or there is no path
     */
    std::vector<StreamPath> ListPaths(HostId source, HostId destination) const;

    /**
     * \return the egress ports in turn that the data of a stream with that label take now; none
     *         where ListPaths lists nothing
     */
    std::vector<Ptr<Port>> TracePath(HostId source, HostId destination, uint32_t flowLabel) const;

    /** \return the sum over all streams ever opened, closed ones included, and what was credited */
    StreamCounters GetCounters() const;

    /** Count packets of streams that were not simulated, so many times: iterations that a leap
     * skipped. */
    void Credit(const StreamCounters& each, uint64_t times)
    {
        m_credit.dataPackets += each.dataPackets * times;
        m_credit.retransmissions += each.retransmissions * times;
        m_credit.timeouts += each.timeouts * times;
        m_credit.reordered += each.reordered * times;
    }

    /**
     * \return whether bytes travel in packets. Then ports and GetCounters count them, and there are
     *         drops, marks and so on
     */
    virtual bool HasPackets() const
    {
        return true;
    }

    /** \return whether jobs that send from one port at one time delay each other */
    virtual bool SharesPorts() const
    {
        return true;
    }

    /**
     * \param port a port of the fabric
     * \param queue a queue of the port, 0 to port->GetQueues() - 1
     * \return traffic of the queue so far; nothing for transports with packets, whose ports count
     *         it
     */
    virtual QueueTraffic GetTraffic(Ptr<Port> /* port */, uint32_t /* queue */) const
    {
        return {};
    }

    uint32_t GetSendingCount() const;   //!< \return sum of StreamHost::GetSendingCount
    uint32_t GetReceivingCount() const; //!< \return sum of StreamHost::GetReceivingCount

  protected:
    void DoDispose() override;

    Ptr<Fabric> GetFabric() const
    {
        return m_fabric;
    }

  private:
    virtual void DoInstall() = 0;

    /** \return the flow of a stream with that label; none: ListPaths lists nothing */
    virtual std::optional<FlowKey> DoGetFlow(HostId /* destination */,
                                             uint32_t /* flowLabel */) const
    {
        return std::nullopt;
    }

    /** Called once per host, from 0 on, after DoInstall. \param settings the settings that all
     * machines share \return the host's part of this transport */
    virtual Ptr<StreamHost> DoMakeHost(HostId host, std::shared_ptr<StreamSettings> settings) = 0;

    void SetScaleUp(StreamSettings::Server& server) const;

    Ptr<Fabric> m_fabric;
    bool m_pinsPaths{false}; //!< CanPinPaths on its fabric
    DataRate m_localRate;
    Time m_localDelay;
    std::vector<Ptr<StreamHost>> m_hosts; //!< each machine's part, by HostId
    StreamCounters m_credit;              //!< what streams would have counted in skipped iterations
};

} // namespace ns3::ddl

#endif // DDL_TRANSPORT_H
