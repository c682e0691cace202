// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-priority-queue-disc.h"

#include "ddl-queue-service.h"

#include "ns3/ddl-error.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(PriorityQueueDisc);

TypeId
PriorityQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::PriorityQueueDisc")
            .SetParent<QueueDisc>()
            .SetGroupName("Ddl")
            .AddConstructor<PriorityQueueDisc>()
            .AddAttribute(
                "Queues",
                "Number of queues; sets the table DSCP -> queue to its default.",
                UintegerValue(MAX_QUEUES),
                MakeUintegerAccessor(&PriorityQueueDisc::SetQueues, &PriorityQueueDisc::GetQueues),
                MakeUintegerChecker<uint32_t>(1, MAX_QUEUES))
            .AddAttribute("Service",
                          "Short name of the queue scheduler.",
                          StringValue("strict-priority"),
                          MakeStringAccessor(&PriorityQueueDisc::m_serviceName),
                          MakeStringChecker())
            .AddAttribute("Weights",
                          "One whole number per queue, separated by commas, for services that have "
                          "weights. Empty: the service's own.",
                          StringValue(""),
                          MakeStringAccessor(&PriorityQueueDisc::m_weights),
                          MakeStringChecker())
            .AddAttribute("Limit",
                          "Bytes that a queue may hold.",
                          UintegerValue(1000000),
                          MakeUintegerAccessor(&PriorityQueueDisc::m_limit),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("EcnThreshold",
                          "Bytes above which a queue marks; 0 = never.",
                          UintegerValue(100000),
                          MakeUintegerAccessor(&PriorityQueueDisc::m_threshold),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

PriorityQueueDisc::PriorityQueueDisc()
    : QueueDisc(QueueDiscSizePolicy::NO_LIMITS)
{
}

PriorityQueueDisc::~PriorityQueueDisc() = default;

void
PriorityQueueDisc::SetQueues(uint32_t queues)
{
    m_map = DscpMap(queues);
    m_accounts.assign(queues, QueueAccount());
}

const QueueCounters&
PriorityQueueDisc::GetCounters(uint32_t queue) const
{
    return m_accounts.at(queue).GetCounters();
}

bool
PriorityQueueDisc::DoEnqueue(Ptr<QueueDiscItem> item)
{
    uint8_t tos = 0; // packets that are not IP have codepoint 0
    item->GetUint8Value(QueueItem::IP_DSFIELD, tos);
    const uint32_t queue = m_map.GetQueue(tos >> 2);
    QueueAccount& account = m_accounts[queue];
    if (!account.Admit(item->GetSize(), nullptr))
    {
        DropBeforeEnqueue(item, LIMIT_EXCEEDED_DROP);
        return false;
    }
    if (account.IsCongested() && Mark(item, THRESHOLD_MARK))
    {
        account.CountMark();
    }
    const bool entered = GetInternalQueue(queue)->Enqueue(item);
    UpdateView(queue);
    return entered;
}

Ptr<QueueDiscItem>
PriorityQueueDisc::DoDequeue()
{
    if (m_view.nonEmpty == 0)
    {
        return nullptr;
    }
    const uint32_t queue = m_service->Select(m_view);
    auto item = GetInternalQueue(queue)->Dequeue();
    m_accounts[queue].Remove(item->GetSize(), nullptr);
    UpdateView(queue);
    return item;
}

void
PriorityQueueDisc::UpdateView(uint32_t queue)
{
    const auto head = GetInternalQueue(queue)->Peek();
    const QueueMask bit = QueueBit(queue);
    m_view.nonEmpty = head ? m_view.nonEmpty | bit : m_view.nonEmpty & ~bit;
    m_view.headBytes[queue] = head ? head->GetSize() : 0;
}

bool
PriorityQueueDisc::CheckConfig()
{
    if (GetNQueueDiscClasses() > 0 || GetNPacketFilters() > 0 || GetNInternalQueues() > 0)
    {
        throw InputError("ns3::ddl::PriorityQueueDisc takes no classes, filters or queues of "
                         "others: it reads the DSCP and makes its own queues");
    }
    while (GetNInternalQueues() < GetQueues())
    {
        // The accounts enforce the limits; these queues only hold the packets.
        auto queue = CreateObject<DropTailQueue<QueueDiscItem>>();
        queue->SetMaxSize({QueueSizeUnit::PACKETS, std::numeric_limits<uint32_t>::max()});
        AddInternalQueue(queue);
    }
    return true;
}

void
PriorityQueueDisc::InitializeParams()
{
    PortSpec spec;
    spec.service = m_serviceName;
    if (!m_weights.empty())
    {
        spec.serviceAttributes["Weights"] = m_weights;
    }
    m_service = CreateQueueService(spec);
    m_service->Configure(GetQueues());
    for (QueueAccount& account : m_accounts)
    {
        account.SetLimit(m_limit);
        account.SetEcnThreshold(m_threshold);
    }
}

} // namespace ns3::ddl
