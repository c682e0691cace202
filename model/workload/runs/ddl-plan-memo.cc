// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-plan-memo.h"

#include "ns3/abort.h"

#include <sstream>

namespace ns3::ddl
{

namespace
{

/** Number servers, or racks, in the order in which they occur: only who shares one matters. */
void
Renumber(std::vector<uint32_t>& places)
{
    std::map<uint32_t, uint32_t> numbers;
    for (uint32_t& place : places)
    {
        place = numbers.emplace(place, static_cast<uint32_t>(numbers.size())).first->second;
    }
}

} // namespace

std::shared_ptr<const JobPlan>
PlanMemo::Get(const ObjectFactory& pattern, PatternView view, const BucketPlan& buckets)
{
    Renumber(view.machines);
    Renumber(view.racks);
    std::ostringstream key;
    key << pattern << "|" << view.workers << "," << view.servers << "," << view.bytes << ","
        << buckets.IsSerial() << "|";
    for (const uint64_t bytes : buckets.GetBytes())
    {
        key << bytes << ",";
    }
    for (const auto* const places : {&view.machines, &view.racks})
    {
        key << "|";
        for (const uint32_t place : *places)
        {
            key << place << ",";
        }
    }
    const auto known = m_plans.find(key.str());
    std::shared_ptr<const JobPlan> plan = known == m_plans.end() ? nullptr : known->second.lock();
    if (!plan)
    {
        for (auto other = m_plans.begin(); other != m_plans.end();)
        {
            other = other->second.expired() ? m_plans.erase(other) : std::next(other);
        }
        const auto policy = pattern.Create<CommunicationPattern>();
        NS_ABORT_MSG_UNLESS(policy, "there is no communication pattern");
        plan = std::make_shared<const JobPlan>(PlanJob(*policy, view, buckets));
        m_plans[key.str()] = plan;
    }
    return plan;
}

} // namespace ns3::ddl
