// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RESULT_REPORT_H
#define DDL_RESULT_REPORT_H

#include "app/plot/ddl-figure.h"

#include "ns3/ddl-run-result.h"
#include "ns3/ddl-scenario.h"

#include <ostream>
#include <string>

namespace ns3
{
namespace ddl
{

/** The end of a run, for the terminal: the metrics as a table, the traffic, the price, the files.
 */
void PrintReport(std::ostream& os,
                 const Scenario& scenario,
                 const RunResult& result,
                 const std::string& folder,
                 const DrawnFigures& drawn);

/** What the user must know even of a quiet run: work left over, pictures that were not drawn. */
void PrintComplaints(std::ostream& os, const RunResult& result, const DrawnFigures& drawn);

} // namespace ddl
} // namespace ns3

#endif // DDL_RESULT_REPORT_H
