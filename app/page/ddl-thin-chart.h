// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_THIN_CHART_H
#define DDL_THIN_CHART_H

#include "app/plot/ddl-chart.h"

#include <cstddef>
#include <string>

namespace ns3::ddl
{

/** A chart with less in it, and what was left out. */
struct ThinnedChart
{
    Chart chart;
    std::string note; //!< sentences; "" if it is whole
};

/**
 * Make a chart smaller, so that what remains still shows what is there.
 *
 * - Curves and areas over time: time is cut into `detail` sections of equal length. Of each, those
 *   intervals remain in which any curve has its least or its greatest value of the section; and the
 *   first and the last of all. An interval that remains begins where the one before ends.
 * - Steps: of each section of the x axis the first and the last step.
 * - Boxes: those of a row that lie within one section become one, of no job's colour, that says how
 *   many it stands for. Of more than `detail` rows, every second, third, ... remains.
 * - Series, bars and rows of names: the first `detail`.
 *
 * \param chart any
 * \param detail at least 1
 * \return the chart; it is the same if nothing of it is more than `detail`
 */
ThinnedChart ThinChart(Chart chart, std::size_t detail);

} // namespace ns3::ddl

#endif // DDL_THIN_CHART_H
