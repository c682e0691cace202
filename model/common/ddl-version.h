// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_VERSION_H
#define DDL_VERSION_H

#include <string>

namespace ns3::ddl
{

/** \return the version of this module, as in the file VERSION */
std::string GetVersion();

/** \return the version of ns-3 that this module was built against, or "unknown" */
std::string GetNs3Version();

} // namespace ns3::ddl

#endif // DDL_VERSION_H
