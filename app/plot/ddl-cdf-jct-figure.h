// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CDF_JCT_FIGURE_H
#define DDL_CDF_JCT_FIGURE_H

#include "ddl-figure.h"

namespace ns3
{
namespace ddl
{

/**
 * Which share of the jobs took less than x from submission to end: the empirical distribution of
 * `jct_s`, all seeds of a set together, a line a set.
 */
class CdfJctFigure : public Figure
{
  public:
    static TypeId GetTypeId();
    std::string GetSummary() const override;

  private:
    FigureFiles DoMake(const std::vector<ResultSet>& sets) const override;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_CDF_JCT_FIGURE_H
