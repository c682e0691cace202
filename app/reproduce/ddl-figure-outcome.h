// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FIGURE_OUTCOME_H
#define DDL_FIGURE_OUTCOME_H

#include "app/results/ddl-result-set.h"
#include "ddl-paper.h"

#include "ns3/ddl-statistics.h"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** How a measured number ("ours") agrees with the one that the paper gives. */
enum class Verdict
{
    MISSING,       //!< no run of the value has been completed
    NOT_PUBLISHED, //!< the paper gives no number
    WITHIN,        //!< the published number lies in our confidence interval
    CLOSE,         //!< not WITHIN, but the gap is within the tolerance
    UNDECIDED,     //!< both the published number and "no change" lie in our interval
    OUTSIDE,       //!< the gap exceeds interval and tolerance; a change has the same sign
    UNCERTAIN,     //!< the gap exceeds both, and our interval includes "no change"
    OPPOSITE       //!< the gap exceeds both, and the change has the other sign
};

/** What readers conclude from a verdict on a published number or order. */
enum class Agreement
{
    NONE,      //!< the paper gives nothing to agree with
    MET,       //!< the published number lies within interval or tolerance
    MISSED,    //!< the gap exceeds interval and tolerance
    UNDECIDED, //!< our runs cannot tell whether we agree
    NOT_TESTED //!< nothing was run
};

/** The measured number of a FigureValue, beside the published one. */
struct ValueOutcome
{
    std::optional<Estimate> ours; //!< a change (fraction) if it has an `over`, else in its unit
    std::string at;               //!< the value of a sweep's key that was picked; "": no sweep
    std::optional<double> gap;    //!< ours less published; over published if it is no change
    Verdict verdict{Verdict::MISSING};
};

/** How a measured order agrees with the published one. */
enum class OrderVerdict
{
    MISSING,
    SAME,
    SAME_MEANS, //!< the same order of means, but not every pair is significant
    TIED,       //!< the order differs only in pairs that are not significant
    DIFFERENT   //!< the order of a pair differs significantly
};

/** The measured order of a FigureOrder, beside the published one. */
struct OrderOutcome
{
    /** Names, by ascending ratio of their value to that of the published order's last name. */
    std::vector<std::pair<std::string, Estimate>> ascending;
    std::vector<std::string> swapped; //!< "b before a" for each pair in reversed order
    OrderVerdict verdict{OrderVerdict::MISSING};
};

/** All that was measured for a figure, in the order of its values and orders. */
struct FigureOutcome
{
    std::vector<ValueOutcome> values;
    std::vector<OrderOutcome> orders;
};

/** \return the agreement that a verdict stands for */
Agreement Conclude(Verdict verdict);
Agreement Conclude(OrderVerdict verdict);

/**
 * \return by how much a value may differ from the published one and still agree with it, in the
 *         value's unit: what the figure says, else 0.01 of a change (a percentage point), and 2 %
 *         of the published number of another value
 */
double GetTolerance(const FigureValue& value);

/** Results of one combination of a comparison, and the keys and values that identify it. */
struct SelectedSet
{
    std::string comparison; //!< name of the comparison
    Selection selection;
    std::string label; //!< label that tells it from others of its comparison
    ResultSet set;     //!< results, with a label that is unique in the figure
};

/** \return the folder of a comparison's results below those of the paper */
std::filesystem::path GetComparisonFolder(const std::filesystem::path& results,
                                          const PaperFigure& figure,
                                          const FigureComparison& comparison);

/** \return true if each comparison of a figure has results of some run */
bool HasResults(const std::filesystem::path& results, const PaperFigure& figure);

/**
 * \param results folder of the paper's results
 * \param figure one of the paper's figures
 * \return all combinations that have been run, with different labels; none for a comparison without
 *         `compare.csv`
 * \throws InputError when files of results are damaged
 */
std::vector<SelectedSet> OpenFigureResults(const std::filesystem::path& results,
                                           const PaperFigure& figure);

/** \return the values and orders of a figure as measured in \p sets; throws as ReadMeasure */
FigureOutcome Evaluate(const PaperFigure& figure, const std::vector<SelectedSet>& sets);

/**
 * \return the values of a figure as its `expected.csv` records them, judged as measured ones are;
 * if a value has several rows, the last one counts
 */
FigureOutcome Recall(const PaperFigure& figure);

/**
 * A row is missed where nothing was measured, or where the measured mean differs from what is
 * expected by more than the tolerance.
 *
 * \return a sentence for each row of a figure that is missed
 */
std::vector<std::string> FindMissed(const PaperFigure& figure, const FigureOutcome& outcome);

} // namespace ns3::ddl

#endif // DDL_FIGURE_OUTCOME_H
