// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-network-scheduler.h"
#include "ddl-unit-order.h"

#include "ns3/ddl-policy-source.h"
#include "ns3/string.h"

#include <map>
#include <sstream>

namespace ns3::ddl
{

/**
 * A given order of jobs: for experiments, and for samples of a sampled run, which keep the
 * order that the simulation's own scheduler had found.
 *
 * Attribute Order: numbers of jobs, the first one first, as `schedule.csv` writes orders: "3 5=7
 * 1". Jobs joined by '=' share a priority. Jobs that it does not name share the last one; numbers
 * that no job has are ignored.
 */
class FixedOrderNetworkScheduler : public NetworkScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::FixedOrderNetworkScheduler")
                .SetParent<NetworkScheduler>()
                .SetGroupName("Ddl")
                .AddConstructor<FixedOrderNetworkScheduler>()
                .AddAttribute("Order",
                              "Numbers of jobs, first one first; '=' joins those that share a "
                              "priority: \"3 5=7 1\"",
                              StringValue(""),
                              MakeStringAccessor(&FixedOrderNetworkScheduler::SetOrder,
                                                 &FixedOrderNetworkScheduler::GetOrder),
                              MakeStringChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "jobs in the order that its attribute gives";
    }

    UnitKind GetUnitKind() const override
    {
        return UnitKind::JOB;
    }

  private:
    /** Set the order. Text that is not a number names no job. */
    void SetOrder(std::string order)
    {
        m_order = order;
        m_places.clear();
        std::istringstream groups(order);
        uint32_t place = 0;
        for (std::string group; groups >> group; ++place)
        {
            std::istringstream jobs(group);
            for (std::string job; std::getline(jobs, job, '=');)
            {
                std::istringstream number(job);
                uint32_t id = 0;
                if (number >> id)
                {
                    m_places.emplace(JobId{id}, place);
                }
            }
        }
        m_last = place;
    }

    std::string GetOrder() const
    {
        return m_order;
    }

    UnitOrder DoOrder(const SchedulerView& view) override
    {
        std::map<uint32_t, std::vector<uint32_t>> groups; // unit indices, by place in the order
        for (const uint32_t index : IndicesById(view))
        {
            const auto place = m_places.find(view.units[index].job);
            groups[place == m_places.end() ? m_last : place->second].push_back(index);
        }
        UnitOrder order;
        for (auto& [place, units] : groups)
        {
            order.push_back(std::move(units));
        }
        return order;
    }

    std::string m_order;
    std::map<JobId, uint32_t> m_places;
    uint32_t m_last{0}; //!< place of jobs that are not named
};

NS_OBJECT_ENSURE_REGISTERED(FixedOrderNetworkScheduler);
DDL_POLICY_SOURCE(FixedOrderNetworkScheduler, "", 0, "the order");

} // namespace ns3::ddl
