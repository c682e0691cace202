// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TOPOLOGY_REPORT_H
#define DDL_TOPOLOGY_REPORT_H

#include "ns3/ddl-network-graph.h"
#include "ns3/ddl-topology.h"

#include <ostream>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A network that a user has named: by a file, a scenario or a built-in topology. */
struct NamedNetwork
{
    std::string name;
    TopologySpec spec;       //!< what a run would build
    Ptr<NetworkGraph> graph; //!< the network as it stands in its file, or as it is planned
};

/**
 * \param name path of a file with a network, name of a built-in topology, path of a scenario, or
 *        name of a folder below scenarios/
 * \param format short name of the file's format, or "auto"
 * \param settings "NAME=VALUE": attributes of a topology, or of `graph` for a file; keys of a
 *        scenario, by dotted path
 * \throws InputError with all that is wrong
 */
NamedNetwork FindNetwork(const std::string& name,
                         const std::string& format,
                         const std::vector<std::string>& settings);

/** Print what a network contains as text: nodes, links by rate, lengths of paths, uplinks. */
void PrintNetwork(const NamedNetwork& network, std::ostream& os);

/**
 * Print a row of CSV for each pair of hosts that a run would have: `from,to,links,rate_bps`, the
 * cables of a shortest path, and the rate of the slowest one on the best of them.
 *
 * \throws InputError for more than 4096 hosts
 */
void PrintPairs(const NamedNetwork& network, std::ostream& os);

} // namespace ns3::ddl

#endif // DDL_TOPOLOGY_REPORT_H
