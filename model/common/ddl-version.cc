// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-version.h"

// The build defines both versions; an old waf build may not know that of ns-3.
#ifndef DDL_VERSION
#define DDL_VERSION "unknown"
#endif
#ifndef DDL_NS3_VERSION
#define DDL_NS3_VERSION "unknown"
#endif

namespace ns3::ddl
{

std::string
GetVersion()
{
    return DDL_VERSION;
}

std::string
GetNs3Version()
{
    return DDL_NS3_VERSION;
}

} // namespace ns3::ddl
