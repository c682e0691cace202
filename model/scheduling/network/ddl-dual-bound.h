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
    double unitWeights{0};   //!< w = 1 for every stage, alpha = 0
    double literalLine10{0}; //!< alpha and w as lines 3 to 12 of Algorithm 1 print them

    /** \return the better one of the two */
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
 * Cost as of OrderByPrimalDual().
 *
 * \param view of kind STAGE, with the loads that really have to be moved; of other kinds, a bound
 * on the sum of the completion times of its units
 */
SctBound ComputeSctBound(const SchedulerView& view);

/**
 * \return what the order promises, the sum of CompleteInOrder(), over ComputeSctBound().Get(); none
 *         where units share a priority or there is no load
 */
std::optional<double> RateOrder(const SchedulerView& view, const UnitOrder& order);

} // namespace ns3::ddl

#endif // DDL_DUAL_BOUND_H
