// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CURVE_SHAPE_H
#define DDL_CURVE_SHAPE_H

#include "ns3/ddl-policy.h"

namespace ns3::ddl
{

/** Policy family: by what law do accuracy and loss approach their final values? */
class CurveShape : public Policy
{
  public:
    static TypeId GetTypeId();

    /**
     * \param effort iterations done, divided by those after which half of the way is done; 0 or
     *        more
     * \return fraction of the way from start to convergence, from 0 to 1; 0 at 0, 0.5 at 1, never
     *         falling. Both are checked.
     */
    double GetProgress(double effort) const;

  private:
    virtual double DoGetProgress(double effort) const = 0;
};

/**
 * `inverse`: if half of the way is done after h iterations, h / (k + h) of it is left after k.
 *
 * As a loss this is 1 / (b0 k + b1) + b2, the law that Optimus (Peng et al., EuroSys 2018, its
 * online fit of training loss) and SLAQ (Zhang et al., SoCC 2017, for first-order methods) fit: b2
 * is the loss at convergence, 1 / b1 what is above it at the start, and h = b1 / b0.
 */
class InverseCurveShape : public CurveShape
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "1 / (b0 k + b1) + b2, as stochastic gradient descent converges (Optimus, SLAQ)";
    }

  private:
    double DoGetProgress(double effort) const override;
};

/**
 * `exponential`: if half of the way is done after h iterations, 2^(-k / h) of it is left after k.
 * This is the linear convergence mu^(k - b) + c that SLAQ (Zhang et al., SoCC 2017) fits for
 * second-order methods.
 */
class ExponentialCurveShape : public CurveShape
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "2^(-k / h): what is left halves every h iterations (SLAQ, linear convergence)";
    }

  private:
    double DoGetProgress(double effort) const override;
};

} // namespace ns3::ddl

#endif // DDL_CURVE_SHAPE_H
