// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SWEEP_H
#define DDL_SWEEP_H

#include "ddl-result-set.h"

#include "ns3/ddl-statistics.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** What the points of a sweep are relative to. */
enum class SweepBase
{
    FIRST_LINE, //!< the first line's point at the same value of the key
    FIRST_VALUE //!< the line's own point at its least value of the key
};

/** Means of a measure at each value of a key that was varied over numbers, as ratios. There is a
 * line for each combination of the other keys. */
struct Sweep
{
    /** Results that differ only in the sweep's key and in the seed. */
    struct Line
    {
        std::string label;
        std::vector<std::optional<Estimate>> points;  //!< a ratio for each value of the key
        std::vector<std::optional<double>> published; //!< published ratio of each point
    };

    std::string key;                //!< path, "workload.generator.load"; "": no such key
    std::vector<std::string> texts; //!< values of the key, ascending, as they were given
    std::vector<double> numbers;    //!< the texts as numbers: seconds, bytes, bits per second
    std::string relativeTo;         //!< label of the first line, or the value where lines begin
    std::vector<Line> lines;

    /** \return true if the measure has a value at any point */
    bool HasPoints() const;
};

/**
 * \param sets sets of one comparison or several. The key is the first one that is varied over
 *        numbers or quantities only. Sets without that key become horizontal lines.
 * \param measure the measure: a point is its mean ratio, with the interval over the seeds
 * \param base denominator of the ratios; a single line is always relative to its least value, since
 *        it would be 1 throughout relative to itself
 * \return the sweep, with lines in the order of the sets
 * \throws InputError when files of results are missing or damaged
 */
Sweep MakeSweep(const std::vector<ResultSet>& sets,
                const Measure& measure,
                SweepBase base = SweepBase::FIRST_LINE);

} // namespace ns3::ddl

#endif // DDL_SWEEP_H
