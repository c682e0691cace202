// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_DCTCP_RDMA_CONGESTION_CONTROL_H
#define DDL_DCTCP_RDMA_CONGESTION_CONTROL_H

#include "ddl-rdma-congestion-control.h"

namespace ns3::ddl
{

/**
 * A window that shrinks in proportion to the share of marked packets (Alizadeh et al., Data Center
 * TCP, SIGCOMM 2010; RFC 8257), in packets and down to one packet. The window grows only while it
 * limits the sender (RFC 7661), so that a pair which the NIC or the path limits does not build up a
 * window for a later burst.
 */
class DctcpRdmaCongestionControl : public RdmaCongestionControl
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "a window that shrinks with the share of ECN marks (Alizadeh et al. 2010)";
    }

    void Start(const Path& path) override;
    void OnAck(const RdmaAck& ack) override;
    void OnLoss(Time now) override;

    bool PacesPackets() const override
    {
        return false;
    }

    uint32_t GetWindow() const override
    {
        return static_cast<uint32_t>(m_window);
    }

    /** \return the running estimate of the share of marked packets, 0 to 1 */
    double GetAlpha() const
    {
        return m_alpha;
    }

    bool ScaleIncrease(double factor) override
    {
        m_scale = factor;
        return true;
    }

  private:
    Ptr<RdmaCongestionControl> DoFork() const override
    {
        return CopyObject<DctcpRdmaCongestionControl>(this);
    }

    void UpdateAlpha(const RdmaAck& ack);
    void Reduce(double factor);
    void Grow(uint32_t packets);

    double m_gain;
    uint32_t m_initialBytes;
    uint32_t m_maxBytes;

    double m_scale{1};     //!< factor of the additive increase
    double m_window{1};    //!< congestion window, packets
    double m_threshold{0}; //!< window below which it doubles in a round trip, packets
    double m_most{1};      //!< largest window, packets
    double m_alpha{1};
    uint64_t m_acked{0};        //!< packets acknowledged since alpha was updated
    uint64_t m_marked{0};       //!< packets with CE since alpha was updated
    uint64_t m_alphaEnd{0};     //!< PSN whose acknowledgement ends the present estimate
    uint64_t m_reductionEnd{0}; //!< PSN up to which the window does not change again
};

} // namespace ns3::ddl

#endif // DDL_DCTCP_RDMA_CONGESTION_CONTROL_H
