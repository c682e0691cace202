// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PAPER_H
#define DDL_PAPER_H

#include "app/compare/ddl-variation.h"
#include "app/json/ddl-keys.h"
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

/** What identifies some runs: the keys that were varied or set for them, and their values. */
using Selection = std::map<std::string, std::string>;

/** Runs that a figure of a paper needs, as one comparison that `ddl compare` can run. */
struct FigureComparison
{
    std::string name;
    std::string folder;   //!< folder of the results, below the figure's
    std::string scenario; //!< scenario, as FindScenarioFile takes it
    std::string from;     //!< folder of the figure from which the comparison is taken; "": none
    std::vector<Variation> variations;
    std::vector<std::pair<std::string, std::string>> settings; //!< keys and values set for all runs
    uint64_t seeds{3};
    bool hasMore{false};           //!< --all has more runs of it than the default set
    std::optional<double> price{}; //!< declared CPU seconds of a run, for forecasts
};

/** A number that the paper gives, and the measure that is compared with it. */
struct FigureValue
{
    std::string name;
    Measure measure;
    Selection of;                    //!< runs that are measured
    Selection over;                  //!< base of a change (31 % less: -0.31); empty: no change
    std::string sweep;               //!< key whose value with the least measure is picked; "": none
    bool isGreatest{false};          //!< a sweep picks the greatest measure instead of the least
    double factor{1};                //!< factor of the measure, if it is no change
    std::string unit;                //!< unit after the factor, if it is no change
    std::optional<double> published; //!< published number; none: the paper only draws it
    bool isProgram{false};           //!< the authors' program gives it, not the paper
    std::string source;              //!< place in the paper, or in the authors' program
    std::optional<double> tolerance{}; //!< tolerance; none: as GetTolerance says

    /** \return true if it is a change against other runs, a fraction; else it has its unit */
    bool IsChange() const
    {
        return !over.empty();
    }
};

/** An order that the paper gives: who has the least value, who the next, and so on. */
struct FigureOrder
{
    std::string name;
    Measure measure;
    std::string key;                    //!< key whose values are put into order
    Selection of;                       //!< values of the other keys, if several vary
    std::vector<std::string> ascending; //!< published order of the key's values, or of their names
    std::string source;
};

/** A picture, and what it is drawn from. */
struct FigurePicture
{
    std::string type;                     //!< name of a figure of `ddl plot`
    std::vector<std::string> comparisons; //!< names of comparisons; none: all
    bool hasPanels{false};                //!< each comparison has its own panel
};

/** The number that a value had when it was last measured: a row of the folder's `expected.csv`. */
struct FigureExpectation
{
    std::size_t value; //!< position of a FigureValue
    double expected{0};
    double tolerance{0}; //!< largest difference allowed, in the value's unit; infinity: any is
    std::string source;  //!< origin of the number
    bool isFull{false};  //!< row of the default set that --all uses, too
    std::optional<double> halfWidth{}; //!< half the 95 % interval, in the value's unit
};

/** A figure or table of a paper, as its folder's `figure.json` says. */
struct PaperFigure
{
    std::string folder; //!< name of the figure's folder below scenarios/
    std::string path;   //!< path of the figure's folder
    std::string paper;
    std::string number; //!< number in the paper: "Fig. 11"
    std::string title;
    std::string claim; //!< what the figure shows, according to the paper
    std::string why{}; //!< why our numbers differ from the published ones; "": unknown
    std::map<std::string, std::string> names{}; //!< short names of long values of keys
    std::vector<FigureComparison> comparisons;
    std::vector<FigureValue> values;
    std::vector<FigureOrder> orders;
    std::vector<FigurePicture> pictures;
    std::vector<FigureExpectation> expected; //!< expected numbers of the variant that was read
};

/** Set of runs of the figures. */
enum class FigureVariant
{
    FULL,  //!< the default set
    QUICK, //!< runs that fit into some minutes
    ALL    //!< the default set, and what `all` of a comparison adds to it
};

/** \return name of a variant in files: "full", "quick" or "all" */
std::string GetVariantName(FigureVariant variant);

/** \return the variant of that name; nothing if there is none */
std::optional<FigureVariant> FindVariant(const std::string& name);

/**
 * \param folder folder of a figure
 * \param variant set of runs to read
 * \return the figure as `figure.json` and `expected.csv` say (doc/reference.md lists every key)
 * \throws InputError with everything that is wrong in the files
 */
PaperFigure ReadPaperFigure(const std::string& folder, FigureVariant variant);

/**
 * Read the `expected.csv` of a figure's folder, if it has one:
 * `variant,value,expected,tolerance,ci95,source`, where variant is `full`, `quick` or `all`, value
 * is the name of a value, expected, tolerance and ci95 are in its unit (a change as a fraction),
 * and source is where the number is from. An empty tolerance allows any number: such a row only
 * records ours. ci95, half the 95 % interval, may be empty or missing. A file of single runs
 * (`run,metric,...`) is ignored.
 *
 * \param figure the figure as its figure.json says
 * \param variant variant whose rows are wanted
 * \param diagnostics gets what is wrong in any row
 * \return the rows of that variant; for ALL, also the rows of FULL that it does not replace
 */
std::vector<FigureExpectation> ReadExpected(const PaperFigure& figure,
                                            FigureVariant variant,
                                            std::vector<Diagnostic>& diagnostics);

/** \return the value that a name in a figure stands for; \p text itself if it is no name */
std::string ExpandName(const PaperFigure& figure, const std::string& text);

/** \return a figure's name for a value; the value itself if it has none */
std::string NameValue(const PaperFigure& figure, const std::string& value);

/** \return true if \p runs have every key of \p wanted, with the same value */
bool Matches(const Selection& wanted, const Selection& runs);

/** \return \p selection with one more key */
Selection With(Selection selection, const std::string& key, const std::string& value);

/** \return \p selection with one more key, if it does not have that key */
Selection WithDefault(Selection selection, const std::string& key, const std::string& value);

/** \return keys that are set for all runs of a comparison, with their values */
Selection GetSettings(const FigureComparison& comparison);

/** \return each combination of a comparison: keys that are set and varied, with their values */
std::vector<Selection> ListCombinations(const FigureComparison& comparison);

/** \return number of runs of a comparison: combinations times seeds */
std::size_t CountRuns(const FigureComparison& comparison);

/** \return the values that a key is varied over in any comparison of a figure, in their order */
std::vector<std::string> ListValues(const PaperFigure& figure, const std::string& key);

/** \return text of a selection: "network fair-share, load 2" */
std::string Describe(const Selection& selection);

/** \return text of scenarios/figure.schema.json: the JSON schema of a figure.json, for editors */
std::string FormatFigureSchema();

/** \return tables of all keys of a figure.json, by path: "figure", "figure.values", ... */
KeyTables ListFigureKeys();

/** \return names of the papers with a figure in some folder below scenarios/, sorted */
std::vector<std::string> ListPapers();

/**
 * Open all figures of a paper: the folders below scenarios/ whose `figure.json` names it.
 *
 * \param name name of the paper
 * \param variant set of runs to read
 * \return the paper's figures by number; comparisons taken from another figure are complete; for
 *         ALL, rows of FULL are expected where the runs are the same
 * \throws InputError with everything that is wrong in any of the files, or with the nearest name
 *         when there is no paper of that name
 */
std::vector<PaperFigure> OpenPaper(const std::string& name, FigureVariant variant);

} // namespace ns3::ddl

#endif // DDL_PAPER_H
