// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-least-group.h"

namespace ns3
{
namespace ddl
{

std::optional<uint32_t>
FindLeastGroup(const JobQueueView& view, Time WaitingGroup::*key)
{
    std::optional<uint32_t> least;
    for (uint32_t i = 0; i < view.waiting.size(); ++i)
    {
        const WaitingGroup& group = view.waiting[i];
        if (!group.refused && (!least || group.*key < view.waiting[*least].*key))
        {
            least = i;
        }
    }
    return least;
}

} // namespace ddl
} // namespace ns3
