// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FIGURES_H
#define DDL_FIGURES_H

#include "app/results/ddl-result-set.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ns3
{
namespace ddl
{

/** What came of drawing. */
struct DrawnFigures
{
    std::vector<std::filesystem::path> pictures; //!< those that are there now
    std::vector<std::string> warnings;           //!< a sentence for each that failed
    std::vector<std::string>
        empty; //!< a sentence for each figure whose results hold nothing to draw
};

/**
 * Draw a figure: its data (`NAME-data.csv`) and script (`NAME.gp`) first, then a picture a format.
 * Whatever fails on the way is a warning: a picture never costs the results that it shows.
 *
 * \param name of a figure
 * \param sets what it shows; the first is what the others are compared with
 * \param folder where it goes; made if it is not there
 * \param formats of ListPictureFormats
 * \param width one of ListPictureWidths
 * \return its pictures, and why others are missing
 * \throws InputError when there is no such figure, format or width, with the menu
 */
DrawnFigures DrawFigure(const std::string& name,
                        const std::vector<ResultSet>& sets,
                        const std::filesystem::path& folder,
                        const std::vector<std::string>& formats = {"png"},
                        const std::string& width = "page");

/** Draw several figures, as DrawFigure, and put the outcomes together. */
DrawnFigures DrawFigures(const std::vector<std::string>& names,
                         const std::vector<ResultSet>& sets,
                         const std::filesystem::path& folder,
                         const std::vector<std::string>& formats = {"png"},
                         const std::string& width = "page");

/**
 * Remove every figure that an earlier drawing left in a folder, in all formats: whatever has a
 * `NAME-data.csv` beside a `NAME.gp`.
 */
void RemoveFigures(const std::filesystem::path& folder);

/**
 * \param names of figures
 * \param formats of pictures
 * \param width of pictures
 * \throws InputError that lists every name, format and width that does not exist
 */
void CheckFigures(const std::vector<std::string>& names,
                  const std::vector<std::string>& formats,
                  const std::string& width = "page");

} // namespace ddl
} // namespace ns3

#endif // DDL_FIGURES_H
