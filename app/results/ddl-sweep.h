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

/** Means of a measure at each value of a key that was varied over numbers. There is a line for each
 * combination of the other keys; all are relative to the first one. */
struct Sweep
{
    /** Results that differ only in that key and in the seed. */
    struct Line
    {
        std::string label;
        std::vector<std::optional<Estimate>> points;  //!< one for each of the key's values
        std::vector<std::optional<double>> published; //!< of each point
    };

    std::string key;                //!< "workload.generator.load"; "" if there is no such key
    std::vector<std::string> texts; //!< its values, ascending, as they were given
    std::vector<double> numbers;    //!< the same as numbers: seconds, bytes, bits per second
    std::vector<Line> lines;        //!< the first is 1 wherever it has results

    /** \return true if the measure has a value at any point */
    bool HasPoints() const;
};

/**
 * \param sets of one comparison or several. The key is the first one that is varied over numbers or
 *        quantities only. Sets without that key become horizontal lines.
 * \param measure of the points: a point is its mean ratio to the first line at the same value of
 *        the key, with its interval over the seeds
 * \return the lines, in the order of the sets
 * \throws InputError when files of results are missing or damaged
 */
Sweep MakeSweep(const std::vector<ResultSet>& sets, const Measure& measure);

} // namespace ns3::ddl

#endif // DDL_SWEEP_H
