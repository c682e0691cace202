// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_THIN_CHART_H
#define DDL_THIN_CHART_H

#include "app/plot/ddl-chart.h"

#include <cstddef>
#include <string>

namespace ns3::ddl
{

/** A chart with fewer points, boxes or rows, and what was left out. */
struct ThinnedChart
{
    Chart chart;
    std::string note; //!< sentences on what was left out; "" if nothing was
};

/**
 * Leave out parts of a chart that is too large, so that the rest still shows its extremes.
 *
 * - Curves and areas over time: time is cut into `detail` sections of equal length. In each
 *   section, those intervals remain in which a curve has its least or its greatest value; and the
 *   first and the last interval of all. An interval that remains begins where the one before ends.
 * - Steps: the first and the last step of each section of the x axis remain.
 * - Boxes: those of a row that lie within one section become one grey box, which says how many it
 *   stands for. Of more than `detail` rows, every second, third, ... remains.
 * - Links of a network over time: neighbouring intervals become one, of the mean utilisation and of
 *   all bytes, so that there are at most `detail` intervals and 400 x `detail` numbers. The links
 *   of the first jobs remain, up to as many numbers.
 * - Series, bars and rows of names: the first `detail` remain, but at most 100 series.
 *
 * \param chart any chart
 * \param detail greatest number of sections, rows or bars; at least 1
 * \return the chart; unchanged if none of its parts is larger than `detail`
 */
ThinnedChart ThinChart(Chart chart, std::size_t detail);

} // namespace ns3::ddl

#endif // DDL_THIN_CHART_H
