// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COMPARE_REPORT_H
#define DDL_COMPARE_REPORT_H

#include "app/results/ddl-result-set.h"
#include "ddl-comparison.h"

#include <ostream>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * \param variations what was varied: a column each
 * \param runs all runs; those that never ended get no row, those that failed a row without metrics
 * \return text of compare.csv: for each metric the run's own, then the mean over the seeds of its
 *         combination and the half width of that mean's 95 % confidence interval
 * \throws InputError when the results of a finished run cannot be read
 */
std::string FormatComparison(const std::vector<Variation>& variations,
                             const std::vector<CompareRun>& runs);

/**
 * Print a row for each set: the mean of each metric over its seeds and, in brackets, its ratio to
 * the set that has the first value of the last variation and otherwise the same values, each with
 * the 95 % confidence interval where there are several seeds. A line below it says which
 * differences are too small to be told from chance with so few seeds.
 *
 * \param variations what was varied
 * \param sets at least one, of that comparison
 * \param out where the table goes
 */
void PrintComparison(const std::vector<Variation>& variations,
                     const std::vector<ResultSet>& sets,
                     std::ostream& out);

} // namespace ns3::ddl

#endif // DDL_COMPARE_REPORT_H
