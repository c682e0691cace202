// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-wait-history.h"

#include <algorithm>

namespace ns3::ddl
{

void
WaitHistory::AddTo(Lists& lists, Tier tier, uint32_t gpus, const PastWait& wait)
{
    List& list = lists[{std::max(tier, Tier::SERVER), gpus}];
    list.push_back(wait);
    if (list.size() > LONGEST_LIST)
    {
        list.pop_front();
    }
}

const WaitHistory::List&
WaitHistory::Find(const Lists& lists, Tier tier, uint32_t gpus)
{
    static const List none;
    const auto list = lists.find({std::max(tier, Tier::SERVER), gpus});
    return list == lists.end() ? none : list->second;
}

void
WaitHistory::Add(Tier tier, uint32_t gpus, const PastWait& wait)
{
    AddTo(m_waits, tier, gpus, wait);
}

const WaitHistory::List&
WaitHistory::Get(Tier tier, uint32_t gpus) const
{
    return Find(m_waits, tier, gpus);
}

void
WaitHistory::AddRenewal(Tier tier, uint32_t gpus, Time now)
{
    AddTo(m_renewals, tier, gpus, {now, Time()});
}

const WaitHistory::List&
WaitHistory::GetRenewals(Tier tier, uint32_t gpus) const
{
    return Find(m_renewals, tier, gpus);
}

ScratchRenewals::~ScratchRenewals()
{
    for (WaitHistory::List* const list : m_added)
    {
        list->pop_back();
    }
}

void
ScratchRenewals::Add(Tier tier, uint32_t gpus, Time now)
{
    WaitHistory::List& list = m_waits.m_renewals[{std::max(tier, Tier::SERVER), gpus}];
    list.push_back({now, Time()});
    m_added.push_back(&list);
}

} // namespace ns3::ddl
