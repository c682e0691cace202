// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GRAPH_REPORT_H
#define DDL_GRAPH_REPORT_H

#include "app/json/ddl-json-text.h"

#include "ns3/ddl-graph-schedule.h"
#include "ns3/ddl-task-graph.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** What a graph contains, and how long it takes on an ideal network. Times are in ns. */
struct GraphReport
{
    /** Collectives of one type over one group. */
    struct Transfers
    {
        Collective type;
        std::string group;
        uint64_t ranks; //!< members of the group
        uint64_t count;
        uint64_t bytes; //!< sum of their whole buffers (GraphNode::amount)
    };

    std::string source;
    std::string format;
    uint64_t ranks{0};
    uint64_t programs{0}; //!< different ones
    uint64_t computes{0}; //!< nodes by kind
    uint64_t sends{0};
    uint64_t receives{0};
    uint64_t collectives{0}; //!< nodes, not instances
    uint64_t edges{0};
    uint64_t memory{0};       //!< bytes of nodes, edges, and names, each shared program once
    uint64_t messageBytes{0}; //!< sum over all sends
    std::vector<Transfers> transfers{};
    double computing{0};       //!< sum over all ranks, which need not fit 64 bits
    uint64_t mostComputing{0}; //!< computing of the rank that computes longest
    int64_t criticalPath{0};   //!< the longest path, lanes unlimited
    uint64_t pathComputing{0}; //!< computing on that path
    uint64_t pathNodes{0};
    int64_t oneByOne{0}; //!< length when nodes of a lane, or on a GPU, compute one at a time
};

/**
 * \param graph a graph that CheckGraph has nothing against
 * \param format short name of the format that it was read by
 */
GraphReport DescribeGraph(const TaskGraph& graph,
                          const std::string& format,
                          const IdealNetwork& network);

/** Print a report as tables. Where there are many groups, those of one size share a row. */
void PrintGraphReport(const GraphReport& report, const IdealNetwork& network, std::ostream& os);

/** \return a report as JSON, times in s, with a row for each type and group */
Json ToJson(const GraphReport& report);

} // namespace ns3::ddl

#endif // DDL_GRAPH_REPORT_H
