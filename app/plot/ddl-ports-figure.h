// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PORTS_FIGURE_H
#define DDL_PORTS_FIGURE_H

#include "ddl-figure.h"

namespace ns3
{
namespace ddl
{

/**
 * Where the bytes went. Of one set: a bar an egress port, stacked by queue, the busiest ports first
 * where there are many. Of several: a bar a set, all its ports together. Bytes are the mean over
 * seeds.
 */
class PortsFigure : public Figure
{
  public:
    static TypeId GetTypeId();
    std::string GetSummary() const override;

  private:
    FigureFiles DoMake(const std::vector<ResultSet>& sets) const override;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_PORTS_FIGURE_H
