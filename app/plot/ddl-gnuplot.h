// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GNUPLOT_H
#define DDL_GNUPLOT_H

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gnuplotio
{
class Gnuplot;
}

namespace ns3::ddl
{

/** File formats of pictures. */
inline const std::vector<std::string> PICTURE_FORMATS{"png", "svg", "pdf"};

/** Widths of pictures: page is 17.4 cm, column is 8.5 cm. */
inline const std::vector<std::string> PICTURE_WIDTHS{"page", "column"};

/**
 * Draw a picture with the `gnuplot` that is found in PATH.
 *
 * \param folder folder of the script `NAME.gp` and its data, which also gets `NAME.FORMAT`; an
 *        earlier picture of that name is removed first
 * \param name name of the figure
 * \param format one of PICTURE_FORMATS
 * \param width one of PICTURE_WIDTHS
 * \param send sends the data to gnuplot; if empty, the script reads NAME-data.csv
 * \param isTitled whether the title stands above the picture; the note on the runs always does
 * \return "", or why there is no picture: no gnuplot, or gnuplot's error message. The script stays
 *         in the folder.
 */
std::string DrawWithGnuplot(const std::filesystem::path& folder,
                            const std::string& name,
                            const std::string& format,
                            const std::string& width = "page",
                            const std::function<void(gnuplotio::Gnuplot&)>& send = nullptr,
                            bool isTitled = true);

/** \return a gnuplot string constant of this text, whatever characters it has */
std::string QuoteForGnuplot(const std::string& text);

/** \return the same of the name of a tic, in which gnuplot takes % for a format of numbers */
std::string QuoteTic(const std::string& name);

/** A number for each width of PICTURE_WIDTHS. */
struct ByWidth
{
    double page{0};
    double column{0};
};

/** Names of the places 0, 1, 2, ... of an axis, which do not overlap. */
struct TicNames
{
    std::string script; //!< sets the tics, and the left margin if they are those of the y axis
    ByWidth lines;      //!< height of the names of an x axis, or of all rows, in lines of text
};

/**
 * \param names names below an x axis. Each is broken into lines at its line breaks and, if needed,
 *        at its blanks; it is turned if there is no room
 * \param panels number of panels side by side on a page; the axis is as wide as one of them
 */
TicNames LayOutAxisNames(const std::vector<std::string>& names, std::size_t panels = 1);

/** \param names names of rows, to the left of them, the first on top; long ones are broken */
TicNames LayOutRowNames(const std::vector<std::string>& names);

/** An entry of a key. */
struct KeyLine
{
    std::string name;
    std::string look; //!< gnuplot's style: "boxes linecolor rgb '#0072B2' fillstyle solid 1"
};

/** What all figures have in common: the texts around the plots. */
struct FigureFrame
{
    std::string name;           //!< name of the figure, and so of its files
    std::string title;          //!< what the figure shows
    std::string note;           //!< a sentence on which runs are shown, or ""
    std::vector<KeyLine> key{}; //!< none: no key
    std::size_t panels{1};      //!< number of plots: side by side on a page, stacked in a column
    ByWidth below{3.4, 3.8};    //!< lines of text between a plot and what comes below it
    std::string mark{};         //!< name of published values in the key; "": there are none
    ByWidth body{};             //!< height of a plot, in lines of text; 0: the usual height
};

/**
 * \return the beginning of every script: a comment on how to draw it again; size, fonts, title,
 *         note and key for each width; and `data`, from which plots are made. `data` is
 *         NAME-data.csv, unless it was set before to a data block of the same columns. The text
 *         ends in `set multiplot`
 */
std::string BeginGnuplotScript(const FigureFrame& frame);

/** \return script that places the next plot. \param panel number of its panel, 0, 1, ... */
std::string PlaceGnuplotPanel(std::size_t panel);

/**
 * \param frame the frame with the key; the entry of published values is the last
 * \return plot elements that draw nothing but the key, to be put behind those of the first panel
 */
std::vector<std::string> ListGnuplotKey(const FigureFrame& frame);

/**
 * Marks of published values: white diamonds with a dark edge, which are visible on any colour, and
 * without colours. No series has such a marker.
 *
 * \param points gnuplot's data and columns of the marks: "data skip 1 using 1:2"
 * \param colour colour of the edge, "RRGGBB": that of the series if a mark could be any line's
 * \return plot elements
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
    std::string colour;  //!< "RRGGBB": "0072B2"
    int dashes{1};       //!< gnuplot's dash type
    int marker{1};       //!< gnuplot's point type
    std::string filling; //!< gnuplot's style of filling: "fillstyle solid ..."
};

/** \return the look of series 0, 1, ... */
SeriesLook GetSeriesLook(std::size_t series);

/**
 * \param series number of the series, 0, 1, ...
 * \param of number of all series
 * \return line width of a series; the series drawn first have the widest lines, so that a line
 *         shows on both sides of another that runs along it
 */
double GetLineWidth(std::size_t series, std::size_t of);

} // namespace ns3::ddl

#endif // DDL_GNUPLOT_H
