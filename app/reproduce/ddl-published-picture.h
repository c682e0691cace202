// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PUBLISHED_PICTURE_H
#define DDL_PUBLISHED_PICTURE_H

#include "app/plot/ddl-figure.h"

#include <vector>

namespace ns3::ddl
{

/**
 * Draw published numbers beside ours for print, as ChartPublished has them: a row for each, the
 * published one as a mark.
 *
 * \param chart a chart made by ChartPublished
 * \return a picture for each panel of the chart: numbers of different units have no common axis
 */
std::vector<FigureFiles> MakePublishedPictures(const Chart& chart);

/** \return name of the picture of panel 0, 1, ...: "published", "published-2" */
std::string GetPublishedPictureName(std::size_t panel);

} // namespace ns3::ddl

#endif // DDL_PUBLISHED_PICTURE_H
