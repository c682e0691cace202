// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FIGURE_H
#define DDL_FIGURE_H

#include "app/results/ddl-result-set.h"
#include "app/text/ddl-arguments.h"
#include "ddl-chart.h"

#include "ns3/ddl-policy.h"

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * A kind of picture of results, such as bars of means or distributions: a function from results to
 * a Chart, which is drawn by others. A figure is a Policy: users choose it by name (`bars` is the
 * class `BarsFigure`), and a new one needs no change anywhere else (see FigureOf).
 */
class Figure : public Policy
{
  public:
    static TypeId GetTypeId();

    /**
     * \param sets results to show, at least one set
     * \return the chart of these results, or why there is none (Chart::nothing)
     * \throws InputError when files of results are missing or damaged
     */
    Chart Make(const std::vector<ResultSet>& sets) const;

  private:
    virtual Chart DoMake(const std::vector<ResultSet>& sets) const = 0;
};

/** A figure: its name, and the function that makes its chart (Figure::Make). */
struct FigureEntry
{
    const char* type;    //!< name of its class: "ns3::ddl::BarsFigure" for the figure `bars`
    const char* summary; //!< a line for menus
    Chart (*make)(const std::vector<ResultSet>& sets);
};

/**
 * The class of a figure. These lines behind its function register it:
 *
 *     constexpr FigureEntry BARS{"ns3::ddl::BarsFigure", "mean SCT", MakeBars};
 *     const TypeId BARS_FIGURE = FigureOf<BARS>::GetTypeId();
 *
 * \tparam ENTRY the figure
 */
template <const FigureEntry& ENTRY>
class FigureOf : public Figure
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId(ENTRY.type)
                                .SetParent<Figure>()
                                .SetGroupName("Ddl")
                                .template AddConstructor<FigureOf>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return ENTRY.summary;
    }

  private:
    Chart DoMake(const std::vector<ResultSet>& sets) const override
    {
        return ENTRY.make(sets);
    }
};

/** \return the first set with a run that ended, for figures of one run; null: none has one */
const ResultSet* FindOneWithRuns(const std::vector<ResultSet>& sets);

/** How pictures are drawn. */
struct PictureStyle
{
    std::vector<std::string> formats{"png"}; //!< file formats, from PICTURE_FORMATS
    std::string width{"page"};               //!< one of PICTURE_WIDTHS
    bool isTitled{true};                     //!< a title stands above each picture
};

/** The pictures that were drawn, and why others were not. */
struct DrawnFigures
{
    std::vector<std::filesystem::path> pictures; //!< paths of the pictures
    std::vector<std::string> warnings;           //!< a sentence for each picture that failed
    std::vector<std::string> empty; //!< a sentence for each figure that has nothing to draw
};

/**
 * Draw figures: for each its data (`NAME-data.csv`) and script (`NAME.gp`) first, then a picture
 * per format. What fails becomes a warning, so that no picture can cost the results of a run.
 *
 * \param names names of the figures
 * \param sets results to show; each set is compared with the one that FindBase finds
 * \param folder folder of the files; made if there is none
 * \param style how the pictures are drawn
 * \return the pictures, and why others are missing
 * \throws InputError when there is no such figure, format or width, with the menu
 */
DrawnFigures DrawFigures(const std::vector<std::string>& names,
                         const std::vector<ResultSet>& sets,
                         const std::filesystem::path& folder,
                         const PictureStyle& style = {});

/**
 * Draw a chart, as DrawFigures does.
 *
 * \param name name of the picture's files; those of an earlier drawing are removed
 * \throws RunError when the files cannot be written
 */
DrawnFigures DrawChart(const std::string& name,
                       const Chart& chart,
                       const std::filesystem::path& folder,
                       const PictureStyle& style = {});

/**
 * Remove every figure that an earlier drawing left in a folder, in all formats: whatever has a
 * `NAME-data.csv` beside a `NAME.gp`.
 */
void RemoveFigures(const std::filesystem::path& folder);

/**
 * \param names names of figures
 * \param style how they are to be drawn
 * \throws InputError that lists every name, format and width that does not exist
 */
void CheckFigures(const std::vector<std::string>& names, const PictureStyle& style);

/** \return the arguments that `ddl plot` takes */
Arguments MakePlotArguments();

/**
 * Draw figures from folders of results.
 *
 * \param arguments the parsed arguments of MakePlotArguments
 * \param out gets the path of each picture
 * \param err gets a line for each figure that was not drawn
 * \return exit status: 0 when all figures asked for were drawn, else 1. Without `--figure`, figures
 *         with nothing to draw are left out
 * \throws InputError when there is no such figure, format or folder of results
 */
int Plot(const Arguments& arguments, std::ostream& out, std::ostream& err);

} // namespace ns3::ddl

#endif // DDL_FIGURE_H
