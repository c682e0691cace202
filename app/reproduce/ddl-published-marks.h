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
 * Give each set the published numbers of its measures, which figures draw as marks: the number
 * itself, and its ratio to that of each other set, as the paper gives it: as a change, or as both
 * numbers. What is picked from a sweep belongs to no set.
 *
 * \param figure what the paper says
 * \param sets all combinations of the figure, of different labels
 */
void AddPublished(const PaperFigure& figure, std::vector<SelectedSet>& sets);

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
