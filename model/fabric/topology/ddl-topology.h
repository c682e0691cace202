// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TOPOLOGY_H
#define DDL_TOPOLOGY_H

#include "ns3/data-rate.h"
#include "ns3/ddl-fabric.h"
#include "ns3/ddl-place.h"
#include "ns3/ddl-policy.h"
#include "ns3/ddl-port-spec.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

constexpr uint64_t MOST_TOPOLOGY_HOSTS = 65536;    //!< most hosts of a network
constexpr uint64_t MOST_TOPOLOGY_CABLES = 1000000; //!< most cables between switches of a network

/**
 * What a network consists of, in the order in which it is built, and where its hosts are. Plain
 * data.
 */
class TopologyPlan
{
  public:
    struct Cable
    {
        uint32_t first;  //!< index of the node at one end
        uint32_t second; //!< index of the node at the other end
        DataRate rate;
        Time delay; //!< one-way propagation delay
    };

    /** Rate and delay of the hosts' cables, and the delay of cables that have none of their own. */
    struct Defaults
    {
        DataRate hostRate;                    //!< rate of the cables between hosts and switches
        Time delay{MicroSeconds(1)};          //!< one-way delay of a cable that has none of its own
        std::optional<Time> hostDelay{};      //!< one-way delay of the hosts' cables; none: `delay`
        std::optional<ScaleUpSpec> scaleUp{}; //!< network inside servers with several hosts
    };

    explicit TopologyPlan(const Defaults& defaults);

    /**
     * \param name a name that no other node has. Switches of one level have one name with different
     *        numbers behind it: "leaf0", "leaf1"...
     * \param divisor the divisor of its D-mod-K routes, see PathSwitch
     * \return index of the new switch among the nodes
     */
    uint32_t AddSwitch(const std::string& name, uint32_t divisor = 1);
    /**
     * Add hosts, numbered on from those before, each with a cable to one switch. Each is a server
     * of its own; all hosts that are added to one switch are in one rack.
     *
     * \param at the switch's index among the nodes
     * \param hosts number of hosts to add
     */
    void AddHosts(uint32_t at, uint32_t hosts);
    /**
     * Add a host without a cable, for topologies that lay all cables themselves.
     *
     * \param place its server and rack
     * \return index of the new host among the nodes
     */
    uint32_t AddHost(const Place& place);
    /** \return the number of a new rack, for AddServer */
    uint32_t AddRack();
    /**
     * Add a server with several hosts, numbered on from those before.
     *
     * \param rack number of the rack in which the server stands
     * \param switches the switch of each of its hosts, by index among the nodes
     */
    void AddServer(uint32_t rack, const std::vector<uint32_t>& switches);
    /** Add a cable between two nodes, given by index. \param delay one-way delay; none:
     * Defaults::delay */
    void Connect(uint32_t first,
                 uint32_t second,
                 DataRate rate,
                 std::optional<Time> delay = std::nullopt);
    /**
     * Add the switches of Defaults::scaleUp, if it is of that kind: `nvswitchN` for server N of
     * several hosts, with a cable to each of these. Called once, when all servers are there.
     */
    void AddScaleUpSwitches();

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
        return static_cast<uint32_t>(m_places.size());
    }

    /** \return server and rack of each host, both numbered from 0 in order of adding */
    const std::vector<Place>& GetPlaces() const
    {
        return m_places;
    }

    /** \return rates and delays of cables that a topology does not set itself */
    const Defaults& GetDefaults() const
    {
        return m_defaults;
    }

    /** \return whether that node is a host */
    bool IsHost(uint32_t node) const;
    /** \return the D-mod-K divisor of a switch; 0 for a host */
    uint32_t GetDivisor(uint32_t node) const;

  private:
    void AddHost(uint32_t at, const Place& place);

    Defaults m_defaults;
    std::vector<std::string> m_nodes;
    std::vector<uint32_t> m_divisors; //!< D-mod-K divisor of each node, by index; 0: a host
    std::vector<Cable> m_cables;
    std::vector<Place> m_places; //!< server and rack of each host, by HostId
    uint32_t m_servers{0};
    uint32_t m_racks{0};
    std::map<uint32_t, uint32_t> m_rackOf; //!< rack of AddHosts' hosts, by their switch
};

/** A problem in the combination of a topology's attributes. */
struct TopologyProblem
{
    std::string attribute; //!< attribute at which it is reported, "" for the topology as a whole
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

    /** \return the attributes that do not fit together; empty: a network can be built. O(1) */
    std::vector<TopologyProblem> FindProblems() const;
    /** \return number of hosts */
    uint64_t CountHosts() const;
    /** \return whether some hosts are joined by several equal-cost paths, so that flows choose */
    bool HasEqualCostPaths() const;

