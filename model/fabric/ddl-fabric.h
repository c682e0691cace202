// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FABRIC_H
#define DDL_FABRIC_H

#include "ddl-cabling.h"
#include "ddl-host-port.h"
#include "ddl-scale-up.h"
#include "ddl-switch-port.h"
#include "ddl-switch.h"

#include "ns3/ddl-ids.h"
#include "ns3/ddl-place.h"

#include <set>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** An egress port on the paths from one host to another. */
struct PathHop
{
    Ptr<Port> port;
    uint32_t hop{1}; //!< number of the port on its path, from 1, the sender's
    double part{1};  //!< part of the traffic that passes the port, 0 to 1
};

/**
 * The network: hosts, switches, links, routes and names. Build it, call ComputeRoutes, and
 * InstallStack where hosts shall speak IP. Hosts are "h0", "h1"... in order. A host has one link,
 * that of its NIC, and with a scale-up switch in its server a second one, to that switch.
 *
 * Invariant: after ComputeRoutes, and after each change of a link, every switch has exactly the
 * equal-cost shortest paths over links that are up.
 */
class Fabric : public Object
{
  public:
    static TypeId GetTypeId();
    Fabric();
    ~Fabric() override;

    /** \param spec settings of the ports of switches that are connected later */
    void SetPortSpec(const PortSpec& spec);
    /** \param spec settings of the NICs of hosts that are connected later */
    void SetHostSpec(const HostSpec& spec);
    /**
     * Join the hosts of each server by a network of their own. Call before Connect.
     *
     * \param spec its kind. With SWITCH, a host's first link is that of its NIC, and its second one
     *        goes to the switch of its server, which has no other links
     */
    void SetScaleUp(const ScaleUpSpec& spec);

    /** \return the network that joins the hosts of one server; of kind NONE by default */
    const ScaleUpSpec& GetScaleUp() const
    {
        return m_scaleUp;
    }

    /** \param selector how switches that are added later choose among equal-cost ports: the factory
     * of a PathSelector. By default EcmpPathSelector */
    void SetPathSelector(const ObjectFactory& selector);

    /** \return a selector like those of the switches, which belongs to no switch */
    Ptr<const PathSelector> GetPathSelector() const;

    /** \return a new machine; its host index is the number of hosts before it */
    Ptr<Node> AddHost();
    /**
     * \param name the switch's name, not yet in use. \throws InputError otherwise
     * \param divisor divisor for its path selector, see PathSwitch
     */
    Ptr<Switch> AddSwitch(const std::string& name, uint32_t divisor = 1);

    /**
     * Lay a cable; two nodes may have several.
     *
     * \return index of the link, from 0
     * \throws InputError for a host's second link, with a scale-up switch its third one
     */
    uint32_t Connect(Ptr<Node> a, Ptr<Node> b, DataRate rate, Time delay);

    /**
     * Set the server and rack of a host; call after its Connect. By default a host is a server of
     * its own, numbered like the host, in the rack of its switch, whose number is the switch's node
     * id.
     *
     * \param host a host of this fabric
     * \param place its server and rack
     */
    void SetPlace(HostId host, const Place& place);

    /** \return server and rack of a host of this fabric */
    const Place& GetPlace(HostId host) const
    {
        return m_places.at(host.value);
    }

    /** \return the smallest unit that contains both hosts: host, server, rack or network */
    Tier GetTier(HostId a, HostId b) const
    {
        return FindTier(a, GetPlace(a), b, GetPlace(b));
    }

    /** \return whether the hosts are two of one server whose scale-up network joins them. O(1) */
    bool IsScaleUp(HostId a, HostId b) const
    {
        return m_scaleUp.kind != ScaleUpSpec::Kind::NONE && GetTier(a, b) == Tier::SERVER &&
               (m_scaleUp.kind == ScaleUpSpec::Kind::STREAMS ||
                (m_scaleUpPorts[a.value] && m_scaleUpPorts[b.value]));
    }

    /** \return whether what hosts send each other passes their NICs. O(1) */
    bool PassesNics(HostId a, HostId b) const
    {
        return a != b && !IsScaleUp(a, b);
    }

    /** \return whether hosts send each other packets, by NICs or by a scale-up switch. O(1) */
    bool IsJoinedByPorts(HostId a, HostId b) const
    {
        return a != b && !(m_scaleUp.kind == ScaleUpSpec::Kind::STREAMS && IsScaleUp(a, b));
    }

    /** Compute the routes of all switches. O(hosts + switches x links). */
    void ComputeRoutes();

    /** \return whether ComputeRoutes has been called */
    bool IsRouted() const
    {
        return m_routed;
    }

    /** Give every host the IPv4 stack and its address, without queue disc. After all Connects. */
    void InstallStack();

