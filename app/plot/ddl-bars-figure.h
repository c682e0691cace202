// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_BARS_FIGURE_H
#define DDL_BARS_FIGURE_H

#include "ddl-figure.h"

namespace ns3
{
namespace ddl
{

/**
 * How long things took. Of one set: mean and percentiles of the completion times of stages (SCT),
 * jobs (JCT) and cojobs (CoJCT), in seconds. Of several: each mean over that of the first set, with
 * the 95 % confidence interval over the seeds, and the mean itself written above the bar.
 */
class BarsFigure : public Figure
{
  public:
    static TypeId GetTypeId();
    std::string GetSummary() const override;

  private:
    FigureFiles DoMake(const std::vector<ResultSet>& sets) const override;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_BARS_FIGURE_H
