// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GRAPH_TOPOLOGY_H
#define DDL_GRAPH_TOPOLOGY_H

#include "ddl-network-graph.h"

#include <map>

namespace ns3::ddl
{

/**
 * `graph`: any network, from a file or from the lists of nodes and links in a scenario.
 *
 * Hosts are h0, h1... in the order of the nodes, whatever the file calls them; switches have its
 * names. A host has one link, that of its NIC. With `Bond` a host may have several: its NIC is then
 * a switch `nicN` that spreads flows over them, as a bond of ports does. Links to switches inside
 * servers (kind `scale-up`, NVSwitches) are refused, or left out with `WithoutScaleUp`.
 */
class GraphTopology : public Topology
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "any network, from a file or from lists of nodes and links";
    }

    std::optional<uint32_t> GetGpusPerHost() const override;

    /** \return the network: that of the attribute Network, else read from File; null without
     * both. \throws InputError when the file is wrong */
    Ptr<NetworkGraph> GetNetwork() const;

    const std::string& GetFile() const
    {
        return m_file;
    }

  private:
    std::vector<TopologyProblem> DoFindProblems() const override;
    uint64_t DoCountHosts() const override;
    bool DoHasEqualCostPaths() const override;
    void DoMakePlan(TopologyPlan& plan) const override;
    /** \return number of links of each node that the plan has */
    std::vector<uint32_t> CountLinks(const NetworkGraph& graph) const;
    void AddNodes(const NetworkGraph& graph,
                  TopologyPlan& plan,
                  std::vector<uint32_t>& index) const;

    std::string m_file;
    std::string m_format;
    bool m_bond;
    bool m_withoutScaleUp;
    Ptr<NetworkGraph> m_network;      //!< as given; null: it stands in the file
    mutable Ptr<NetworkGraph> m_read; //!< network of the file, once it has been read
};

} // namespace ns3::ddl

#endif // DDL_GRAPH_TOPOLOGY_H
