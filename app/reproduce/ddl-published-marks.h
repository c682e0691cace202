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
 * itself, and its ratio to each other set, if the paper gives the change or both numbers. Values
 * that are picked from a sweep are left out, since they belong to no single set.
 *
 * \param figure the figure with its published numbers
 * \param sets all combinations of the figure, with different labels
 */
void AddPublished(const PaperFigure& figure, std::vector<SelectedSet>& sets);

/**
 * \param figure a figure of a paper
 * \param outcome what was measured for it
 * \return our numbers, each beside the published one: a panel for changes, and one for each unit of
 *         other numbers. Numbers that are not published or were not run are left out; without any,
 *         there are no panels
 */
Chart ChartPublished(const PaperFigure& figure, const FigureOutcome& outcome);

} // namespace ns3::ddl

#endif // DDL_PUBLISHED_MARKS_H