    /**
     * \return default number of GPUs per host: 1 if hosts are the interfaces of single GPUs; none:
     *         the default of all scenarios
     */
    virtual std::optional<uint32_t> GetGpusPerHost() const
    {
        return std::nullopt;
    }

    /**
     * \param defaults rates and delays of cables that the topology does not set itself
     * \throws InputError with the problems, RunError when DoMakePlan has made other hosts than
     *         DoCountHosts says, or a name twice
     */
    TopologyPlan MakePlan(const TopologyPlan::Defaults& defaults) const;

  protected:
    /**
     * Attributes that give the delay of a level are texts: the time, or "" for the delay of all
     * links (TopologySpec::delay).
     *
     * \return the time in the text; none for ""
     * \throws InputError when the text is no time
     */
    static std::optional<Time> ReadDelay(const std::string& text);
    /** Add a problem if a delay attribute's text is neither "" nor a time from 0 to an hour. */
    static void CheckDelay(const std::string& attribute,
                           const std::string& text,
                           std::vector<TopologyProblem>& problems);

  private:
    virtual std::vector<TopologyProblem> DoFindProblems() const
    {
        return {};
    }

    virtual uint64_t DoCountHosts() const = 0;
    /** \return HasEqualCostPaths(). By default true unless the network is a tree */
    virtual bool DoHasEqualCostPaths() const;
    virtual void DoMakePlan(TopologyPlan& plan) const = 0;
};

/** The settings of a network: its shape, and the rates and sizes that all links share. */
struct TopologySpec
{
    /** The default is a leaf-spine with its default attributes. */
    TopologySpec();

    ObjectFactory shape;             //!< factory of the Topology
    DataRate hostRate{"10Gbps"};     //!< rate of the links between host and switch
    Time delay{MicroSeconds(1)};     //!< one-way delay of a link whose level has none of its own
    std::optional<Time> hostDelay{}; //!< one-way delay of the hosts' links; none: `delay`
    std::optional<ScaleUpSpec> scaleUp{}; //!< network inside servers with several hosts; none: none
    uint32_t mtu{1500};                   //!< bytes of the largest IPv4 packet, 576 to 9000
    uint32_t framingBytes{38};            //!< bytes on the wire beside each IPv4 packet
    ObjectFactory pathSelector;           //!< factory of the switches' PathSelectors
    uint64_t ecmpSeed{1};                 //!< seed of the switches' salts
};

/**
 * Build a network with routes, without IP stacks.
 *
 * \param topology shape, links and packet sizes
 * \param ports settings of all ports of switches
 * \param hosts settings of all NICs
 * \return the network
 * \throws InputError for a rate of 0, or a spec that does not fit
 */
Ptr<Fabric> BuildTopology(const TopologySpec& topology,
                          const PortSpec& ports,
                          const HostSpec& hosts);

/** \return nodes, cables and places of that topology */
TopologyPlan MakePlan(const TopologySpec& topology);

/** \return whether some hosts are joined by several equal-cost paths, so that flows choose */
bool HasEqualCostPaths(const TopologySpec& topology);

/** \return number of hosts in that topology */
uint64_t CountHosts(const TopologySpec& topology);

/** \return names of the two ends of every cable of that topology: ("h0", "leaf0") */
std::vector<std::pair<std::string, std::string>> ListCables(const TopologySpec& topology);

/** \return server and rack of each host of that topology, by HostId, as from Fabric::GetPlace */
std::vector<Place> ListPlaces(const TopologySpec& topology);

/** Oversubscription of the switches of one level. */
struct Oversubscription
{
    std::string level; //!< name of the switches without their numbers, "leaf"
    /**
     * Sum of the rates of the cables down divided by that of the cables up, at the switch of the
     * level with the largest ratio. 1: not oversubscribed.
     */
    double ratio{1};
};

/**
 * \return the levels of that topology that have cables upwards, from the hosts up. A cable leads up
 *         if its other end is farther from the nearest host
 */
std::vector<Oversubscription> ListOversubscriptions(const TopologySpec& topology);

/** \return ListOversubscriptions(const TopologySpec&) of a plan */
std::vector<Oversubscription> ListOversubscriptions(const TopologyPlan& plan);

/** \return distance of each node of a plan from the nearest host, in cables; UINT32_MAX: no way */
std::vector<uint32_t> MeasureHeights(const TopologyPlan& plan);

/** \return whether that topology has a server with several hosts, which a scale-up network joins */
bool HasServersOfSeveralHosts(const TopologySpec& topology);

/** \return number of switches in that topology */
uint32_t CountSwitches(const TopologySpec& topology);

} // namespace ns3::ddl

#endif // DDL_TOPOLOGY_H
