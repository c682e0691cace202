// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RESULT_SET_H
#define DDL_RESULT_SET_H

#include "ns3/ddl-statistics.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** One number of a run: a statistic of a metric, of all jobs or of those of one model. */
struct Measure
{
    std::string metric{"sct_s"};    //!< a metric of `summary.json`
    std::string statistic{"mean"};  //!< statistic, if the metric is a distribution
    std::string model{};            //!< only stages and jobs of this model; "": all
    std::optional<double> within{}; //!< set: the measure is the part of values up to it
};

/** \return true if both measures are the same number of a run */
inline bool
operator==(const Measure& a, const Measure& b)
{
    return a.metric == b.metric && a.statistic == b.statistic && a.model == b.model &&
           a.within == b.within;
}

/** A number that a paper, or its authors' program, gives for a ResultSet: figures draw it as a mark
 * beside the measured one. */
struct PublishedNumber
{
    Measure measure;
    std::string over;      //!< label of the set in the ratio's denominator; "": no ratio
    double value;          //!< number in the measure's unit, or a ratio
    bool isProgram{false}; //!< the authors' program gives it, not the paper
};

/** What a rule for seeds (`compare --until`) says of a combination. */
struct SeedOutcome
{
    std::string rule;                //!< the rule, as `--until` takes it, its metric named
    uint64_t seeds{0};               //!< seeds that were run
    std::optional<uint64_t> pairs{}; //!< seeds with a ratio to the base; none for a base
    std::optional<double> ratio{};   //!< mean ratio to the base; none for a base
    std::optional<double> width{};   //!< half of the rule's interval of the ratio
    std::optional<bool> isSettled{}; //!< the rule is met; none for a base
};

/**
 * The results of runs that differ only in their seed: a line of a figure, a row of a table.
 * Replication i of one set has the seed of replication i of every other set of the same comparison.
 */
struct ResultSet
{
    std::string label;
    std::vector<std::string> folders; //!< results of each replication, "" if it failed
    std::vector<std::pair<std::string, std::string>> values{}; //!< keys that vary, and values
    std::string comparison{}; //!< name of its comparison, if there are several; else ""
    std::vector<PublishedNumber> published{}; //!< marks of a reproduction's figures
    std::optional<SeedOutcome> outcome{};     //!< set if a rule decided on the number of seeds
    std::string panel{}; //!< name of the panel that shows it, in pictures with several

    /** \return folders of the replications that have results */
    std::vector<std::string> ListRuns() const;
};

/**
 * \param values keys that were varied, each with its value
 * \return label that tells runs from others of their comparison: "tcp", "kind=tcp, network=sptf"
 *         where several keys vary, "all seeds" where none does
 */
std::string LabelValues(const std::vector<std::pair<std::string, std::string>>& values);

/** A number of each replication of a ResultSet; none where a run failed or did not measure it. */
using Replications = std::vector<std::optional<double>>;

/** \return the metrics with values per stage or job, which can be read for one model or a part:
 * columns of result tables */
std::vector<std::string> ListColumnMetrics();

/**
 * \param key path of a varied key
 * \param value value of the key
 * \param isOne whether no other key has to be told from it
 * \return label of the value, with the last part of the key where that is needed: "Groups=10" for a
 *         number, "kind=tcp" where several keys vary, else "tcp"
 */
std::string LabelValue(const std::string& key, const std::string& value, bool isOne);

/** \return names of the statistics of a distribution: "mean", "p50", ... */
std::vector<std::string> ListStatistics();

/**
 * \param folders folders, each of a run, or of a comparison (with a `compare.csv`), which becomes a
 *        set for each of its combinations
 * \return the sets in the order given, runs before comparisons. A single run has the name of its
 *         scenario. Several runs have the names of their folders, with as many parts of the path as
 *         make them different. Names of sets of several comparisons begin with the name of the
 *         comparison's folder
 * \throws InputError that lists all folders that hold no results
 */
std::vector<ResultSet> OpenResults(const std::vector<std::string>& folders);

/**
 * \return the measured number of each replication
 * \throws InputError when files of results are missing or damaged
 */
Replications ReadMeasure(const ResultSet& set, const Measure& measure);

/** \return mean and interval over the replications that have a number, nothing if none has */
std::optional<Estimate> EstimateMean(const Replications& values);

/**
 * Find the set that another one is compared with. Where all sets are combinations of one
 * comparison, it has \p first for the last key that was varied and otherwise the same values; else
 * it is the first set of all.
 *
 * \param sets sets to search, at least one
 * \param set one of them
 * \param first value of the last key; not used where the sets are not of one comparison
 * \return the set that \p set is compared with; null if it was not run
 */
const ResultSet* FindBase(const std::vector<ResultSet>& sets,
                          const ResultSet& set,
                          const std::string& first);

/**
 * \param set one set of a figure
 * \param base the set that it is compared with; null if it is not compared
 * \param measure the measure that the figure shows
 * \return the published ratio to the base, or the published number itself; nothing where the paper
 *         gives none
 */
std::optional<double> FindPublished(const ResultSet& set,
                                    const ResultSet* base,
                                    const Measure& measure);

/**
 * \param hasPaper a mark is of a number of the paper
 * \param hasProgram a mark is of a number of its authors' program
 * \return name of the marks in a figure's key; "" if there are none
 */
std::string NameMarks(bool hasPaper, bool hasProgram);

/** \return name of the marks in a figure's key, for all published numbers of the sets */
std::string NameMarks(const std::vector<ResultSet>& sets);

/** \return true if all sets are combinations of one comparison, which varies a key at least */
bool AreOneComparison(const std::vector<ResultSet>& sets);

/**
 * \param set runs whose rows are put together
 * \param file "stages.csv"
 * \param column name of a column of numbers
 * \return all numbers of the column, run by run, empty fields left out
 * \throws InputError when the file or the column is missing, or a field is not a number
 */
std::vector<double> ReadColumn(const ResultSet& set,
                               const std::string& file,
                               const std::string& column);

/**
 * \return which runs the sets hold, for the readers of a figure: "scenario quickstart, 3 seeds;
 *         scale: model 1, iterations 0.1"
 */
std::string DescribeRuns(const std::vector<ResultSet>& sets);

/** \return text of counts: "n = 14", or "n = 12 to 14"; "" if there are none */
std::string DescribeSamples(const std::vector<std::size_t>& counts);

/** \return scale of the runs, "scale: model 1, iterations 0.1", or a note that it differs */
std::string DescribeScale(const std::vector<ResultSet>& sets);

} // namespace ns3::ddl

#endif // DDL_RESULT_SET_H
