// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-run-result.h"

namespace ns3::ddl
{

double
StageRow::GetSct() const
{
    return (end - release).GetSeconds();
}

double
JobRow::GetJct() const
{
    return (end - submit).GetSeconds();
}

} // namespace ns3::ddl
