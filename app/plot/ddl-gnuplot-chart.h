// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GNUPLOT_CHART_H
#define DDL_GNUPLOT_CHART_H

#include "ddl-chart.h"

#include <functional>
#include <string>

namespace gnuplotio
{
class Gnuplot;
}

namespace ns3::ddl
{

/** The files from which gnuplot draws a chart. Equal charts give equal bytes. */
struct GnuplotFiles
{
    std::string data;    //!< text of NAME-data.csv
    std::string script;  //!< text of NAME.gp, which reads NAME-data.csv from its own folder
    std::string nothing; //!< why there is nothing to draw, all else being empty; "" otherwise
    std::function<void(gnuplotio::Gnuplot&)> send{}; //!< sends the data to a running gnuplot
};

/**
 * Draw a chart for print.
 *
 * NAME-data.csv has a row for each bar, step, point, change of a curve, end of an area's interval,
 * or box. Its columns depend on the kind of the panels: their number, that of the series, the place
 * on the axis and the values, under the names that the axes have (`ratio`, `time_s`), and last a
 * label. NAME.gp draws these rows, and can be edited.
 *
 * \param name name of the files
 * \param chart any chart; all panels are of one kind
 * \return the files, or why there are none: the chart is empty, or too much for one picture
 */
GnuplotFiles FormatForGnuplot(const std::string& name, const Chart& chart);

} // namespace ns3::ddl

#endif // DDL_GNUPLOT_CHART_H
