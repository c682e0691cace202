// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_QUEUE_SCHEDULER_BENCH_H
#define DDL_QUEUE_SCHEDULER_BENCH_H

#include "ns3/ddl-queue-service.h"

#include <array>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** Queues without a simulator: sizes of waiting packets, and a service that empties them. */
class QueueBench
{
  public:
    QueueBench(Ptr<QueueScheduler> service, uint32_t queues)
        : m_service(service)
    {
        m_service->Configure(queues);
    }

    void Add(uint32_t queue, uint32_t bytes, uint32_t packets = 1)
    {
        m_waiting[queue].insert(m_waiting[queue].end(), packets, bytes);
    }

    /** \return the queue served, whose first packet is gone now */
    uint32_t Serve()
    {
        QueueView view;
        for (uint32_t queue = 0; queue < MAX_QUEUES; ++queue)
        {
            if (!m_waiting[queue].empty())
            {
                view.nonEmpty |= 1U << queue;
                view.headBytes[queue] = m_waiting[queue].front();
            }
        }
        const uint32_t queue = m_service->Select(view);
        m_bytes[queue] += m_waiting[queue].front();
        ++m_packets[queue];
        m_waiting[queue].pop_front();
        return queue;
    }

    std::vector<uint32_t> Serve(uint32_t packets)
    {
        std::vector<uint32_t> order(packets);
        for (uint32_t& queue : order)
        {
            queue = Serve();
        }
        return order;
    }

    std::array<std::deque<uint32_t>, MAX_QUEUES> m_waiting;
    std::array<uint64_t, MAX_QUEUES> m_bytes{};
    std::array<uint64_t, MAX_QUEUES> m_packets{};

  private:
    Ptr<QueueScheduler> m_service;
};

/** Queues in the order in which they were served. */
using Order = std::vector<uint32_t>;

/** \return a service by name, with attributes */
inline Ptr<QueueScheduler>
MakeService(const std::string& name, const std::map<std::string, std::string>& attributes = {})
{
    PortSpec spec;
    spec.service = name;
    spec.serviceAttributes = attributes;
    return CreateQueueService(spec);
}

/** Sizes between 64 and 1500 bytes that differ from queue to queue and packet to packet. */
inline uint32_t
MixedSize(uint32_t queue, uint32_t packet)
{
    return 64 + (queue * 389 + packet * 757) % 1437;
}

} // namespace ns3::ddl

#endif // DDL_QUEUE_SCHEDULER_BENCH_H
