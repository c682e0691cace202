// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-weighted-queue-scheduler.h"

#include "ns3/ddl-error.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::ddl
{

/**
 * Strict over weighted: queues 0 to StrictQueues - 1 go first, the lowest number before the others;
 * when they are empty, the rest share by weight. By default the control queue alone is strict.
 *
 * Weights has one entry per queue, those of the strict ones unused, so that one list serves wrr,
 * dwrr and mixed.
 */
class MixedQueueScheduler : public WeightedQueueScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::MixedQueueScheduler")
                .SetParent<WeightedQueueScheduler>()
                .SetGroupName("Ddl")
                .AddConstructor<MixedQueueScheduler>()
                .AddAttribute("StrictQueues",
                              "Number of queues, from queue 0 on, that go before the rest.",
                              UintegerValue(1),
                              MakeUintegerAccessor(&MixedQueueScheduler::m_strictQueues),
                              MakeUintegerChecker<uint32_t>(0, MAX_QUEUES))
                .AddAttribute("Rest",
                              "How the rest is served: dwrr (bytes by weight) or wrr (packets).",
                              StringValue("dwrr"),
                              MakeStringAccessor(&MixedQueueScheduler::m_restService),
                              MakeStringChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "strict priority for the first StrictQueues queues, the rest below them by dwrr or "
               "wrr";
    }

    std::optional<QueueShares> GetShares() const override
    {
        auto shares = WeightedQueueScheduler::GetShares();
        for (uint32_t queue = 0; queue < shares->size(); ++queue)
        {
            (*shares)[queue].level = std::min(queue, m_strictQueues);
        }
        return shares;
    }

  protected:
    void DoDispose() override
    {
        m_rest = nullptr;
        WeightedQueueScheduler::DoDispose();
    }

  private:
    void DoSetWeights(uint32_t queues, const Weights& weights) override
    {
        if (m_strictQueues > queues)
        {
            throw InputError(std::to_string(m_strictQueues) + " strict queues at a port of " +
                             std::to_string(queues));
        }
        if (m_restService != "dwrr" && m_restService != "wrr")
        {
            throw InputError("attribute Rest is dwrr or wrr, not \"" + m_restService + "\"");
        }
        std::string list;
        for (uint32_t queue = 0; queue < queues; ++queue)
        {
            list += (queue == 0 ? "" : ",") + std::to_string(weights[queue]);
        }
        m_strictMask = QueueBit(m_strictQueues) - 1;
        m_rest = CreatePolicy<QueueScheduler>(m_restService);
        m_rest->SetAttribute("Weights", StringValue(list));
        m_rest->Configure(queues);
    }

    uint32_t DoSelect(const QueueView& view) override
    {
        const QueueMask strict = view.nonEmpty & m_strictMask;
        return strict != 0 ? First(strict) : m_rest->Select(view);
    }

    uint32_t m_strictQueues{1};
    std::string m_restService; //!< short name of the scheduler of the other queues
    QueueMask m_strictMask{0};
    Ptr<QueueScheduler> m_rest;
};

NS_OBJECT_ENSURE_REGISTERED(MixedQueueScheduler);

} // namespace ns3::ddl
