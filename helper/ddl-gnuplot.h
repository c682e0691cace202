// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GNUPLOT_H
#define DDL_GNUPLOT_H

#include <filesystem>
#include <string>
#include <vector>

namespace ns3
{
namespace ddl
{

/** \return the formats of pictures: "png", "svg", "pdf" */
const std::vector<std::string>& ListPictureFormats();

/**
 * Draw a picture with the `gnuplot` that is found in PATH.
 *
 * \param folder where the script `NAME.gp` and its data are, and where `NAME.FORMAT` goes; one of
 *        that name from before is removed first
 * \param name of the figure
 * \param format one of ListPictureFormats
 * \return "", or why there is no picture: no gnuplot, or what it complained about. The script
 * stays.
 */
std::string DrawWithGnuplot(const std::filesystem::path& folder,
                            const std::string& name,
                            const std::string& format);

/** \return \p text as a gnuplot string that stands for exactly these characters */
std::string QuoteForGnuplot(const std::string& text);

/**
 * \param name of the figure
 * \param title above the picture, may have several lines
 * \return the beginning of every script of ours: how to draw it again, terminal, output, colours
 *         that colour-blind readers can tell apart (Okabe and Ito 2008), grid, CSV as data format
 */
std::string BeginGnuplotScript(const std::string& name, const std::string& title);

/** \return the end of every script: the output file is closed */
std::string EndGnuplotScript();

} // namespace ddl
} // namespace ns3

#endif // DDL_GNUPLOT_H
