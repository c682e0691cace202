// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RDMA_CONGESTION_CONTROL_H
#define DDL_RDMA_CONGESTION_CONTROL_H

#include "ddl-rdma-feedback.h"

#include "ns3/data-rate.h"
#include "ns3/ddl-policy.h"

#include <cstdint>
#include <optional>

namespace ns3::ddl
{

/** The contents of an acknowledgement for congestion control. */
struct RdmaAck
{
    uint32_t packets{0};       //!< packets that it acknowledges for the first time
    uint32_t marked{0};        //!< packets with CE that arrived since the last acknowledgement
    uint64_t acknowledged{0};  //!< PSN up to which all packets have arrived
    uint64_t next{0};          //!< PSN of the next new packet
    bool windowLimited{false}; //!< whether a larger window would have let the sender send more
    Time now;
    Time roundTrip{}; //!< from the sending of the answered packet; 0: unknown (GetFeedback)
    uint32_t hops{0}; //!< switches that the answered packet passed, if the round trip is known
    std::optional<double> share{}; //!< part of the iteration's bytes that has been acknowledged, 0
                                   //!< to 1; none: unknown, or NeedsShare() is false
    const PathTelemetry* path{nullptr}; //!< what they wrote; null: unknown (GetFeedback)
};

/**
 * Policy family: how many packets may a queue pair have in transit, and how fast may it send? One
 * object per queue pair.
 *
 * Windows are counted in packets, whether full or not. A pair with no packet in transit may always
 * send one.
 */
class RdmaCongestionControl : public Policy
{
  public:
    static TypeId GetTypeId();

    /** The path that the pair's packets take. */
    struct Path
    {
        DataRate lineRate;              //!< rate of the NIC
        uint32_t packetBytes{0};        //!< bytes of a full IPv4 packet
        Time baseRtt{MicroSeconds(10)}; //!< the network's longest round trip without queues
    };

    /** \return a new object of the same class, for a queue pair; called before Start */
    Ptr<RdmaCongestionControl> Fork() const;

    /** Called before the first packet. \throws InputError when attributes do not fit each other */
    virtual void Start(const Path& path) = 0;

    /** Called when an acknowledgement has arrived. */
    virtual void OnAck(const RdmaAck& ack) = 0;
    /** Called when packets were lost: each time that the pair goes back, or once per window. */
    virtual void OnLoss(Time now) = 0;

    /** Called when the receiver reports congestion, if GetNotificationInterval is not 0. */
    virtual void OnNotification(Time /* now */)
    {
    }

    /** Called once, after Start. \return whether OnSend and GetGap do anything; else they are not
     * called */
    virtual bool PacesPackets() const
    {
        return true;
    }

    /** Called when a packet is sent. */
    virtual void OnSend(uint32_t /* bytes */, Time /* now */)
    {
    }

    /** \return number of packets that may be in transit, at least 1 */
    virtual uint32_t GetWindow() const = 0;

    /** \return time from the start of a packet of that size to the start of the next; 0: no gap */
    virtual Time GetGap(uint32_t /* bytes */) const
    {
        return Time();
    }

    /**
     * Scale the additive increase from now on, in proportion to which flows share a link.
     * \param factor factor, at least 0 \return whether this control has an additive increase
     */
    virtual bool ScaleIncrease(double /* factor */)
    {
        return false;
    }

    /** \return whether RdmaAck::share must be known; the same at all times */
    virtual bool NeedsShare() const
    {
        return false;
    }

    /** \return what packets must carry for this control; the same for all pairs */
    virtual RdmaFeedback GetFeedback() const
    {
        return RdmaFeedback::NONE;
    }

    /** \return least time between two congestion notifications to this pair; 0: none are sent */
    virtual Time GetNotificationInterval() const
    {
        return Time();
    }

  private:
    /** \return a copy (by CopyObject). If it is null or of a base class, Fork makes a new object,
     * for which ns-3 reads all attributes, in 25,000 instructions */
    virtual Ptr<RdmaCongestionControl> DoFork() const
    {
        return nullptr;
    }
};

} // namespace ns3::ddl

#endif // DDL_RDMA_CONGESTION_CONTROL_H
