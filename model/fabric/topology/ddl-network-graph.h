// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_NETWORK_GRAPH_H
#define DDL_NETWORK_GRAPH_H

#include "ddl-topology.h"

#include "ns3/ddl-error.h"
#include "ns3/object.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3::ddl
{

constexpr uint64_t MOST_TOPOLOGY_SWITCHES = 65536; //!< most switches of a network from a file

/** What is wrong with a network. However much it is, memory and messages are bounded. */
class NetworkComplaints
{
  public:
    static constexpr std::size_t MOST = 20; //!< complaints that are kept

    /** \param place "FILE:LINE", or a JSON pointer within the network, "/links/3" */
    void Add(const std::string& place, const std::string& what);

    /** \return whether nothing is wrong */
    bool IsEmpty() const
    {
        return m_count == 0;
    }

    /** \return the complaints that are kept, and if there are more, how many */
    std::vector<Diagnostic> GetAll() const;

  private:
    std::vector<Diagnostic> m_kept;
    uint64_t m_count{0};
};

/** A host or a switch of a network that a user has written. */
struct NetworkNode
{
    enum class Kind
    {
        HOST,
        SWITCH,
        SCALE_UP //!< switch that joins the GPUs of one server beside their NICs (NVSwitch)
    };

    std::string name;
    Kind kind{Kind::HOST};
    std::string server{};           //!< hosts of one text are one server; "": a server of its own
    std::string rack{};             //!< servers of one text stand in one rack; "": by their switch
    std::optional<uint32_t> tier{}; //!< level in pictures, hosts being 0; none: distance from hosts
    uint32_t divisor{1};            //!< of a switch's D-mod-K routes, see Switch::SetDModK()
    std::size_t line{0};            //!< line of the file, from 1; 0: unknown
};

/** One or more equal cables between two nodes. */
struct NetworkLink
{
    uint32_t first;                 //!< index of the node at one end
    uint32_t second;                //!< index of the node at the other end
    std::optional<DataRate> rate{}; //!< none: that of all hosts' links
    std::optional<Time> delay{};    //!< one-way delay; none: that of all links
    uint32_t count{1};              //!< parallel cables
    std::size_t line{0};            //!< line of the file, from 1; 0: unknown
};

/**
 * A network as its file has it: nodes and links in their order. Fill it once, then leave it as it
 * is: what was found wrong with it is remembered.
 */
class NetworkGraph : public Object
{
  public:
    static TypeId GetTypeId();

    std::string source; //!< name of its file, for messages; "": it stands in a scenario
    std::string format; //!< short name of the NetworkFormat it was read by; "": of none
    std::vector<NetworkNode> nodes;
    std::vector<NetworkLink> links;

    /** \return place of a node in messages */
    std::string WhereIsNode(std::size_t index) const;
    /** \return place of a link in messages */
    std::string WhereIsLink(std::size_t index) const;
    /** \return a link for messages: "h0 - leaf0" */
    std::string NameLink(const NetworkLink& link) const;

    /**
     * \return what makes it no network, all at once: names twice, links to themselves, given twice,
     *         without rate or of rate 0, hosts without link or at another host, hosts out of reach
     *         of the first one, servers in two racks, too many of anything. O(nodes + links)
     */
    const std::vector<Diagnostic>& FindProblems() const;

    /**
     * \return what is odd but no error: switches and links that no shortest path between hosts
     *         uses. O(switches with hosts x links); nothing where that is too much
     */
    std::vector<std::string> FindUnused() const;

    /** \return number of hosts */
    uint64_t CountHosts() const;

  private:
    void CheckNodes(NetworkComplaints& complaints) const;
    void CheckLinks(NetworkComplaints& complaints) const;
    void CheckReach(NetworkComplaints& complaints) const;

    mutable std::optional<std::vector<Diagnostic>> m_problems;
};

/** \return a plan as a network, whose plan is the same again: names, order, places, divisors */
Ptr<NetworkGraph> MakeNetworkGraph(const TopologyPlan& plan);

/**
 * Shortest paths between the switches of a network. Built from a plan, so that it has all cables
 * with their rates.
 */
class NetworkPaths
{
  public:
    explicit NetworkPaths(const TopologyPlan& plan);

    /** A cable to a neighbour. */
    struct Hop
    {
        uint32_t to;    //!< index of the neighbour
        uint32_t cable; //!< index of the cable
    };

    /** Paths from all nodes to one root. */
    struct Tree
    {
        std::vector<uint32_t> distance; //!< cables to the root, by node; UINT32_MAX: out of reach
        /** Of the shortest paths to the root the one whose slowest cable is fastest: that cable's
         * rate in bit/s, by node. */
        std::vector<uint64_t> rate;
        std::vector<uint32_t> order; //!< nodes in order of distance, the root first
    };

    /** \return paths to a switch over switches, and from hosts. O(cables) */
    Tree MeasureFrom(uint32_t root) const;

    /** \return nodes that are switches with hosts */
    const std::vector<uint32_t>& GetRoots() const
    {
        return m_roots;
    }

    /** \return cables of a node */
    const std::vector<Hop>& GetHops(uint32_t node) const
    {
        return m_hops[node];
    }

    /** \return the hosts at a switch */
    std::vector<uint32_t> ListHostsAt(uint32_t node) const;
    /** \return whether some hosts are joined by several equal-cost paths. O(roots x cables) at
     * most; usually O(cables) */
    bool HasChoice() const;

    /** \return whether a shortest path between hosts uses each cable. O(roots x cables) */
    std::vector<bool> FindUsed() const;

  private:
    const TopologyPlan& m_plan;
    std::vector<std::vector<Hop>> m_hops;
    std::vector<uint32_t> m_roots;
};

} // namespace ns3::ddl

#endif // DDL_NETWORK_GRAPH_H
