// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RESULT_REPORT_H
#define DDL_RESULT_REPORT_H

#include "app/page/ddl-report-model.h"
#include "app/plot/ddl-figure.h"
#include "app/results/ddl-run-summary.h"

#include "ns3/ddl-run-result.h"
#include "ns3/ddl-scenario.h"

#include <ostream>
#include <string>

namespace ns3::ddl
{

/**
 * \param summary the run's `summary.json`
 * \param isShort whether only the metrics that comparisons have are wanted, without p90
 * \return a row for each metric that has several values; in a sampled run numbers have errors
 */
Report::Table MakeMetricTable(const RunSummary& summary, bool isShort);

/**
 * Print the results of a run: metrics as a table, traffic, cost, and where the files are.
 *
 * \param folder folder of the results, where they have been written
 * \param isTerminal whether \p os is a terminal: then the command that makes a page is printed, too
 */
void PrintReport(std::ostream& os,
                 const Scenario& scenario,
                 const RunResult& result,
                 const std::string& folder,
                 const DrawnFigures& drawn,
                 bool isTerminal);

/** Print warnings and errors, also of a quiet run: unfinished work, figures that failed. */
void PrintComplaints(std::ostream& os, const RunResult& result, const DrawnFigures& drawn);

} // namespace ns3::ddl

#endif // DDL_RESULT_REPORT_H
