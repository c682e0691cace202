// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-ordered-completion.h"

#include "ns3/abort.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ns3::ddl
{

namespace
{

constexpr double NOTHING_LEFT = 1e-12; //!< fraction of a load that is taken for rounding

/** The load of a unit at a port. */
struct Work
{
    uint32_t unit;
    double seconds;
    double left;
};

/** Simulates the ports from one end of a load to the next. */
class OrderedPorts
{
  public:
    OrderedPorts(const SchedulerView& view, const std::vector<uint32_t>& order)
        : m_view(view),
          m_ports(view.ports),
          m_successor(view.units.size(), NO_PREDECESSOR),
          m_released(view.units.size(), false),
          m_loads(view.units.size()),
          m_end(view.units.size(), 0)
    {
        NS_ABORT_MSG_IF(order.size() != view.units.size(), "an order of other units");
        for (const uint32_t unit : order)
        {
            m_loads[unit] = view.units[unit].load.size();
            for (const auto& load : view.units[unit].load)
            {
                m_ports[load.port].push_back({unit, load.seconds, load.seconds});
            }
            if (view.units[unit].predecessor != NO_PREDECESSOR)
            {
                m_successor[view.units[unit].predecessor] = static_cast<int32_t>(unit);
            }
        }
    }

    std::vector<double> Run()
    {
        for (uint32_t unit = 0; unit < m_view.units.size(); ++unit)
        {
            if (m_view.units[unit].predecessor == NO_PREDECESSOR)
            {
                Release(unit);
            }
        }
        while (true)
        {
            double next = std::numeric_limits<double>::max();
            for (auto& port : m_ports)
            {
                const Work* work = FindWork(port);
                next = work ? std::min(next, work->left) : next;
            }
            if (next == std::numeric_limits<double>::max())
            {
                return m_end;
            }
            Advance(next);
        }
    }

  private:
    /** Let a unit be served; if it has no load it is over, and its successor is released. */
    void Release(uint32_t unit)
    {
        m_released[unit] = true;
        if (m_loads[unit] > 0)
        {
            return;
        }
        m_end[unit] = m_now;
        if (m_successor[unit] != NO_PREDECESSOR)
        {
            Release(m_successor[unit]);
        }
    }

    void Advance(double seconds)
    {
        m_now += seconds;
        std::vector<uint32_t> over;
        for (auto& port : m_ports)
        {
            Work* work = FindWork(port);
            if (!work)
            {
                continue;
            }
            work->left -= seconds;
            if (work->left <= NOTHING_LEFT * work->seconds)
            {
                work->left = 0;
                over.push_back(work->unit);
            }
        }
        for (const uint32_t unit : over)
        {
            if (--m_loads[unit] == 0)
            {
                Release(unit);
            }
        }
    }

    /** \return the work that the port serves now; null when it has to wait or has none */
    Work* FindWork(std::vector<Work>& port) const
    {
        const auto work = std::find_if(port.begin(), port.end(), [this](const Work& candidate) {
            return candidate.left > 0 && m_released[candidate.unit];
        });
        return work == port.end() ? nullptr : &*work;
    }

    const SchedulerView& m_view;
    std::vector<std::vector<Work>> m_ports;
    std::vector<int32_t> m_successor; //!< successor of each unit, or NO_PREDECESSOR
    std::vector<bool> m_released;     //!< whether each unit's predecessor is over
    std::vector<uint32_t> m_loads;    //!< number of ports where each unit has load left
    std::vector<double> m_end;
    double m_now{0};
};

} // namespace

std::vector<double>
CompleteInOrder(const SchedulerView& view, const std::vector<uint32_t>& order)
{
    return OrderedPorts(view, order).Run();
}

double
SumCompletions(const SchedulerView& view, const std::vector<uint32_t>& order)
{
    const auto ends = CompleteInOrder(view, order);
    return std::accumulate(ends.begin(), ends.end(), 0.0);
}

} // namespace ns3::ddl