    /** Drop what the link carries and holds, or bring it back; routes are repaired at once. */
    void SetLinkUp(uint32_t link, bool up);
    /** SetLinkUp for all links between two nodes. \throws InputError when there is none */
    void SetLinkUp(const std::string& a, const std::string& b, bool up);
    /** SetLinkUp after a delay. \throws InputError at once when there is no such link */
    void ScheduleLinkUp(Time delay, const std::string& a, const std::string& b, bool up);

    /** \return number of hosts */
    uint32_t GetHosts() const
    {
        return static_cast<uint32_t>(m_hosts.size());
    }

    Ptr<Node> GetHost(HostId host) const;         //!< \return the node of a host
    std::vector<DataRate> GetHostRates() const;   //!< \return rate of each host's NIC, by HostId
    Ptr<HostPort> GetHostPort(HostId host) const; //!< \return a host's NIC, null before Connect
    /** \return a host's port to the scale-up switch of its server, null if it has none */
    Ptr<HostPort> GetScaleUpPort(HostId host) const;
    /** \return the other hosts of a host's server at its scale-up switch; none without. O(ports
     * there) */
    std::set<HostId> ListNeighbours(HostId host) const;
    /** \return the port by which packets leave a host for another one */
    Ptr<HostPort> GetHostPort(HostId from, HostId to) const;
    Ipv4Address GetAddress(HostId host) const; //!< \return a host's address. O(1)
    /** \return the host with that address. O(1). \throws InputError when there is none */
    HostId GetHostIndex(Ipv4Address address) const;

    /** \return number of switches */
    uint32_t GetSwitches() const
    {
        return static_cast<uint32_t>(m_switches.size());
    }

    Ptr<Switch> GetSwitch(uint32_t i) const; //!< \return the i-th switch, in order of AddSwitch

    /** \return number of links */
    uint32_t GetLinks() const
    {
        return static_cast<uint32_t>(m_cabling.GetLinks().size());
    }

    Ptr<Link> GetLink(uint32_t link) const;    //!< \return the link-th link, in order of Connect
    std::string GetName(Ptr<Node> node) const; //!< \return name of a host or switch of this fabric
    /** \return the node's port on its n-th link to the peer. \throws InputError if there is none */
    Ptr<Port> GetPort(const std::string& node, const std::string& peer, uint32_t n = 0) const;
    /** \return all ports: those of hosts, then of switches, each in order of index and device */
    std::vector<NamedPort> GetPorts() const;
    /** \return the egress ports on all paths that are equal now from one host to another; none for
     * a host to itself, nor within a server with scale-up streams. O(ports on these paths) */
    std::vector<Ptr<Port>> ListPortsBetween(HostId from, HostId to) const;
    /** \return the same ports, in the order of their hops, with the parts of the traffic that they
     * get where each switch gives an equal part to each port */
    std::vector<PathHop> ListHopsBetween(HostId from, HostId to) const;
    /** \return the egress ports in turn that packets of a flow take now where switches keep flows
     * to one port; none where there is no path. \param flowHash the flow's FlowKey::PathHash */
    std::vector<Ptr<Port>> TracePath(HostId from, HostId to, uint32_t flowHash) const;
    /**
     * Let the ports of all switches write records into packets that ask for them (PathTelemetry).
     * Call before the first packet; what is not asked for costs nothing.
     *
     * \return the rates of these ports, by the index in the records
     * \throws InputError when there are more rates than a record can name
     */
    std::vector<DataRate> EnableTelemetry();

    /** Give frames room for what packets carry beside their headers (Frame::Telemetry). Call before
     * the first packet. */
    void UseLongFrames();

    /** \return frames that are queued or in flight now */
    uint64_t GetFramesInUse() const;

  protected:
    void DoDispose() override;

  private:
    Ptr<Port> MakePort(Ptr<Node> node, Ptr<Node> peer, DataRate rate);
    bool IsScaleUpPort(const Ptr<Port>& port) const;
    void ChangeLinks(std::vector<uint32_t> links, bool up);

    PortSpec m_portSpec;
    HostSpec m_hostSpec;
    ScaleUpSpec m_scaleUp{ScaleUpSpec::Kind::NONE};
    uint64_t m_seed{1};
    ObjectFactory m_pathSelector; //!< factory of the switches' PathSelectors
    uint32_t m_mtu{1500};
    uint32_t m_framing{38};
    bool m_routed{false};
    std::vector<Ptr<Node>> m_hosts;
    std::vector<Ptr<HostPort>> m_nics;         //!< NIC of each host, by HostId; null before Connect
    std::vector<Ptr<HostPort>> m_scaleUpPorts; //!< by HostId; null: there is none
    std::vector<Place> m_places;               //!< server and rack of each host, by HostId
    std::vector<Ptr<Switch>> m_switches;
    Cabling m_cabling;
    std::shared_ptr<FramePool> m_pool;
};

} // namespace ns3::ddl

#endif // DDL_FABRIC_H
