// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_MIN_COST_MATCHING_H
#define DDL_MIN_COST_MATCHING_H

#include <cstdint>
#include <vector>

namespace ns3::ddl
{

/**
 * Match all rows of a matrix to different columns at least cost: the Hungarian method by shortest
 * augmenting paths (Kuhn 1955; Jonker and Volgenant 1987). O(rows^2 columns).
 *
 * \param cost cost of [row][column], finite; all rows have one length, at least their number
 * \return the column of each row
 */
std::vector<uint32_t> MatchAtLeastCost(const std::vector<std::vector<double>>& cost);

} // namespace ns3::ddl

#endif // DDL_MIN_COST_MATCHING_H
