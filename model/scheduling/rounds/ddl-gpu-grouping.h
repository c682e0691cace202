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
    uint32_t groups{1};                     //!< from 1 to the number of GPUs
};

/** A partition of the GPUs. */
struct Grouping
{
    std::vector<std::vector<uint32_t>> gpus; //!< [group][type], numbers of GPUs
    double spread{0}; //!< of the worst model: largest less smallest sum of speeds of a group
};

constexpr uint64_t MOST_ENUMERATED = 1'000'000; //!< partitions that are tried one by one

/**
 * Hare, Eq. (4) to (6): put GPUs into a given number of groups so that the groups are equally fast,
 * namely so that the largest difference of any model, between the speeds of its fastest and its
 * slowest group, is least.
 *
 * Exact where the GPUs of each type can be dealt out in no more than MOST_ENUMERATED ways, the
 * groups being distinguishable: all ways are tried. Otherwise ImproveGrouping of DealGpus.
 *
 * \return the groups; of equally good ones the first in the order of enumeration
 */
Grouping GroupGpus(const GroupingProblem& problem);

/** \return in how many ways GPUs can be dealt out to distinguishable groups, at most `most` */
uint64_t CountGroupings(const GroupingProblem& problem, uint64_t most);

/** \return the best of all partitions; time grows with their number */
Grouping EnumerateGroupings(const GroupingProblem& problem);

/**
 * Longest processing time first: the fastest GPU by mean speed goes to the group where the spread
 * is then least; of these, to the slowest.
 */
Grouping DealGpus(const GroupingProblem& problem);

/** \return after moves of one GPU, or swaps of two, each the best there is, until none improves */
Grouping ImproveGrouping(const GroupingProblem& problem, Grouping grouping);

} // namespace ns3::ddl

#endif // DDL_GPU_GROUPING_H
