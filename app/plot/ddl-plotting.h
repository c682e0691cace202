// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PLOTTING_H
#define DDL_PLOTTING_H

#include "app/text/ddl-arguments.h"

#include <ostream>

namespace ns3
{
namespace ddl
{

/** \return what `ddl plot` takes */
Arguments MakePlotArguments();

/**
 * Draw figures from folders of results.
 *
 * \param arguments as declared by MakePlotArguments, parsed
 * \param out gets the path of each picture
 * \param err gets a line for each figure that was not drawn
 * \return exit status: 0 when all figures asked for were drawn, else 1. Without `--figure`, one
 * whose results hold nothing to draw is passed over. \throws InputError when there is no such
 * figure, format or folder of results
 */
int Plot(const Arguments& arguments, std::ostream& out, std::ostream& err);

} // namespace ddl
} // namespace ns3

#endif // DDL_PLOTTING_H
