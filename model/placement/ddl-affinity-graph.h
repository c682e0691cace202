// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_AFFINITY_GRAPH_H
#define DDL_AFFINITY_GRAPH_H

#include <cstdint>
#include <vector>

namespace ns3::ddl
{

/**
 * CASSINI's affinity graph: jobs on one side, links that several of them share on the other. An
 * edge carries the time by which the link's own circle shifts the job.
 */
struct AffinityGraph
{
    struct Edge
    {
        uint32_t job{0};
        uint32_t link{0};
        double shift{0}; //!< seconds, t_job,link
    };

    uint32_t jobs{0};  //!< number of jobs
    uint32_t links{0}; //!< number of links
    std::vector<Edge> edges;
};

/** The place of a job in the affinity graph. */
struct AffinityShift
{
    uint32_t root{0}; //!< the first job of its component, which is not shifted
    double shift{0};  //!< seconds, from 0 to below an iteration of the job
};

/** \return whether some jobs and links form a loop, so that shifts may contradict each other.
 * O(edges) */
bool HasLoop(const AffinityGraph& graph);

/** \return for each job, the first job of its component. O(edges) */
std::vector<uint32_t> FindRoots(const AffinityGraph& graph);

/**
 * CASSINI's Algorithm 1: walk each component breadth first from its first job, whose shift is 0.
 * From job i over link l to job j: t_j = (t_i - t_i,l + t_j,l) mod T_j. In a graph with loops the
 * first way to a job counts.
 *
 * \param graph the graph
 * \param iterations seconds of an iteration of each job, above 0
 * \return the shift of each job. O(edges)
 */
std::vector<AffinityShift> FindTimeShifts(const AffinityGraph& graph,
                                          const std::vector<double>& iterations);

} // namespace ns3::ddl

#endif // DDL_AFFINITY_GRAPH_H
