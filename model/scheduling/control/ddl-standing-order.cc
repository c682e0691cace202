// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-standing-order.h"

namespace ns3
{
namespace ddl
{

UnitKey
GetUnitKey(UnitKind kind, CojobId cojob, uint32_t stage, JobId job, uint32_t iteration)
{
    switch (kind)
    {
    case UnitKind::STAGE:
        return {cojob, stage, JobId{0}, 0};
    case UnitKind::JOB:
        return {cojob, 0, job, 0};
    case UnitKind::COFLOW:
        return {cojob, 0, job, iteration};
    }
    return {};
}

void
StandingOrder::Set(const SchedulerView& view, const UnitOrder& order, UnitKind kind)
{
    m_places.clear();
    m_last = 0;
    for (const auto& group : order)
    {
        ++m_last;
        for (const uint32_t index : group)
        {
            const UnitView& unit = view.units[index];
            m_places[GetUnitKey(kind, unit.cojob, unit.stage, unit.job, unit.iteration)] = m_last;
        }
    }
}

uint32_t
StandingOrder::GetPlace(const UnitKey& unit)
{
    const auto [position, isNew] = m_places.try_emplace(unit, m_last + 1);
    if (isNew)
    {
        ++m_last;
    }
    return position->second;
}

} // namespace ddl
} // namespace ns3
