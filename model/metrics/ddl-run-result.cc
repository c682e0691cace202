// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-run-result.h"

namespace ns3::ddl
{

} // namespace ns3::ddl
