// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_VERSION_H
#define DDL_VERSION_H

#include <string>

namespace ns3::ddl
{

/** \return version of this module, as in the file VERSION */
std::string GetVersion();

/** \return version of the ns-3 it was built against, or "unknown" */
std::string GetNs3Version();

} // namespace ns3::ddl

#endif // DDL_VERSION_H
