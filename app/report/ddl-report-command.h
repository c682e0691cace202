// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_REPORT_COMMAND_H
#define DDL_REPORT_COMMAND_H

#include "app/text/ddl-arguments.h"

#include <ostream>

namespace ns3::ddl
{

/** \return the arguments that `ddl report` takes */
Arguments MakeReportArguments();

/**
 * Write one page, or a plain text, of a run, a comparison, a reproduction, or of several of the
 * former side by side.
 *
 * \param arguments the parsed arguments of MakeReportArguments
 * \param out gets the path of the page, or the text
 * \return exit status 0
 * \throws InputError that lists all folders that have no results, or none yet
 * \throws RunError when the page cannot be written
 */
int WriteReport(const Arguments& arguments, std::ostream& out);

} // namespace ns3::ddl

#endif // DDL_REPORT_COMMAND_H
