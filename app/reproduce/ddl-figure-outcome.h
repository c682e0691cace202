// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FIGURE_OUTCOME_H
#define DDL_FIGURE_OUTCOME_H

#include "app/results/ddl-result-set.h"
#include "ddl-paper-figure.h"

#include "ns3/ddl-statistics.h"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace ddl
{

/** How what is measured stands to what is published. */
enum class Verdict
{
    MISSING,       //!< no runs of it, or none that was completed
    NOT_PUBLISHED, //!< the paper gives no number
    WITHIN,        //!< the published number lies in our confidence interval
    SAME_SIGN,     //!< another size, the same sign
    UNCERTAIN,     //!< our confidence interval includes no change at all
    OPPOSITE       //!< a change of the other sign
};

/** What came of a FigureValue. */
struct ValueOutcome
{
    std::optional<Estimate> ours; //!< a change where it has an `over`, else in its unit
    std::string at;               //!< of a sweep: the value of the key that was picked
    std::size_t replications{0};  //!< that it is the mean of
    std::optional<double> gap;    //!< ours less published; of a value that is no change, over it
    Verdict verdict{Verdict::MISSING};
};

/** How a measured order stands to the published one. */
enum class OrderVerdict
{
    MISSING,
    SAME,
    SAME_MEANS, //!< the same, but intervals do not tell who is first in every pair
    TIED,       //!< it differs only where intervals do not tell who is first
    DIFFERENT   //!< a pair stands the other way round, and its interval says so
};

/** What came of a FigureOrder. */
struct OrderOutcome
{
    /** Names, and their ratios to the last of the published order, ascending. */
    std::vector<std::pair<std::string, Estimate>> ascending;
    std::vector<std::string> swapped; //!< "b before a" for each pair that the paper has otherwise
    OrderVerdict verdict{OrderVerdict::MISSING};
};

/** All that came of a figure, in the order of its values and orders. */
struct FigureOutcome
{
    std::vector<ValueOutcome> values;
    std::vector<OrderOutcome> orders;
};

/** Results of one combination of a comparison, and how it is told from others. */
struct SelectedSet
{
    std::string comparison; //!< its name
    Selection selection;
    ResultSet set;
};

/** \return the folder of a comparison's results below those of the paper */
std::filesystem::path GetComparisonFolder(const std::filesystem::path& results,
                                          const PaperFigure& figure,
                                          const FigureComparison& comparison);

/**
 * \param results folder of the paper's results
 * \param figure one of its figures
 * \return all combinations that have been run; none of a comparison without `compare.csv`
 * \throws InputError when files of results are damaged
 */
std::vector<SelectedSet> OpenFigureResults(const std::filesystem::path& results,
                                           const PaperFigure& figure);

/** \return what \p sets say about the values and orders of a figure; throws as ReadMeasure */
FigureOutcome Evaluate(const PaperFigure& figure, const std::vector<SelectedSet>& sets);

} // namespace ddl
} // namespace ns3

#endif // DDL_FIGURE_OUTCOME_H
