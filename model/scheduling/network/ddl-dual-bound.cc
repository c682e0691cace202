// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-dual-bound.h"

#include "ddl-ordered-completion.h"
#include "ddl-unit-order.h"

#include <cmath>
#include <cstdint>

namespace ns3
{
namespace ddl
{

namespace
{

/** The unplaced loads of one port. */
struct DualPort
{
    std::vector<std::pair<uint32_t, double>> loads; //!< unit and seconds, by id; placed ones too
    uint32_t unplaced{0};
    double sum{0};     //!< L_p
    double squares{0}; //!< sum of the squares of the loads

    /** \return f_p of the unplaced units (Eq. 16) */
    double GetF() const
    {
        return 0.5 * (squares + sum * sum);
    }

    void Remove(double seconds)
    {
        --unplaced;
        // What rounding leaves behind must not make an empty port the bottleneck.
        sum = unplaced == 0 ? 0 : sum - seconds;
        squares = unplaced == 0 ? 0 : squares - seconds * seconds;
    }
};

/** One pass of Algorithm 1, lines 13 to 22, for the value of its beta. */
class DualPass
{
  public:
    DualPass(const SchedulerView& view, const std::vector<double>& weights)
        : m_view(view),
          m_weights(weights),
          m_placed(view.units.size(), false),
          m_ports(view.ports)
    {
        for (const uint32_t unit : IndicesById(view))
        {
            for (const auto& load : view.units[unit].load)
            {
                DualPort& port = m_ports[load.port];
                port.loads.emplace_back(unit, load.seconds);
                port.sum += load.seconds; // line 13
                port.squares += load.seconds * load.seconds;
                ++port.unplaced;
            }
        }
    }

    /** \return sum over all sets of beta f_p */
    double Run()
    {
        double value = 0;
        while (DualPort* bottleneck = FindBottleneck())
        {
            const auto [last, seconds] = FindLeastRatio(*bottleneck);
            const double rho = std::max(m_weights[last], 0.0) / seconds; // line 18
            value += rho * bottleneck->GetF();                           // lines 20 and Eq. 17
            for (const auto& [unit, load] : bottleneck->loads)           // line 19
            {
                m_weights[unit] -= rho * load;
            }
            Place(last);
        }
        return value;
    }

  private:
    /** Line 15. \return the port with the most load; null when nothing is left */
    DualPort* FindBottleneck()
    {
        DualPort* bottleneck = nullptr;
        for (auto& port : m_ports)
        {
            if (port.unplaced > 0 && (!bottleneck || port.sum > bottleneck->sum))
            {
                bottleneck = &port;
            }
        }
        return bottleneck;
    }

    /** Line 16. \return the unplaced unit with the least w / L on the port, and its load there */
    std::pair<uint32_t, double> FindLeastRatio(const DualPort& port) const
    {
        std::pair<uint32_t, double> least{UINT32_MAX, 1};
        for (const auto& load : port.loads)
        {
            const bool isLess =
                least.first == UINT32_MAX ||
                m_weights[load.first] / load.second <= m_weights[least.first] / least.second;
            if (!m_placed[load.first] && isLess)
            {
                least = load;
            }
        }
        return least;
    }

    /** Lines 21 and 22. */
    void Place(uint32_t unit)
    {
        m_placed[unit] = true;
        for (const auto& load : m_view.units[unit].load)
        {
            m_ports[load.port].Remove(load.seconds);
        }
    }

    const SchedulerView& m_view;
    std::vector<double> m_weights;
    std::vector<bool> m_placed;
    std::vector<DualPort> m_ports;
};

/** Lines 3 to 12: alpha of a stage at its most loaded port; elsewhere it is 0. */
double
GetAlpha(const UnitView& stage)
{
    return 1 - std::ldexp(1.0, -static_cast<int>(stage.stage)); // line 6
}

double
GetBottleneckLoad(const UnitView& unit)
{
    double most = 0;
    for (const auto& load : unit.load)
    {
        most = std::max(most, load.seconds); // line 5
    }
    return most;
}

} // namespace

double
SumDualPass(const SchedulerView& view, const std::vector<double>& weights)
{
    return DualPass(view, weights).Run();
}

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
        bound.literalLine10 += alpha * GetBottleneckLoad(unit);
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

} // namespace ddl
} // namespace ns3
