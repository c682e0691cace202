// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PAPER_H
#define DDL_PAPER_H

#include "app/compare/ddl-variation.h"
#include "app/results/ddl-result-set.h"

#include "ns3/ddl-error.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** The keys that were varied or set for some runs, and their values: what identifies these runs. */
using Selection = std::map<std::string, std::string>;

/** The runs that a figure of a paper needs, as one comparison: what `ddl compare` is asked for. */
struct FigureComparison
{
    std::string name;
    std::string folder;   //!< of its results, below that of the figure
    std::string scenario; //!< as FindScenarioFile takes it
    std::string from; //!< folder of the figure whose comparison of that name is used; "": its own
    std::vector<Variation> variations;
    std::vector<std::pair<std::string, std::string>> settings; //!< path and value, for all runs
    uint64_t seeds{3};
    bool hasMore{false};           //!< --all runs more of it than the default set has
    std::optional<double> price{}; //!< CPU seconds of a run, for forecasts; none: not declared
};

/** A number that the paper gives, and the measure that is compared with it. */
struct FigureValue
{
    std::string name;
    Measure measure;
    Selection of;           //!< the runs whose measure it is
    Selection over;         //!< if not empty: it is the change against these, -0.31 for 31 % less
    std::string sweep;      //!< key: the value of it with the least measure is picked; "": none
    bool isGreatest{false}; //!< of a sweep: the greatest measure instead of the least
    double factor{1};       //!< of a value that is no change
    std::string unit;       //!< of such a value, after the factor
    std::optional<double> published;   //!< none if the paper only draws it
    bool isProgram{false};             //!< that number is of the authors' program, not of the paper
    std::string source;                //!< place in the paper, or in that program
    std::optional<double> tolerance{}; //!< see GetTolerance
};

/** An order that the paper gives: who has the least value, who the next, and so on. */
struct FigureOrder
{
    std::string name;
    Measure measure;
    std::string key;                    //!< whose values are put into order
    Selection of;                       //!< other keys, where several vary
    std::vector<std::string> ascending; //!< the published order, values or their names
    std::string source;
};

/** A picture, and what it is drawn from. */
struct FigurePicture
{
    std::string type;                     //!< one of the figures of `ddl plot`
    std::vector<std::string> comparisons; //!< names; none: all of them
    bool hasPanels{false};                //!< a panel for each comparison
};

/** The number that a value had when it was last measured: a row of the folder's `expected.csv`. */
struct FigureExpectation
{
    std::size_t value; //!< position of a FigureValue
    double expected{0};
    double tolerance{0}; //!< it may differ by this much
    std::string source;  //!< where the number is from
    bool isFull{false};  //!< a row of the default set that is also used with --all
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
    std::string why{}; //!< sentences: why our numbers differ from the published ones, "" if unknown
    std::map<std::string, std::string> names{}; //!< short names of long values of keys
    std::vector<FigureComparison> comparisons;
    std::vector<FigureValue> values;
    std::vector<FigureOrder> orders;
    std::vector<FigurePicture> pictures;
    std::vector<FigureExpectation> expected; //!< of the variant that was read
};

/** Which runs of the figures. */
enum class FigureVariant
{
    FULL,  //!< the default set
    QUICK, //!< what fits into some minutes
    ALL    //!< the default set, and what `all` of a comparison adds to it
};

/** \return "full", "quick" or "all": what files call a variant */
std::string GetVariantName(FigureVariant variant);

/** \return the variant of that name; nothing if there is none */
std::optional<FigureVariant> FindVariant(const std::string& name);

/**
 * \param folder of a figure
 * \param variant which runs to read
 * \return what its `figure.json` and its `expected.csv` say (doc/reproduce.md explains every key)
 * \throws InputError with everything that is wrong in the files
 */
PaperFigure ReadPaperFigure(const std::string& folder, FigureVariant variant);

/**
 * Read the `expected.csv` of a figure's folder, if it has one:
 * `variant,value,expected,tolerance,source`, where variant is `full`, `quick` or `all`, value is
 * the name of a value, expected and tolerance are in its unit (a change as a fraction), and source
 * is where the number is from. A file of single runs (`run,metric,...`) is ignored.
 *
 * \param figure what its figure.json says
 * \param variant whose rows are wanted
 * \param diagnostics gets what is wrong in any row
 * \return the rows of that variant; of ALL, also the rows of FULL that it does not replace
 */
std::vector<FigureExpectation> ReadExpected(const PaperFigure& figure,
                                            FigureVariant variant,
                                            std::vector<Diagnostic>& diagnostics);

/** \return the value that a figure's name stands for; \p text itself if it is no name */
std::string ExpandName(const PaperFigure& figure, const std::string& text);

/** \return a figure's name for a value; the value itself if it has none */
std::string NameValue(const PaperFigure& figure, const std::string& value);

/** \return true if \p runs have every key of \p wanted, with the same value */
bool Matches(const Selection& wanted, const Selection& runs);

/** \return \p selection with one more key */
Selection With(Selection selection, const std::string& key, const std::string& value);

/** \return \p selection with one more key, if it does not have that key */
Selection WithDefault(Selection selection, const std::string& key, const std::string& value);

/** \return what all runs of a comparison are set to */
Selection GetSettings(const FigureComparison& comparison);

/** \return each combination of a comparison: what is set and what is varied */
std::vector<Selection> ListCombinations(const FigureComparison& comparison);

/** \return how many runs a comparison has: combinations times seeds */
std::size_t CountRuns(const FigureComparison& comparison);

/** \return the values that a key is varied over in any comparison of a figure, in their order */
std::vector<std::string> ListValues(const PaperFigure& figure, const std::string& key);

/** \return "network fair-share, load 2" */
std::string Describe(const Selection& selection);

/** \return the papers that any folder below scenarios/ has a figure of, by name */
std::vector<std::string> ListPapers();

/**
 * Open all figures of a paper: the folders below scenarios/ whose `figure.json` names it.
 *
 * \param name of the paper
 * \param variant which runs
 * \return its figures in the order of their numbers; a comparison that is taken from another figure
 *         is complete; of ALL, rows of FULL are expected where the runs are the same
 * \throws InputError with everything that is wrong in any of the files, or with the nearest name
 *         when there is no such paper
 */
std::vector<PaperFigure> OpenPaper(const std::string& name, FigureVariant variant);

} // namespace ns3::ddl

#endif // DDL_PAPER_H
