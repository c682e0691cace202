// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_DUAL_BOUND_H
#define DDL_DUAL_BOUND_H

#include "ddl-scheduler-view.h"

#include <algorithm>
#include <optional>

namespace ns3::ddl
{

/** Two lower bounds on a sum of stage completion times, in seconds: values of feasible solutions of
 * the dual of Grouper's LP. */
struct SctBound
{
    double unitWeights{0};   //!< bound with w = 1 for every stage and alpha = 0
    double literalLine10{0}; //!< bound with alpha and w as in Algorithm 1, lines 3 to 12

    /** \return the larger bound */
    double Get() const
    {
        return std::max(unitWeights, literalLine10);
    }
};

/**
 * A lower bound on the sum of the completion times of all stages in the view, counted from now,
 * that no schedule can beat (Grouper, Zhou et al., LP-Primal, Eq. 13 to 18).
 *
 * Each bound comes from a SumDualPass(): it builds a feasible solution (alpha, beta) of the dual,
 * and the bound is its value, sum of alpha L + sum of beta f_p (Eq. 17). The weights of Eq. 46 are
 * not used: their last stage breaks constraint (18), and the value that they give is no bound
 * (doc/certificates.md).
 *
 * Its cost is that of OrderByPrimalDual().
 *
 * \param view units of kind STAGE, with the loads that really have to be moved; with other kinds
 *        the bound is on the sum of the completion times of the units
 * \return the bounds, seconds
 */
SctBound ComputeSctBound(const SchedulerView& view);

/**
 * \return the sum of CompleteInOrder() for the order, divided by ComputeSctBound().Get(); none
 *         where units share a priority or there is no load
 */
std::optional<double> RateOrder(const SchedulerView& view, const UnitOrder& order);

} // namespace ns3::ddl

#endif // DDL_DUAL_BOUND_H
