// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GRAPH_CHART_H
#define DDL_GRAPH_CHART_H

#include "app/plot/ddl-chart.h"

#include "ns3/ddl-graph-schedule.h"
#include "ns3/ddl-task-graph.h"

namespace ns3::ddl
{

/**
 * \param graph a graph that CheckGraph has nothing against
 * \return its nodes over time on an ideal network, a row for each lane of each rank, computing one
 *         node at a time; nothing if there are too many rows or nodes for a picture
 */
Chart MakeGraphChart(const TaskGraph& graph, const IdealNetwork& network);

} // namespace ns3::ddl

#endif // DDL_GRAPH_CHART_H
