// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_DOUBLE_TREE_H
#define DDL_DOUBLE_TREE_H

#include "ddl-communication-pattern.h"
#include "ddl-plan-builder.h"

#include <cstdint>
#include <vector>

namespace ns3::ddl
{

/**
 * Two binary trees over the same ranks, each for half of the bytes: what is an inner place of one
 * tree is a leaf of the other, but for one rank of an odd number. NCCL, `trees.cc`; Sanders, Speck
 * and Träff, "Two-Tree Algorithms for Full Bandwidth Broadcast, Reduction and Scan", 2009.
 *
 * Let b be the lowest set bit of place i. Its parent is (i xor b) or 2b if that is below N, else
 * i xor b; place 0 is the root. In the second tree the rank of place i is the one of place
 * N - 1 - i of the first if N is even, and of place i + 1 (modulo N) if N is odd.
 *
 * Each half is cut into chunks, which follow each other through its tree: a transfer waits for its
 * own bytes only.
 */

/** \return place of the parent of place \p i, which is above 0, in a tree of \p count places */
uint32_t GetTreeParent(uint32_t i, uint32_t count);

/**
 * Append an all-reduce: each half goes up its tree, added, and comes down again.
 *
 * \param plan the plan
 * \param ranks rank of each place of the first tree, each once
 * \param range the bytes
 * \param chunks parts of each half, at least 1
 */
void AddDoubleTreeAllReduce(TransferPlan& plan,
                            const std::vector<uint32_t>& ranks,
                            const ByteRange& range,
                            uint32_t chunks);

/**
 * Append a broadcast: the first of the ranks gives each half to the root of a tree of the others.
 * Every rank sends the bytes once at most, and the first one once.
 *
 * \param plan, ranks, range, chunks as in AddDoubleTreeAllReduce
 */
void AddDoubleTreeBroadcast(TransferPlan& plan,
                            const std::vector<uint32_t>& ranks,
                            const ByteRange& range,
                            uint32_t chunks);

} // namespace ns3::ddl

#endif // DDL_DOUBLE_TREE_H
