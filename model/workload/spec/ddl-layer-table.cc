// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-layer-table.h"

#include <cmath>
#include <utility>

namespace ns3::ddl
{

namespace
{

/** Divides a total into shares by weight, one after the other. */
class Shares
{
  public:
    /** \param total number to divide \param all sum of the weights; 0: all shares are 0 */
    Shares(uint64_t total, uint64_t all)
        : m_total(total),
          m_all(all)
    {
    }

    uint64_t Next(uint64_t weight)
    {
        const uint64_t begin = m_all == 0 ? 0 : ShareByWeight(m_total, m_given, m_all);
        m_given += weight;
        return m_all == 0 ? 0 : ShareByWeight(m_total, m_given, m_all) - begin;
    }

  private:
    uint64_t m_total;
    uint64_t m_all;
    uint64_t m_given{0};
};

uint64_t
StepsOf(Time time)
{
    return static_cast<uint64_t>(time.GetTimeStep());
}

} // namespace

LayerTable::LayerTable()
{
    static const auto none = std::make_shared<const std::vector<Layer>>();
    m_layers = none;
}

LayerTable::LayerTable(std::vector<Layer> layers)
    : m_layers(std::make_shared<const std::vector<Layer>>(std::move(layers)))
{
}

uint64_t
LayerTable::GetBytes() const
{
    uint64_t bytes = 0;
    for (const Layer& layer : *m_layers)
    {
        bytes += layer.bytes;
    }
    return bytes;
}

Time
LayerTable::GetForward() const
{
    Time sum;
    for (const Layer& layer : *m_layers)
    {
        sum += layer.forward;
    }
    return sum;
}

Time
LayerTable::GetBackward() const
{
    Time sum;
    for (const Layer& layer : *m_layers)
    {
        sum += layer.backward;
    }
    return sum;
}

LayerTable
LayerTable::WithSums(uint64_t bytes, Time forward, Time backward) const
{
    const uint64_t allBytes = GetBytes();
    const bool hasForward = !GetForward().IsZero();
    const bool hasBackward = !GetBackward().IsZero();
    Shares byteShares(bytes, allBytes);
    Shares forwardShares(StepsOf(forward), hasForward ? StepsOf(GetForward()) : allBytes);
    Shares backwardShares(StepsOf(backward), hasBackward ? StepsOf(GetBackward()) : allBytes);
    std::vector<Layer> layers;
    for (const Layer& layer : *m_layers)
    {
        layers.push_back(
            {layer.name,
             byteShares.Next(layer.bytes),
             TimeStep(forwardShares.Next(hasForward ? StepsOf(layer.forward) : layer.bytes)),
             TimeStep(backwardShares.Next(hasBackward ? StepsOf(layer.backward) : layer.bytes))});
    }
    return LayerTable(std::move(layers));
}

uint64_t
ShareByWeight(uint64_t total, uint64_t weight, uint64_t all)
{
    if (weight == all)
    {
        return total;
    }
    // The product of two 63-bit numbers needs more than the mantissa of a double.
    const long double share = static_cast<long double>(total) * weight / all;
    return static_cast<uint64_t>(std::llround(share));
}

} // namespace ns3::ddl
