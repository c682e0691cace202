// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-primal-dual-order.h"

#include "ddl-unit-order.h"

#include <algorithm>

namespace ns3::ddl
{

namespace
{

constexpr uint32_t NONE = UINT32_MAX;

/** The load of a unit at a port. */
struct UnitLoad
{
    uint32_t unit; //!< index into `byId`
    double seconds;
};

/** The rules of the iteration: which units may be placed, and how far weights fall. */
struct Rules
{
    bool keepChainOrder{false}; //!< whether only a cojob's last unplaced stage may be placed
    bool clipWeights{true};     //!< whether a weight that would fall below 0 stays at 0
};

/** State of the iteration. Units are numbered by id, so sums do not depend on the view's order. */
class PrimalDual
{
  public:
    PrimalDual(const SchedulerView& view, const std::vector<double>& weights, Rules rules)
        : m_view(view),
          m_rules(rules),
          m_byId(IndicesById(view)),
          m_weight(view.units.size()),
          m_predecessor(view.units.size(), NONE),
          m_successor(view.units.size(), NONE),
          m_placed(view.units.size(), false),
          m_onPort(view.ports),
          m_unplacedOnPort(view.ports, 0),
          m_portLoad(view.ports, 0),
          m_portSquares(view.ports, 0),
          m_lastUnplaced(view.units.size())
    {
        std::vector<uint32_t> unitOf(m_byId.size());
        for (uint32_t unit = 0; unit < m_byId.size(); ++unit)
        {
            unitOf[m_byId[unit]] = unit;
            m_weight[unit] = weights[m_byId[unit]];
            for (const auto& load : view.units[m_byId[unit]].load)
            {
                m_onPort[load.port].push_back({unit, load.seconds});
                m_portLoad[load.port] += load.seconds; // line 13
                m_portSquares[load.port] += load.seconds * load.seconds;
                ++m_unplacedOnPort[load.port];
            }
        }
        for (uint32_t unit = 0; rules.keepChainOrder && unit < m_byId.size(); ++unit)
        {
            const int32_t before = view.units[m_byId[unit]].predecessor;
            if (before != NO_PREDECESSOR)
            {
                m_predecessor[unit] = unitOf[before];
                m_successor[unitOf[before]] = unit;
            }
        }
    }

    std::vector<uint32_t> Run()
    {
        std::vector<uint32_t> order(m_byId.size());
        for (std::size_t i = order.size(); i > 0; --i) // line 14
        {
            const uint32_t last = PickLast();
            order[i - 1] = m_byId[last]; // line 17
            Place(last);
        }
        return order;
    }

    /** \return sum over all steps of Run() of beta f_p, the second term of Eq. 17 */
    double GetDualValue() const
    {
        return m_dualValue;
    }

  private:
    /** \return the port with the most load (line 15), the lowest one of equals; NONE when all are
     * empty */
    uint32_t FindBottleneck() const
    {
        uint32_t bottleneck = NONE;
        double most = 0;
        for (uint32_t port = 0; port < m_portLoad.size(); ++port)
        {
            if (m_portLoad[port] > most)
            {
                most = m_portLoad[port];
                bottleneck = port;
            }
        }
        return bottleneck;
    }

    /** \return the unit with the least w / L on the port (line 16), of equals the last by id; or
     * NONE */
    uint32_t FindLeastRatio(uint32_t port, bool placeableOnly) const
    {
        uint32_t last = NONE;
        double least = 0;
        for (const auto& load : m_onPort[port])
        {
            if (m_placed[load.unit] || (placeableOnly && m_successor[load.unit] != NONE))
            {
                continue;
            }
            const double ratio = m_weight[load.unit] / load.seconds;
            if (last == NONE || ratio <= least)
            {
                least = ratio;
                last = load.unit;
            }
        }
        return last;
    }

    uint32_t PickLast()
    {
        const uint32_t port = FindBottleneck();
        if (port == NONE)
        {
            while (m_placed[m_lastUnplaced - 1])
            {
                --m_lastUnplaced;
            }
            return m_lastUnplaced - 1;
        }
        uint32_t last = FindLeastRatio(port, true);
        if (last != NONE)
        {
            AdjustWeights(port, last);
            return last;
        }
        last = FindLeastRatio(port, false);
        while (m_successor[last] != NONE)
        {
            last = m_successor[last];
        }
        return last;
    }

    /** Reduce the weights of the other units on the port (lines 18 to 20). */
    void AdjustWeights(uint32_t port, uint32_t last)
    {
        const auto& loads = m_onPort[port];
        const auto placed = std::find_if(loads.begin(), loads.end(), [last](const UnitLoad& load) {
            return load.unit == last;
        });
        const double rho = std::max(m_weight[last], 0.0) / placed->seconds; // line 18
        const double sum = m_portLoad[port];
        m_dualValue += rho * (0.5 * (m_portSquares[port] + sum * sum)); // beta = rho, f_p by Eq. 16
        for (const auto& load : loads)
        {
            double& weight = m_weight[load.unit];
            weight -= rho * load.seconds; // line 19
            weight = m_rules.clipWeights ? std::max(weight, 0.0) : weight;
        }
    }

    /** Remove a unit from the unplaced ones (lines 21 and 22). */
    void Place(uint32_t unit)
    {
        m_placed[unit] = true;
        if (m_predecessor[unit] != NONE)
        {
            m_successor[m_predecessor[unit]] = NONE;
        }
        for (const auto& load : m_view.units[m_byId[unit]].load)
        {
            // Rounding must not make an empty port the bottleneck.
            const bool empty = --m_unplacedOnPort[load.port] == 0;
            m_portLoad[load.port] = empty ? 0 : m_portLoad[load.port] - load.seconds;
            m_portSquares[load.port] =
                empty ? 0 : m_portSquares[load.port] - load.seconds * load.seconds;
        }
    }

    const SchedulerView& m_view;
    const Rules m_rules;
    std::vector<uint32_t> m_byId;                //!< index in the view of each unit
    std::vector<double> m_weight;                //!< weight w of each unit
    std::vector<uint32_t> m_predecessor;         //!< stage before each unit, or NONE
    std::vector<uint32_t> m_successor;           //!< unplaced stage after each unit, or NONE
    std::vector<bool> m_placed;                  //!< whether each unit has left the set M
    std::vector<std::vector<UnitLoad>> m_onPort; //!< loads on each port, of placed units too
    std::vector<uint32_t> m_unplacedOnPort;      //!< number of unplaced units on each port
    std::vector<double> m_portLoad;              //!< L_p: unplaced load of each port
    std::vector<double> m_portSquares;           //!< sum of squares of each port's unplaced loads
    double m_dualValue{0};
    uint32_t m_lastUnplaced; //!< number that no unplaced unit exceeds
};

} // namespace

std::vector<uint32_t>
OrderByPrimalDual(const SchedulerView& view,
                  const std::vector<double>& weights,
                  bool keepChainOrder)
{
    return PrimalDual(view, weights, {keepChainOrder, true}).Run();
}

double
SumDualPass(const SchedulerView& view, const std::vector<double>& weights)
{
    PrimalDual pass(view, weights, {false, false});
    pass.Run();
    return pass.GetDualValue();
}

} // namespace ns3::ddl
