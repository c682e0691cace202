// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_MAX_K_CUT_H
#define DDL_MAX_K_CUT_H

#include <boost/dynamic_bitset.hpp>
#include <cstdint>
#include <random>
#include <vector>

namespace ns3::ddl
{

/**
 * Jobs that share links, and which of two goes first: an acyclic graph of edges from the higher to
 * the lower job (Crux §4.3). All edges of a job weigh the same.
 */
struct ContentionGraph
{
    /** \param jobs number of jobs, without edges */
    explicit ContentionGraph(std::size_t jobs);

    std::size_t GetSize() const
    {
        return weights.size();
    }

    std::vector<double> weights;                //!< weight of each edge of a job, 0 or more
    std::vector<boost::dynamic_bitset<>> lower; //!< for each job, those to which it has an edge
};

/** \return sum of the weights of edges between different levels. \param levels a level per job */
double GetCutWeight(const ContentionGraph& graph, const std::vector<uint32_t>& levels);

/**
 * Move each job up as far as it can without leaving fewer edges cut: just below all jobs with edges
 * to it that are in other levels, and not above those in its own. The weight of the cut never
 * falls.
 *
 * \param order the jobs in a topological order
 * \param levels the level of each job, no edge upwards
 * \return the new levels, from 0
 */
std::vector<uint32_t> MoveUp(const ContentionGraph& graph,
                             const std::vector<uint32_t>& order,
                             const std::vector<uint32_t>& levels);

/**
 * Divide jobs into levels, so that no edge leads upwards and the edges between levels weigh much: a
 * maximum K-cut by Crux's Algorithm 1. For each of some random topological orders, the best
 * division into consecutive parts is found by dynamic programming. O(orders x levels x jobs^2).
 *
 * \param order the jobs in one topological order; the answer depends on it only by the draws
 * \param levels most levels, at least 1; 0: as many as it takes to cut all edges
 * \param orders number of random topological orders, at least 1
 * \param random source of the orders
 * \return the level of each job, from 0: the highest; moved up (MoveUp)
 */
std::vector<uint32_t> CutIntoLevels(const ContentionGraph& graph,
                                    const std::vector<uint32_t>& order,
                                    uint32_t levels,
                                    uint32_t orders,
                                    std::mt19937_64& random);

} // namespace ns3::ddl

#endif // DDL_MAX_K_CUT_H
