// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SCENARIO_WRITER_H
#define DDL_SCENARIO_WRITER_H

#include "ns3/ddl-scenario.h"

#include <string>

namespace ns3::ddl
{

/**
 * \param scenario a valid one
 * \return it as JSON text with every key written out; reading it gives the same scenario again.
 *         Equal scenarios give equal bytes
 */
std::string FormatScenario(const Scenario& scenario);

} // namespace ns3::ddl

#endif // DDL_SCENARIO_WRITER_H
