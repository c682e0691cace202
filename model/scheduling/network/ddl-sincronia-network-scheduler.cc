// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-network-scheduler.h"
#include "ddl-primal-dual-order.h"
#include "ddl-unit-order.h"

#include "ns3/boolean.h"
#include "ns3/ddl-policy-source.h"

namespace ns3::ddl
{

/**
 * Bottleneck, select, scale, iterate over the coflows in progress (Sincronia: Agarwal,
 * Rajakrishnan, Narayan, Agarwal, Shmoys, Vahdat, SIGCOMM 2018, Algorithm 1). A coflow is one
 * iteration's transfer of one job, as Grouper §V-A baseline (ii) uses it.
 *
 * BSSI is the iteration of Grouper's Algorithm 1 without chains, so OrderByPrimalDual() does it:
 * the most loaded port, there the coflow with the least weight over load goes last, the other
 * weights fall in proportion.
 *
 * Online, coflows are ordered again whenever one arrives or ends; attribute Periodic does it every
 * scheduling period instead, as an epoch, and coflows that arrived since are appended in arrival
 * order. A coflow counts with its whole size, which is known at its arrival; attribute Remaining
 * counts what is left of it, for which machines have to be asked.
 */
class SincroniaNetworkScheduler : public NetworkScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::SincroniaNetworkScheduler")
                .SetParent<NetworkScheduler>()
                .SetGroupName("Ddl")
                .AddConstructor<SincroniaNetworkScheduler>()
                .AddAttribute(
                    "Periodic",
                    "Order coflows once per scheduling period, instead of at each arrival and "
                    "completion",
                    BooleanValue(false),
                    MakeBooleanAccessor(&SincroniaNetworkScheduler::m_periodic),
                    MakeBooleanChecker())
                .AddAttribute(
                    "Remaining",
                    "Order by the bytes left of a coflow, which machines report, instead of by "
                    "its size",
                    BooleanValue(false),
                    MakeBooleanAccessor(&SincroniaNetworkScheduler::m_remaining),
                    MakeBooleanChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "coflows by bottleneck, select, scale, iterate (Agarwal et al. 2018; Grouper §V-A)";
    }

    UnitKind GetUnitKind() const override
    {
        return UnitKind::COFLOW;
    }

    Trigger GetTrigger() const override
    {
        return m_periodic ? Trigger::PERIOD : Trigger::CHANGE;
    }

    bool NeedsProgress() const override
    {
        return m_remaining;
    }

    bool UsesWeights() const override
    {
        return true;
    }

  private:
    UnitOrder DoOrder(const SchedulerView& view) override
    {
        std::vector<double> weights;
        weights.reserve(view.units.size());
        for (const auto& coflow : view.units)
        {
            weights.push_back(coflow.weight);
        }
        // Algorithm 1 as printed: any unscheduled coflow may go last.
        return InSingles(OrderByPrimalDual(view, weights, false));
    }

    bool m_periodic{false};
    bool m_remaining{false};
};

NS_OBJECT_ENSURE_REGISTERED(SincroniaNetworkScheduler);
DDL_POLICY_SOURCE(SincroniaNetworkScheduler, "Sincronia, SIGCOMM", 2018, "bytes of coflows");

} // namespace ns3::ddl
