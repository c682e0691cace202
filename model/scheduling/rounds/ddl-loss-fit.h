// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LOSS_FIT_H
#define DDL_LOSS_FIT_H

#include "ddl-round-scheduler.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::ddl
{

/** The law loss(k) = 1 / (b0 k + b1) + b2 by rounds k (Optimus, EuroSys 2018; SLAQ, SoCC 2017). */
struct LossLaw
{
    double b0{0}; //!< growth of 1 / (loss - b2) per round, above 0
    double b1{0};
    double b2{0}; //!< loss at convergence, 0 or more
};

constexpr std::size_t LEAST_LOSSES = 10; //!< least number of points for a fit

/**
 * Fit the law by least squares. For given b2 the law is a straight line in 1 / (loss - b2), whose
 * points are weighted by (loss - b2)^4, as errors of the loss demand; b2 is searched.
 *
 * \param losses losses by round, all above 0
 * \return the law; none with fewer than LEAST_LOSSES points, or when the loss does not fall
 */
std::optional<LossLaw> FitLoss(const std::vector<LossPoint>& losses);

/**
 * \param law the law of a training
 * \param first round of the first known loss
 * \return the first round after which the loss minus b2 is a hundredth of what it was after round
 *         \p first
 */
uint64_t FindConvergence(const LossLaw& law, uint64_t first);

} // namespace ns3::ddl

#endif // DDL_LOSS_FIT_H
