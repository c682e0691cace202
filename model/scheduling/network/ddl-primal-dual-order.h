// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PRIMAL_DUAL_ORDER_H
#define DDL_PRIMAL_DUAL_ORDER_H

#include "ddl-scheduler-view.h"

#include <vector>

namespace ns3::ddl
{

/**
 * The iteration of Grouper's Algorithm 1, lines 13 to 23: from the last place to the first, take
 * the port with the most unplaced load, and place last the unit with the least weight over load
 * there.
 *
 * With `keepChainOrder` only the last unplaced stage of each cojob may be placed, and a weight that
 * would fall below 0 stays at 0 (without it, none would but by rounding). When no unit that may be
 * placed loads the port, the chain that has the least ratio there gives its last unplaced stage,
 * and no weight changes. Units that load no port come first. Equal ratios: the unit that is later
 * by id is placed later. The order of the units in the view makes no difference.
 *
 * Cost: O(units x (units + ports) + loads).
 *
 * \param view the units to order
 * \param weights initial weight of each unit, at least 0, in the order of the view
 * \param keepChainOrder whether a stage must come after its predecessor
 * \return indices of the units, the first one first
 */
std::vector<uint32_t> OrderByPrimalDual(const SchedulerView& view,
                                        const std::vector<double>& weights,
                                        bool keepChainOrder);

/**
 * Compute the value of the dual solution that the iteration of OrderByPrimalDual() builds, without
 * chain order and without keeping weights at 0 (Grouper Eq. 17, second term). Its cost is the same.
 *
 * \param view the units
 * \param weights weight w of each unit, by index
 * \return sum of beta f_p over all ports and sets
 */
double SumDualPass(const SchedulerView& view, const std::vector<double>& weights);

} // namespace ns3::ddl

#endif // DDL_PRIMAL_DUAL_ORDER_H
