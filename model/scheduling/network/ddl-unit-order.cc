// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-unit-order.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace ns3::ddl
{

bool
BeforeById(const UnitView& a, const UnitView& b)
{
    return std::tie(a.cojob, a.stage, a.job, a.iteration) <
           std::tie(b.cojob, b.stage, b.job, b.iteration);
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

double
GetBottleneckSeconds(const UnitView& unit)
{
    double most = 0;
    for (const auto& load : unit.load)
    {
        most = std::max(most, load.seconds);
    }
    return most;
}

std::vector<uint32_t>
IndicesByBottleneck(const SchedulerView& view)
{
    std::vector<double> seconds(view.units.size());
    std::transform(view.units.begin(), view.units.end(), seconds.begin(), GetBottleneckSeconds);
    std::vector<uint32_t> indices = IndicesById(view);
    std::stable_sort(indices.begin(), indices.end(), [&seconds](uint32_t a, uint32_t b) {
        return seconds[a] < seconds[b];
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
    switch (kind)
    {
    case UnitKind::STAGE:
        return std::to_string(unit.cojob.value) + "." + std::to_string(unit.stage);
    case UnitKind::JOB:
        return std::to_string(unit.job.value);
    case UnitKind::COFLOW:
        return std::to_string(unit.job.value) + ":" + std::to_string(unit.iteration);
    }
    return "";
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

} // namespace ns3::ddl
