// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GNUPLOT_H
#define DDL_GNUPLOT_H

#include "ddl-figure.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** The formats of pictures. */
inline const std::vector<std::string> PICTURE_FORMATS{"png", "svg", "pdf"};

/** How wide pictures can be: 17.4 cm and 8.5 cm. */
inline const std::vector<std::string> PICTURE_WIDTHS{"page", "column"};

/**
 * Draw a picture with the `gnuplot` that is found in PATH.
 *
 * \param folder where the script `NAME.gp` and its data are, and where `NAME.FORMAT` goes; one of
 *        that name from before is removed first
 * \param name of the figure
 * \param format one of PICTURE_FORMATS
 * \param width one of PICTURE_WIDTHS
 * \param send sends the data; without it, the script reads it from NAME-data.csv
 * \param isTitled whether the title stands above; the line on the runs does in any case
 * \return "", or why there is no picture: no gnuplot, or what it complained about. The script
 * stays.
 */
std::string DrawWithGnuplot(const std::filesystem::path& folder,
                            const std::string& name,
                            const std::string& format,
                            const std::string& width = "page",
                            const std::function<void(gnuplotio::Gnuplot&)>& send = nullptr,
                            bool isTitled = true);

/** \return a gnuplot string constant of this text, whatever characters it has */
std::string QuoteForGnuplot(const std::string& text);

/** \return true if these values are too far apart for one linear axis */
inline bool
IsWide(double least, double most)
{
    constexpr double WIDE = 20;
    return least > 0 && most / least > WIDE;
}

/** A number for each width of PICTURE_WIDTHS. */
struct ByWidth
{
    double page{0};
    double column{0};
};

/** Names below an axis, in a size and at an angle at which they do not overlap. */
struct AxisNames
{
    std::string script; //!< sets the tics 0, 1, 2, ... of the x axis
    ByWidth lines;      //!< height in lines of text
};

/**
 * \param names of the places 0, 1, 2, ... of an axis. Each is broken into lines at its line breaks
 *        and, if needed, at its blanks; it is turned if there is no room
 * \param panels that a page has side by side; the axis is as wide as one of them
 */
AxisNames LayOutAxisNames(const std::vector<std::string>& names, std::size_t panels = 1);

/** Names of rows, to the left of them. */
struct RowNames
{
    std::string script; //!< sets the tics 0, 1, 2, ... of the y axis, and the left margin
    ByWidth lines;      //!< height of all rows, in lines of text
};

/** \param names of the rows 0, 1, 2, ..., the first on top; long ones are broken into lines */
RowNames LayOutRowNames(const std::vector<std::string>& names);

/** What all figures have in common: the texts around the plots. */
struct FigureFrame
{
    std::string name;               //!< of the figure, and so of its files
    std::string title;              //!< what is shown
    std::string note;               //!< of which runs, "" for nothing
    std::vector<std::string> key{}; //!< names of series 0, 1, ...; none: no key
    std::size_t panels{1};   //!< plots: side by side on a page, one above the other in a column
    ByWidth below{3.4, 3.8}; //!< lines of text between a plot and what comes below it
    std::string mark{}; //!< what the marks are that show published values, as the last entry of the
                        //!< key says; "": there are none
    ByWidth body{};     //!< height of a plot, in lines of text; 0: the usual height
};

/**
 * \return the beginning of every script: a comment on how to draw it again; size, fonts, title,
 *         note and key for each width; and `data`, from which plots are made. This is
 *         NAME-data.csv, unless it was set before to a data block of the same columns. It ends in
 *         `set multiplot`
 */
std::string BeginGnuplotScript(const FigureFrame& frame);

/** \return what puts the next plot into its place. \param panel 0, 1, ... of the frame */
std::string PlaceGnuplotPanel(std::size_t panel);

/**
 * \param frame whose key is drawn; the entry of published values is the last
 * \param style of the other samples: "boxes", "lines" or "linespoints"
 * \return plot elements that draw nothing but the key, to be put behind those of the first panel;
 *         "" without a key
 */
std::string FormatGnuplotKey(const FigureFrame& frame, const std::string& style);

/**
 * Marks of published values: white diamonds with a dark edge, which are visible on any colour, and
 * without colours. No series has such a marker.
 *
 * \param points data and columns of the marks: "data skip 1 using 1:2"
 * \param colour of the edge: that of the series where a mark could be any line's
 * \return plot elements, each with a separator before it
 */
std::string FormatGnuplotMarks(const std::string& points, const std::string& colour = "000000");

/** \return the end of every script: the output file is closed */
std::string EndGnuplotScript();

/**
 * The look of one series. Colours are those of Okabe and Ito (2008), which colour-blind readers can
 * tell apart, without yellow, which is hard to see on white. Any two of the first 21 series differ
 * in colour or, if they share one, in dashes, marker and filling.
 */
struct SeriesLook
{
    std::string colour;  //!< "0072B2"
    int dashes{1};       //!< gnuplot's number
    int marker{1};       //!< gnuplot's number
    std::string filling; //!< "fillstyle solid ..." of gnuplot
};

/** \return the look of series 0, 1, ... */
SeriesLook GetSeriesLook(std::size_t series);

/**
 * \return width of the line of series 0, 1, ... of so many: those drawn first are the widest, so
 *         that a line shows on both sides of another that runs along it
 */
double GetLineWidth(std::size_t series, std::size_t of);

} // namespace ns3::ddl

#endif // DDL_GNUPLOT_H
