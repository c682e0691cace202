// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RUN_IDENTITY_H
#define DDL_RUN_IDENTITY_H

#include "ns3/ddl-scenario.h"
#include "ns3/ddl-summary.h"

#include <string>

namespace ns3::ddl
{

/**
 * Collect everything that determines a run's results, to the byte: the resolved scenario; ns-3's
 * global values and the attribute defaults that were changed, by whatever means; the contents of
 * trace and plugins; the versions, and the build of the program that is running. No path of this
 * machine is part of it.
 */
RunIdentity IdentifyRun(const Scenario& scenario);

/**
 * \param file a `summary.json`, or what `ddl run --identity=FILE` has written
 * \return a text that is equal for equal runs, and for no others; "" if the file cannot be read,
 *         or lacks a part of the identity
 */
std::string ReadIdentity(const std::string& file);

} // namespace ns3::ddl

#endif // DDL_RUN_IDENTITY_H
