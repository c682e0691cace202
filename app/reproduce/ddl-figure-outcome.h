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
    MISSING,       //!< no runs of it, or none that was completed
    NOT_PUBLISHED, //!< the paper gives no number
    WITHIN,        //!< the published number lies in our confidence interval
    CLOSE,         //!< it does not, or there is none, but the gap is within the tolerance
    UNDECIDED,     //!< it lies in our interval, but "no change" does, too
    OUTSIDE,       //!< it lies outside of interval and tolerance; a change has the same sign
    UNCERTAIN,     //!< it lies outside of both, and our interval includes "no change"
    OPPOSITE       //!< it lies outside of both, and the change has the other sign
};

/** What readers conclude from a verdict. */
enum class Agreement
{
    NONE,      //!< there is nothing to agree with
    MET,       //!< by interval or tolerance
    MISSED,    //!< by more than both
    UNDECIDED, //!< our runs cannot tell
    NOT_TESTED //!< nothing was run
};

/** The measured number of a FigureValue, beside the published one. */
struct ValueOutcome
{
    std::optional<Estimate> ours; //!< a change where it has an `over`, else in its unit
    std::string at;               //!< of a sweep: the value of the key that was picked
    std::size_t replications{0};  //!< of which it is the mean
    std::optional<double> gap;    //!< ours less published; divided by it if it is no change
    Verdict verdict{Verdict::MISSING};
};

/** How a measured order agrees with the published one. */
enum class OrderVerdict
{
    MISSING,
    SAME,
    SAME_MEANS, //!< the same, but intervals do not tell who is first in every pair
    TIED,       //!< it differs only where intervals do not tell who is first
    DIFFERENT   //!< a pair stands the other way round, and its interval says so
};

/** The measured order of a FigureOrder, beside the published one. */
struct OrderOutcome
{
    /** Names, and their ratios to the last of the published order, ascending. */
    std::vector<std::pair<std::string, Estimate>> ascending;
    std::vector<std::string> swapped; //!< "b before a" for each pair that the paper has otherwise
    OrderVerdict verdict{OrderVerdict::MISSING};
};

/** All that was measured for a figure, in the order of its values and orders. */
struct FigureOutcome
{
    std::vector<ValueOutcome> values;
    std::vector<OrderOutcome> orders;
};

/** How many published numbers, or orders, agree. */
struct AgreementCounts
{
    std::size_t met{0};
    std::size_t missed{0};
    std::size_t undecided{0};
    std::size_t notTested{0};

    /** Count one more; NONE is not counted. */
    void Add(Agreement agreement);
    /** \return all of them */
    std::size_t GetSum() const;
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
    std::string comparison; //!< its name
    Selection selection;
    std::string label; //!< what tells it from others of its comparison
    ResultSet set;     //!< its label tells it from all others of the figure
};

/** \return the folder of a comparison's results below those of the paper */
std::filesystem::path GetComparisonFolder(const std::filesystem::path& results,
                                          const PaperFigure& figure,
                                          const FigureComparison& comparison);

/** \return true if each comparison of a figure has results of some run */
bool HasResults(const std::filesystem::path& results, const PaperFigure& figure);

/**
 * \param results folder of the paper's results
 * \param figure one of its figures
 * \return all combinations that have been run, of different labels; none of a comparison without
 *         `compare.csv`
 * \throws InputError when files of results are damaged
 */
std::vector<SelectedSet> OpenFigureResults(const std::filesystem::path& results,
                                           const PaperFigure& figure);

/** \return the values and orders of a figure as measured in \p sets; throws as ReadMeasure */
FigureOutcome Evaluate(const PaperFigure& figure, const std::vector<SelectedSet>& sets);

/**
 * A row is missed where nothing was measured, or where the measured mean differs from what is
 * expected by more than the tolerance.
 *
 * \return a sentence for each row of a figure that is missed
 */
std::vector<std::string> FindMissed(const PaperFigure& figure, const FigureOutcome& outcome);

} // namespace ns3::ddl

#endif // DDL_FIGURE_OUTCOME_H
