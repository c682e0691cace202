// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GRAPH_SOURCE_H
#define DDL_GRAPH_SOURCE_H

#include "ns3/object-factory.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::ddl
{

struct TaskGraph;

/** Files of a task graph as a user names them, and how they are read. */
struct GraphSource
{
    ObjectFactory format;           //!< factory of a GraphFormat
    std::vector<std::string> files; //!< names of files and prefixes, as the user gives them
    std::string hash;               //!< of the contents of all files
};

/** A task graph that was read from files. */
struct LoadedGraph
{
    std::shared_ptr<const TaskGraph> graph;
    std::string hash; //!< of the contents of all files
};

/**
 * Read and check a task graph. Graphs that are still in use are not read again: equal files, read
 * in the same way, give the same graph.
 *
 * \param format factory of a GraphFormat
 * \param paths paths of files and prefixes (OpenGraphFiles)
 * \return the graph
 * \throws InputError with all errors: file, node, peer, what is wrong
 */
LoadedGraph LoadGraph(const ObjectFactory& format, const std::vector<std::string>& paths);

} // namespace ns3::ddl

#endif // DDL_GRAPH_SOURCE_H
