// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_BARS_BY_MODEL_FIGURE_H
#define DDL_BARS_BY_MODEL_FIGURE_H

#include "ddl-figure.h"

namespace ns3
{
namespace ddl
{

/**
 * Mean stage completion time of the cojobs of each model, relative to the first set, with the 95 %
 * confidence interval over the seeds. Models stand in the order of their SCT in the first set.
 */
class BarsByModelFigure : public Figure
{
  public:
    static TypeId GetTypeId();
    std::string GetSummary() const override;

  private:
    FigureFiles DoMake(const std::vector<ResultSet>& sets) const override;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_BARS_BY_MODEL_FIGURE_H
