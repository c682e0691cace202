// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-dual-bound.h"

#include "ddl-ordered-completion.h"
#include "ddl-primal-dual-order.h"
#include "ddl-unit-order.h"

#include <cmath>

namespace ns3::ddl
{

namespace
{

/** \return alpha of a stage at its most loaded port (lines 3 to 12); elsewhere alpha is 0 */
double
GetAlpha(const UnitView& stage)
{
    return 1 - std::ldexp(1.0, -static_cast<int>(stage.stage)); // line 6
}

} // namespace

SctBound
ComputeSctBound(const SchedulerView& view)
{
    SctBound bound;
    std::vector<double> weights(view.units.size(), 1);
    bound.unitWeights = SumDualPass(view, weights);
    for (std::size_t i = 0; i < view.units.size(); ++i)
    {
        const UnitView& unit = view.units[i];
        const double alpha = GetAlpha(unit);
        weights[i] -= alpha; // line 10
        bound.literalLine10 += alpha * GetBottleneckSeconds(unit);
        if (unit.predecessor != NO_PREDECESSOR)
        {
            weights[unit.predecessor] += alpha; // line 10
        }
    }
    bound.literalLine10 += SumDualPass(view, weights);
    return bound;
}

std::optional<double>
RateOrder(const SchedulerView& view, const UnitOrder& order)
{
    std::vector<uint32_t> singles;
    for (const auto& group : order)
    {
        if (group.size() > 1)
        {
            return std::nullopt;
        }
        singles.push_back(group.front());
    }
    const double bound = ComputeSctBound(view).Get();
    return bound > 0 ? std::optional<double>(SumCompletions(view, singles) / bound) : std::nullopt;
}

} // namespace ns3::ddl
