// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RDMA_CONGESTION_CONTROL_H
#define DDL_RDMA_CONGESTION_CONTROL_H

#include "ns3/data-rate.h"
#include "ns3/ddl-policy.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::ddl
{

/** What congestion control learns from one acknowledgement. */
struct RdmaAck
{
    uint32_t packets{0};       //!< acknowledged by it for the first time
    uint32_t marked{0};        //!< packets with CE that arrived since the last one
    uint64_t acknowledged{0};  //!< PSN up to which all has arrived
    uint64_t next{0};          //!< PSN of the next new packet
    bool windowLimited{false}; //!< the sender could have sent more with a larger window
    Time now;
};

/**
 * Policy family: how many packets may a queue pair have in transit, and how fast may it send? One
 * object per queue pair.
 *
 * Windows are counted in packets, partly filled ones too. A pair with no packet in transit may
 * always send one.
 */
class RdmaCongestionControl : public Policy
{
  public:
    static TypeId GetTypeId();

    /** The path that the pair's packets take. */
    struct Path
    {
        DataRate lineRate;       //!< of the NIC
        uint32_t packetBytes{0}; //!< of a full IPv4 packet
    };

    /** \return a new one of its class, for a queue pair; called before Start */
    Ptr<RdmaCongestionControl> Fork() const;

    /** Before the first packet. \throws InputError when attributes do not fit each other */
    virtual void Start(const Path& path) = 0;

    /** An acknowledgement came. */
    virtual void OnAck(const RdmaAck& ack) = 0;
    /** Packets were lost; called each time that the pair goes back, or once per window. */
    virtual void OnLoss(Time now) = 0;

    /** The receiver saw congestion (only when WantsNotifications). */
    virtual void OnNotification(Time /* now */)
    {
    }

    /** Asked once, after Start. \return whether OnSend and GetGap do anything; else they are not
     * called */
    virtual bool PacesPackets() const
    {
        return true;
    }

    /** A packet of so many bytes goes out. */
    virtual void OnSend(uint32_t /* bytes */, Time /* now */)
    {
    }

    /** \return packets that may be in transit, at least 1 */
    virtual uint32_t GetWindow() const = 0;

    /** \return time from the start of a packet of so many bytes to the next; 0: no gap */
    virtual Time GetGap(uint32_t /* bytes */) const
    {
        return Time();
    }

    /** \return least time between two congestion notifications to this pair; 0: none are sent */
    virtual Time GetNotificationInterval() const
    {
        return Time();
    }

  private:
    /** \return a copy (by CopyObject); null, or one of a base class: Fork makes a new one, for
     * which ns-3 reads all attributes in 25,000 instructions */
    virtual Ptr<RdmaCongestionControl> DoFork() const
    {
        return nullptr;
    }
};

} // namespace ns3::ddl

#endif // DDL_RDMA_CONGESTION_CONTROL_H
