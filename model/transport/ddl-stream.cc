// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-stream.h"

#include "ns3/abort.h"

namespace ns3::ddl
{

std::ostream&
operator<<(std::ostream& os, const StreamName& name)
{
    return os << "of job " << name.job << ", run " << name.run << ", from " << name.source << " to "
              << name.destination;
}

void
CheckMark(Mark mark)
{
    NS_ABORT_MSG_IF(mark.band >= UNLIMITED_QUEUES, "band " << +mark.band << ", allowed: 0 to 62");
    NS_ABORT_MSG_IF(mark.dscp > 63, "codepoint " << +mark.dscp << ", allowed: 0 to 63");
}

} // namespace ns3::ddl
