// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_INVERSE_CURVE_SHAPE_H
#define DDL_INVERSE_CURVE_SHAPE_H

#include "ddl-curve-shape.h"

namespace ns3
{
namespace ddl
{

/**
 * `inverse`: k iterations of half-way point h leave h / (k + h) of the way.
 *
 * As a loss this is 1 / (b0 k + b1) + b2, the law that Optimus (Peng et al., EuroSys 2018, its
 * online fit of training loss) and SLAQ (Zhang et al., SoCC 2017, for first-order methods) fit: b2
 * is the loss at convergence, 1 / b1 what is above it at the start, and h = b1 / b0.
 */
class InverseCurveShape : public CurveShape
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  private:
    double DoGetProgress(double effort) const override;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_INVERSE_CURVE_SHAPE_H
