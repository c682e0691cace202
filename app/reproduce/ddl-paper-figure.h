// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PAPER_FIGURE_H
#define DDL_PAPER_FIGURE_H

#include "app/compare/ddl-variation.h"
#include "app/results/ddl-measure.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace ddl
{

/** Tells runs from others: keys that were varied or set, and what they were set to. */
using Selection = std::map<std::string, std::string>;

/** Runs that a figure needs: what `ddl compare` is asked for. */
struct FigureComparison
{
    std::string name;
    std::string folder;   //!< of its results, below that of the figure
    std::string scenario; //!< as FindScenarioFile takes it
    std::string from; //!< figure (its folder's name) whose comparison of that name is used, or ""
    std::vector<Variation> variations;
    std::vector<std::pair<std::string, std::string>> settings; //!< path and value, for all runs
    uint64_t seeds{3};
};

/** A number of the paper, and what is measured to set beside it. */
struct FigureValue
{
    std::string name;
    Measure measure;
    Selection of;           //!< the runs whose measure it is
    Selection over;         //!< if not empty: it is the change against these, -0.31 for 31 % less
    std::string sweep;      //!< key all of whose values are tried, "" for none
    bool isGreatest{false}; //!< of a sweep: the greatest value counts, else the least
    double factor{1};       //!< of a value that is no change
    std::string unit;       //!< of such a value, after the factor
    std::optional<double> published; //!< nothing where the paper only draws it
    std::string source;              //!< where the paper says so
};

/** An order of the paper: who comes before whom, the least value first. */
struct FigureOrder
{
    std::string name;
    Measure measure;
    std::string key;                    //!< whose values are put into order
    Selection of;                       //!< other keys, where several vary
    std::vector<std::string> ascending; //!< the published order
    std::string source;
};

/** A picture, and what it is drawn from. */
struct FigurePicture
{
    std::string type;                     //!< one of the figures of `ddl plot`, with attributes
    std::vector<std::string> comparisons; //!< names; none: all of them
};

/** What a value comes out as here: a row of the folder's `expected.csv`. */
struct FigureExpectation
{
    std::string value; //!< name of a FigureValue
    double expected{0};
    double tolerance{0}; //!< it may differ by this much
    std::string source;  //!< where the number is from
};

/** A figure or table of a paper, as its folder's `figure.json` says. */
struct PaperFigure
{
    std::string folder; //!< name of its folder below scenarios/
    std::string path;   //!< of that folder
    std::string paper;
    std::string number; //!< "Fig. 11"
    std::string title;
    std::string claim; //!< what the paper says that it shows
    std::vector<FigureComparison> comparisons;
    std::vector<FigureValue> values;
    std::vector<FigureOrder> orders;
    std::vector<FigurePicture> pictures;
    std::vector<FigureExpectation> expected; //!< of the variant that was read
};

/** Which runs: all that the figures ask for, or what fits into some minutes. */
enum class FigureVariant
{
    FULL,
    QUICK
};

/**
 * \param folder of a figure
 * \param variant which runs to read
 * \return what its `figure.json` and its `expected.csv` say (doc/reproduce.md explains every key)
 * \throws InputError with everything that is wrong in the files
 */
PaperFigure ReadPaperFigure(const std::string& folder, FigureVariant variant);

} // namespace ddl
} // namespace ns3

#endif // DDL_PAPER_FIGURE_H
