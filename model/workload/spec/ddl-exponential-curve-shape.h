// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_EXPONENTIAL_CURVE_SHAPE_H
#define DDL_EXPONENTIAL_CURVE_SHAPE_H

#include "ddl-curve-shape.h"

namespace ns3
{
namespace ddl
{

/**
 * `exponential`: k iterations of half-way point h leave 2^(-k / h) of the way, which is the linear
 * convergence mu^(k - b) + c that SLAQ (Zhang et al., SoCC 2017) fits for second-order methods.
 */
class ExponentialCurveShape : public CurveShape
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override;

  private:
    double DoGetProgress(double effort) const override;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_EXPONENTIAL_CURVE_SHAPE_H
