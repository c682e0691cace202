// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-unit-order.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace ns3
{
namespace ddl
{

bool
BeforeById(const UnitView& a, const UnitView& b)
{
    return std::tie(a.cojob, a.stage, a.job) < std::tie(b.cojob, b.stage, b.job);
}

std::vector<uint32_t>
IndicesById(const SchedulerView& view)
{
    std::vector<uint32_t> indices(view.units.size());
    std::iota(indices.begin(), indices.end(), 0);
    std::sort(indices.begin(), indices.end(), [&view](uint32_t a, uint32_t b) {
        return BeforeById(view.units[a], view.units[b]);
    });
    return indices;
}

UnitOrder
InSingles(const std::vector<uint32_t>& indices)
{
    UnitOrder order;
    order.reserve(indices.size());
    for (const uint32_t index : indices)
    {
        order.push_back({index});
    }
    return order;
}

std::string
GetUnitLabel(const UnitView& unit, UnitKind kind)
{
    return kind == UnitKind::JOB
               ? std::to_string(unit.job.value)
               : std::to_string(unit.cojob.value) + "." + std::to_string(unit.stage);
}

std::string
FormatOrder(const SchedulerView& view, const UnitOrder& order, UnitKind kind)
{
    std::string text;
    for (const auto& group : order)
    {
        const char* joint = text.empty() ? "" : " ";
        for (const uint32_t unit : group)
        {
            text += joint + GetUnitLabel(view.units[unit], kind);
            joint = "=";
        }
    }
    return text;
}

} // namespace ddl
} // namespace ns3
