// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CURVE_SHAPE_H
#define DDL_CURVE_SHAPE_H

#include "ns3/ddl-policy.h"

namespace ns3
{
namespace ddl
{

/** Family: by which law does training approach what it converges to? */
class CurveShape : public Policy
{
  public:
    static TypeId GetTypeId();

    /**
     * \param effort iterations done, in units of those after which half of the way is done; 0 or
     *        more
     * \return part of the way from start to convergence, from 0 to 1; 0 at 0, 0.5 at 1, never
     *         falling. Both are checked.
     */
    double GetProgress(double effort) const;

  private:
    virtual double DoGetProgress(double effort) const = 0;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_CURVE_SHAPE_H
