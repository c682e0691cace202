// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RESULT_SET_H
#define DDL_RESULT_SET_H

#include "ns3/ddl-statistics.h"

#include <cstddef>
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
    std::string statistic{"mean"};  //!< of a metric that is a distribution
    std::string model{};            //!< "" for all; else stages and jobs of that model alone
    std::optional<double> within{}; //!< instead: the part of its values that are at most this
};

/** \return true if both are the same number */
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
    std::string over;      //!< label of the set that it is the ratio to; "" for the number itself
    double value;          //!< in the unit of the measure, or a ratio
    bool isProgram{false}; //!< of the program
};

/**
 * The results of runs that differ only in their seed: a line of a figure, a row of a table.
 * Replication i of one set has the seed of replication i of every other set of the same comparison.
 */
struct ResultSet
{
    std::string label;
    std::vector<std::string> folders; //!< results of each replication, "" where it failed
    std::vector<std::pair<std::string, std::string>> values{}; //!< of a comparison: what was varied
    std::string comparison{}; //!< name of its comparison, where there are several, else ""
    std::vector<PublishedNumber> published{}; //!< of a reproduction; else none
    std::string panel{}; //!< name of the panel that shows it, in pictures that have several

    /** \return folders of the replications that have results */
    std::vector<std::string> ListRuns() const;
};

/**
 * \param values of the keys that were varied
 * \return what tells runs from others of their comparison: "tcp", "kind=tcp, network=sptf" where
 *         several keys vary, "all seeds" where none does
 */
std::string LabelValues(const std::vector<std::pair<std::string, std::string>>& values);

/** A number of each replication of a ResultSet; none where a run failed or did not measure it. */
using Replications = std::vector<std::optional<double>>;

/** \return the metrics that are read value by value, for one model or a part: columns of
 *          `stages.csv` and `jobs.csv` */
std::vector<std::string> ListColumnMetrics();

/**
 * \param key path of a varied key
 * \param value of it
 * \param isOne whether no other key has to be told from it
 * \return the value, with the last part of its key where that is needed: "Groups=10" for a number,
 *         "kind=tcp" where there are several keys, "tcp" for one that says what it is
 */
std::string LabelValue(const std::string& key, const std::string& value, bool isOne);

/** \return names of the statistics of a distribution: "mean", "p50", ... */
std::vector<std::string> ListStatistics();

/**
 * \param folders each of a run, or of a whole comparison (with a `compare.csv`), which becomes a
 *        set for each of its combinations
 * \return the sets in the order given, runs before comparisons. A single run has the name of its
 *         scenario. Several runs have the names of their folders, with as many parts of the path as
 *         make them different. Names of sets of several comparisons begin with the name of the
 *         comparison's folder
 * \throws InputError that lists all folders that hold no results
 */
std::vector<ResultSet> OpenResults(const std::vector<std::string>& folders);

/**
 * \return the number of each replication
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
 * \param sets at least one
 * \param set one of them
 * \param first value of the last key; not used where the sets are not of one comparison
 * \return that set; null if it was not run
 */
const ResultSet* FindBase(const std::vector<ResultSet>& sets,
                          const ResultSet& set,
                          const std::string& first);

/**
 * \param set one set of a figure
 * \param base the set that it is compared with; null if it is not compared
 * \param measure what is shown of it
 * \return the published ratio to the base, or the published number itself; nothing where the paper
 *         gives none
 */
std::optional<double> FindPublished(const ResultSet& set,
                                    const ResultSet* base,
                                    const Measure& measure);

/**
 * \param hasPaper a mark is of a number of the paper
 * \param hasProgram a mark is of a number of its authors' program
 * \return what a key calls marks beside our numbers; "" if there are none
 */
std::string NameMarks(bool hasPaper, bool hasProgram);

/** \return the same for all numbers that sets may be marked with */
std::string NameMarks(const std::vector<ResultSet>& sets);

/** \return true if all sets are combinations of one comparison, which varies a key at least */
bool AreOneComparison(const std::vector<ResultSet>& sets);

/**
 * \param set runs whose rows are put together
 * \param file "stages.csv"
 * \param column name of a column of numbers
 * \return all its numbers, run by run, empty fields left out
 * \throws InputError when the file or the column is missing, or a field is not a number
 */
std::vector<double> ReadColumn(const ResultSet& set,
                               const std::string& file,
                               const std::string& column);

/**
 * \return which runs these are, for the readers of a figure: "scenario quickstart, 3 seeds; scale:
 * model 1, iterations 0.1"
 */
std::string DescribeRuns(const std::vector<ResultSet>& sets);

/** \return "n = 14", or "n = 12 to 14"; "" of none */
std::string DescribeSamples(const std::vector<std::size_t>& counts);

/** \return "scale: model 1, iterations 0.1", as the runs have it, or that they differ in it */
std::string DescribeScale(const std::vector<ResultSet>& sets);

} // namespace ns3::ddl

#endif // DDL_RESULT_SET_H
