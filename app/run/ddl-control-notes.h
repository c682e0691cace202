// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CONTROL_NOTES_H
#define DDL_CONTROL_NOTES_H

#include "ns3/ddl-scenario.h"

#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * \param scenario a valid scenario
 * \return sentences on congestion controls of `rdma`: on attributes, set as ns-3 defaults, of
 *         controls that no queue pair uses, and on settings with which the one in use is unfair
 */
std::vector<std::string> FindControlNotes(const Scenario& scenario);

} // namespace ns3::ddl

#endif // DDL_CONTROL_NOTES_H
