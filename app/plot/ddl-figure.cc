// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-figure.h"

#include "ns3/abort.h"

namespace ns3
{
namespace ddl
{

NS_OBJECT_ENSURE_REGISTERED(Figure);

TypeId
Figure::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::Figure").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

FigureFiles
Figure::Make(const std::vector<ResultSet>& sets) const
{
    NS_ABORT_MSG_IF(sets.empty(), "a figure of no results");
    FigureFiles files = DoMake(sets);
    const bool isDrawn = !files.data.empty() && !files.script.empty();
    NS_ABORT_MSG_IF(isDrawn != files.nothing.empty(),
                    "figure " << GetName() << " neither draws nor says why not");
    return files;
}

std::string
Figure::GetName() const
{
    return GetShortName(Figure::GetTypeId(), GetInstanceTypeId());
}

} // namespace ddl
} // namespace ns3
