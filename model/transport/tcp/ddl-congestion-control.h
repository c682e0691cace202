// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CONGESTION_CONTROL_H
#define DDL_CONGESTION_CONTROL_H

#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * \param name short name, in lower case and without "Tcp" ("dctcp", "cubic", "newreno", "bbr"), or
 *        full TypeId name of a TcpCongestionOps. `dctcp` is DctcpFloor; `ns3::TcpDctcp` is ns-3's
 *        own
 * \return the TypeId of the congestion control
 * \throws InputError with the nearest name and all of them when there is no such class
 */
TypeId FindCongestionControl(const std::string& name);

/** \return all short names, sorted */
std::vector<std::string> ListCongestionControls();

} // namespace ns3::ddl

#endif // DDL_CONGESTION_CONTROL_H
