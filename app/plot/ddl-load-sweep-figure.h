// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LOAD_SWEEP_FIGURE_H
#define DDL_LOAD_SWEEP_FIGURE_H

#include "ddl-figure.h"

namespace ns3
{
namespace ddl
{

/**
 * How mean SCT and JCT move with a key that was varied over numbers (a load, a ratio, a period): a
 * line for each other combination, relative to the first, with 95 % confidence intervals over the
 * seeds. See MakeSweep.
 */
class LoadSweepFigure : public Figure
{
  public:
    static TypeId GetTypeId();
    std::string GetSummary() const override;

  private:
    FigureFiles DoMake(const std::vector<ResultSet>& sets) const override;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_LOAD_SWEEP_FIGURE_H
