// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-quantile-random-variable.h"

#include "ns3/abort.h"
#include "ns3/attribute-container.h"
#include "ns3/ddl-list-accessor.h"
#include "ns3/double.h"
#include "ns3/rng-stream.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(QuantileRandomVariable);

TypeId
QuantileRandomVariable::GetTypeId()
{
    using Self = QuantileRandomVariable;
    static TypeId tid =
        TypeId("ns3::ddl::QuantileRandomVariable")
            .SetParent<RandomVariableStream>()
            .SetGroupName("Ddl")
            .AddConstructor<QuantileRandomVariable>()
            .AddAttribute("Levels",
                          "shares of all values that lie below those of Values; from 0 to 1",
                          AttributeContainerValue<DoubleValue>(std::vector<double>{0, 1}),
                          MakeListAccessor<DoubleValue>(&Self::m_levels),
                          MakeAttributeContainerChecker<DoubleValue>(MakeDoubleChecker<double>()))
            .AddAttribute("Values",
                          "least value, quantiles, largest value: one for each of Levels; above 0",
                          AttributeContainerValue<DoubleValue>(std::vector<double>{1, 10}),
                          MakeListAccessor<DoubleValue>(&Self::m_values),
                          MakeAttributeContainerChecker<DoubleValue>(MakeDoubleChecker<double>()));
    return tid;
}

std::string
QuantileRandomVariable::FindProblem() const
{
    const bool isSpan = m_levels.size() >= 2 && m_levels.front() == 0 && m_levels.back() == 1;
    const bool doesAscend =
        std::adjacent_find(m_levels.begin(), m_levels.end(), std::greater_equal<double>()) ==
        m_levels.end();
    if (!isSpan || !doesAscend)
    {
        return "Levels must ascend from 0 to 1 ([0, 0.5, 1])";
    }
    if (m_values.size() != m_levels.size() || m_values.front() <= 0 ||
        !std::is_sorted(m_values.begin(), m_values.end()))
    {
        return "Values must be as many as Levels, above 0, and not descend ([1, 3, 20])";
    }
    return "";
}

double
QuantileRandomVariable::GetValue()
{
    NS_ABORT_MSG_UNLESS(FindProblem().empty(), FindProblem());
    const double drawn = Peek()->RandU01();
    const double level = IsAntithetic() ? 1 - drawn : drawn;
    const auto above = std::upper_bound(m_levels.begin() + 1, m_levels.end() - 1, level);
    const auto i = static_cast<std::size_t>(above - m_levels.begin());
    const double part = (level - m_levels[i - 1]) / (m_levels[i] - m_levels[i - 1]);
    return m_values[i - 1] * std::pow(m_values[i] / m_values[i - 1], part);
}

uint32_t
QuantileRandomVariable::GetInteger()
{
    return static_cast<uint32_t>(GetValue());
}

} // namespace ns3::ddl
