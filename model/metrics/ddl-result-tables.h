// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RESULT_TABLES_H
#define DDL_RESULT_TABLES_H

#include "ddl-run-result.h"

#include <string>

namespace ns3
{
namespace ddl
{

/**
 * The CSV files of a run, as text: a header line with units in the names, then a row a thing. What
 * was not measured is an empty cell.
 */
std::string FormatStages(const RunResult& result);
std::string FormatJobs(const RunResult& result);
std::string FormatIterations(const RunResult& result);
std::string FormatCoflows(const RunResult& result); //!< each iteration that moves bytes is one
std::string FormatPorts(const RunResult& result);
std::string FormatRemarks(const RunResult& result);
std::string FormatSchedule(const RunResult& result);

} // namespace ddl
} // namespace ns3

#endif // DDL_RESULT_TABLES_H
