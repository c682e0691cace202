// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RESULT_REPORT_H
#define DDL_RESULT_REPORT_H

#include "app/plot/ddl-figure.h"

#include "ns3/ddl-run-result.h"
#include "ns3/ddl-scenario.h"

#include <ostream>
#include <string>

namespace ns3::ddl
{

/**
 * Print the results of a run: metrics as a table, traffic, cost, and where the files are.
 *
 * \param isTerminal somebody reads it now: also what makes a page of the results
 */
void PrintReport(std::ostream& os,
                 const Scenario& scenario,
                 const RunResult& result,
                 const std::string& folder,
                 const DrawnFigures& drawn,
                 bool isTerminal);

/** Print what the user must know even of a quiet run: unfinished work, pictures not drawn. */
void PrintComplaints(std::ostream& os, const RunResult& result, const DrawnFigures& drawn);

} // namespace ns3::ddl

#endif // DDL_RESULT_REPORT_H
