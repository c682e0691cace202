// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GPU_GROUPING_H
#define DDL_GPU_GROUPING_H

#include <cstdint>
#include <vector>

namespace ns3::ddl
{

/** GPUs by type, and how fast each type is with each model. */
struct GroupingProblem
{
    std::vector<uint32_t> gpus;             //!< number of GPUs by type
    std::vector<std::vector<double>> speed; //!< [model][type], tasks per second, above 0
    uint32_t groups{1};                     //!< number of groups, from 1 to the number of GPUs
};

/** A partition of the GPUs. */
struct Grouping
{
    std::vector<std::vector<uint32_t>> gpus; //!< [group][type], number of GPUs
    double spread{0}; //!< largest less smallest speed of a group, for the worst model, tasks/s
};

constexpr uint64_t MOST_ENUMERATED = 1'000'000; //!< most ways that are all tried

/**
 * Put GPUs into a given number of groups that are about equally fast: the largest difference of any
 * model, between the speeds of its fastest and its slowest group, is least (Hare, Eq. (4) to (6)).
 *
 * Exact where there are no more than MOST_ENUMERATED ways to distribute the GPUs over
 * distinguishable groups: all are tried. Otherwise the answer is ImproveGrouping of DealGpus.
 *
 * \return the groups; of equally good ones the first in the order of enumeration
 */
Grouping GroupGpus(const GroupingProblem& problem);

/** \return number of ways to distribute GPUs over distinguishable groups, at most \p most */
uint64_t CountGroupings(const GroupingProblem& problem, uint64_t most);

/** \return the best of all partitions. O(number of partitions) */
Grouping EnumerateGroupings(const GroupingProblem& problem);

/**
 * Longest processing time first: GPU by GPU, the fastest by mean speed first, to the group where
 * the spread is then least; of equals, to the slowest group.
 */
Grouping DealGpus(const GroupingProblem& problem);

/** \return the grouping after moves of one GPU, or swaps of two, the best each time, until none
 * improves it */
Grouping ImproveGrouping(const GroupingProblem& problem, Grouping grouping);

} // namespace ns3::ddl

#endif // DDL_GPU_GROUPING_H
