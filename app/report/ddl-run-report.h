// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RUN_REPORT_H
#define DDL_RUN_REPORT_H

#include "app/page/ddl-report-model.h"

#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * \param folder folder of one run's results
 * \return the run's report: what was run, its table, figures, warnings, cost, identity and files
 * \throws InputError when `summary.json` is missing, or is not one that a run has written
 */
Report MakeRunReport(const std::string& folder);

/**
 * \param folders folders of the results to compare: one comparison, or several runs and
 *        comparisons, whose means are then relative to those of the first
 * \return the comparison's report: the table that `ddl compare` prints, figures, timelines of the
 *         first sets, runs, cost and files
 * \throws InputError when a folder holds no results, or files are missing or damaged
 */
Report MakeComparisonReport(const std::vector<std::string>& folders);

} // namespace ns3::ddl

#endif // DDL_RUN_REPORT_H
