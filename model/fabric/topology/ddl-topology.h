// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TOPOLOGY_H
#define DDL_TOPOLOGY_H

#include "ns3/data-rate.h"
#include "ns3/ddl-fabric.h"
#include "ns3/ddl-policy.h"
#include "ns3/ddl-port-spec.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

constexpr uint64_t MOST_TOPOLOGY_HOSTS = 65536;    //!< of a network
constexpr uint64_t MOST_TOPOLOGY_CABLES = 1000000; //!< of a network, between switches

/** What a network consists of, in the order in which it is built. Plain data. */
class TopologyPlan
{
  public:
    struct Cable
    {
        uint32_t first;  //!< index of a node
        uint32_t second; //!< likewise
        DataRate rate;
    };

    /** \param rate of the cables between hosts and switches */
    explicit TopologyPlan(DataRate rate);

    /** \return index of a new switch among the nodes */
    uint32_t AddSwitch(const std::string& name);
    /** Add so many hosts, numbered behind those before, each with a cable to that switch. */
    void AddHosts(uint32_t at, uint32_t hosts);
    void Connect(uint32_t first, uint32_t second, DataRate rate);

    /** \return names of hosts ("h0", "h1"...) and switches, in order of adding */
    const std::vector<std::string>& GetNodes() const
    {
        return m_nodes;
    }

    const std::vector<Cable>& GetCables() const
    {
        return m_cables;
    }

    uint32_t GetHosts() const
    {
        return m_hosts;
    }

    /** \return whether that node is a host */
    bool IsHost(uint32_t node) const;

  private:
    DataRate m_hostRate;
    uint32_t m_hosts{0};
    std::vector<std::string> m_nodes;
    std::vector<bool> m_isHost; //!< by node
    std::vector<Cable> m_cables;
};

/** A problem of a topology's attributes that lies in their combination. */
struct TopologyProblem
{
    std::string attribute; //!< at which it is said, "" for the topology as a whole
    std::string what;
};

/**
 * Policy family: which hosts and switches does a network have, and which cables join them? Its
 * attributes are counts and rates; in a scenario they are keys of `cluster.topology`, with a small
 * first letter.
 */
class Topology : public Policy
{
  public:
    static TypeId GetTypeId();

    /** \return what does not fit together; empty: a network can be built. O(1) */
    std::vector<TopologyProblem> FindProblems() const;
    /** \return number of hosts */
    uint64_t CountHosts() const;
    /** \return whether some hosts are joined by several equal-cost paths, so that flows choose */
    bool HasEqualCostPaths() const;
    /**
     * \param hostRate of the cables between hosts and switches
     * \throws InputError with the problems, RunError when hosts or names are not what they must be
     */
    TopologyPlan MakePlan(DataRate hostRate) const;

  private:
    virtual std::vector<TopologyProblem> DoFindProblems() const
    {
        return {};
    }

    virtual uint64_t DoCountHosts() const = 0;
    /** By default true unless the network is a tree. */
    virtual bool DoHasEqualCostPaths() const;
    virtual void DoMakePlan(TopologyPlan& plan) const = 0;
};

/** The shape of a network, and what all its links and packets have in common. */
struct TopologySpec
{
    /** A leaf-spine with its default attributes. */
    TopologySpec();

    ObjectFactory shape;         //!< of a Topology
    DataRate hostRate{"10Gbps"}; //!< between host and switch
    Time delay{MicroSeconds(1)}; //!< of every link, one way
    uint32_t mtu{1500};          //!< bytes of the largest IPv4 packet, 576 to 9000
    uint32_t framingBytes{38};   //!< bytes on the wire beside each IPv4 packet
    uint64_t ecmpSeed{1};        //!< of the switches' salts
};

/**
 * Build a network with routes, without IP stacks.
 *
 * \param topology the shape
 * \param ports queues of all ports of switches
 * \param hosts NICs
 * \return the network
 * \throws InputError for a rate of 0, or a spec that does not fit
 */
Ptr<Fabric> BuildTopology(const TopologySpec& topology,
                          const PortSpec& ports,
                          const HostSpec& hosts);

/** \return whether some hosts are joined by several equal-cost paths, so that flows choose */
bool HasEqualCostPaths(const TopologySpec& topology);

/** \return machines in that topology */
uint64_t CountHosts(const TopologySpec& topology);

/** \return the ends of every cable of that topology, by name: ("h0", "leaf0") */
std::vector<std::pair<std::string, std::string>> ListCables(const TopologySpec& topology);

/** \return switches in that topology */
uint32_t CountSwitches(const TopologySpec& topology);

} // namespace ns3::ddl

#endif // DDL_TOPOLOGY_H
