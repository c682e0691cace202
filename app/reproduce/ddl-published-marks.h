// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PUBLISHED_MARKS_H
#define DDL_PUBLISHED_MARKS_H

#include "app/plot/ddl-chart.h"
#include "ddl-figure-outcome.h"

#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * Mark at each bar of a chart what the paper gives for it. A bar is the ratio of a measure of one
 * set to that of the set that FindBase says: the paper gives it as a change between the two, or as
 * both numbers.
 *
 * \param figure what the paper says
 * \param sets what the chart was made of, in order
 * \param chart gets the marks; charts of other kinds are left as they are
 */
void MarkPublished(const PaperFigure& figure, const std::vector<SelectedSet>& sets, Chart& chart);

/** What a figure says, and what was measured for it. */
struct FigureNumbers
{
    const PaperFigure* figure;
    const FigureOutcome* outcome;
};

/**
 * \param figures one or more; the names of rows have their numbers where there are several
 * \param title of the chart
 * \return our numbers, each beside the published one, a panel for changes and one for each unit of
 *         other numbers; those that are not published are left out, and those that were not run
 *         too. No panels if there are none.
 */
Chart ChartPublished(const std::vector<FigureNumbers>& figures, const std::string& title);

} // namespace ns3::ddl

#endif // DDL_PUBLISHED_MARKS_H
