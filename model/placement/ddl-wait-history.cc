// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-wait-history.h"

#include <algorithm>

namespace ns3::ddl
{

void
WaitHistory::Add(Tier tier, uint32_t gpus, const PastWait& wait)
{
    List& list = m_lists[{std::max(tier, Tier::SERVER), gpus}];
    list.push_back(wait);
    if (list.size() > LONGEST_LIST)
    {
        list.pop_front();
    }
}

const WaitHistory::List&
WaitHistory::Get(Tier tier, uint32_t gpus) const
{
    static const List none;
    const auto list = m_lists.find({std::max(tier, Tier::SERVER), gpus});
    return list == m_lists.end() ? none : list->second;
}

} // namespace ns3::ddl
