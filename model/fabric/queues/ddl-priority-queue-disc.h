// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PRIORITY_QUEUE_DISC_H
#define DDL_PRIORITY_QUEUE_DISC_H

#include "ddl-dscp-map.h"
#include "ddl-queue-account.h"
#include "ddl-queue-scheduler.h"

#include "ns3/queue-disc.h"

namespace ns3::ddl
{

/**
 * The queues of a switch port as a root queue disc, for scripts on stock devices: 1 to 8 queues
 * chosen by the DSCP of the IP header (not by SocketPriorityTag, which loses the class selectors),
 * any queue scheduler, a limit in bytes and an ECN threshold for each.
 *
 * Give the device below it a queue of one packet ("1p"), else a FIFO of a hundred packets stands
 * between this service and the wire.
 */
class PriorityQueueDisc : public QueueDisc
{
  public:
    static TypeId GetTypeId();
    PriorityQueueDisc();
    ~PriorityQueueDisc() override;

    static constexpr const char* LIMIT_EXCEEDED_DROP = "Queue limit exceeded"; //!< drop reason
    static constexpr const char* THRESHOLD_MARK = "ECN threshold exceeded";    //!< mark reason

    /** \return the table DSCP -> queue, to change before the first packet */
    DscpMap& GetDscpMap()
    {
        return m_map;
    }

    /** \return the counters of a queue. \param queue 0 to Queues - 1 */
    const QueueCounters& GetCounters(uint32_t queue) const;

  private:
    bool DoEnqueue(Ptr<QueueDiscItem> item) override;
    Ptr<QueueDiscItem> DoDequeue() override;
    bool CheckConfig() override;
    void InitializeParams() override;
    void SetQueues(uint32_t queues);

    uint32_t GetQueues() const
    {
        return m_map.GetQueues();
    }

    void UpdateView(uint32_t queue);

    DscpMap m_map;
    std::string m_serviceName;
    std::string m_weights;
    uint64_t m_limit{0};
    uint64_t m_threshold{0};
    Ptr<QueueScheduler> m_service;
    std::vector<QueueAccount> m_accounts{MAX_QUEUES}; //!< the account of each queue
    QueueView m_view;
};

} // namespace ns3::ddl

#endif // DDL_PRIORITY_QUEUE_DISC_H
