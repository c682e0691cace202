// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CDF_SLOWDOWN_FIGURE_H
#define DDL_CDF_SLOWDOWN_FIGURE_H

#include "ddl-figure.h"

namespace ns3
{
namespace ddl
{

/**
 * Which share of the stages, and of the jobs, was slowed down by less than x: the empirical
 * distribution of the `slowdown` columns, all seeds of a set together, a line a set.
 */
class CdfSlowdownFigure : public Figure
{
  public:
    static TypeId GetTypeId();
    std::string GetSummary() const override;

  private:
    FigureFiles DoMake(const std::vector<ResultSet>& sets) const override;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_CDF_SLOWDOWN_FIGURE_H
