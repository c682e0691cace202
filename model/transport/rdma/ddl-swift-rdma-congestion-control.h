// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SWIFT_RDMA_CONGESTION_CONTROL_H
#define DDL_SWIFT_RDMA_CONGESTION_CONTROL_H

#include "ddl-rdma-congestion-control.h"

namespace ns3::ddl
{

/**
 * Swift (Kumar et al., Swift: Delay is Simple and Effective for Congestion Control in the
 * Datacenter, SIGCOMM 2020): a window, down to a fraction of a packet, that grows while the round
 * trip is below a target and shrinks in proportion to what it exceeds. The target grows with the
 * number of switches, and with small windows, which many flows have.
 *
 * The defaults are those of csg-htsim's swift.cpp, whose authors call them guesses. There is one
 * delay, that of the network: NICs send packets when the wire is free and answer at once, so that
 * the delay of the end points, of which the paper keeps a second window, is 0.
 */
class SwiftRdmaCongestionControl : public RdmaCongestionControl
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "a window that keeps the round trip at a target (Kumar et al. 2020)";
    }

    void Start(const Path& path) override;
    void OnAck(const RdmaAck& ack) override;
    void OnLoss(Time now) override;

    RdmaFeedback GetFeedback() const override
    {
        return RdmaFeedback::ROUND_TRIP;
    }

    uint32_t GetWindow() const override
    {
        return m_window < 1 ? 1 : static_cast<uint32_t>(m_window);
    }

    Time GetGap(uint32_t bytes) const override;

    /** \return the target of the round trip. \param hops switches of the path */
    Time GetTarget(uint32_t hops) const;

    /** \return window, packets, which may be below 1 */
    double GetCongestionWindow() const
    {
        return m_window;
    }

    bool ScaleIncrease(double factor) override
    {
        m_scale = factor;
        return true;
    }

  private:
    Ptr<RdmaCongestionControl> DoFork() const override
    {
        return CopyObject<SwiftRdmaCongestionControl>(this);
    }

    void Shrink(double factor, Time now);

    // These members are attributes.
    Time m_base;
    Time m_perHop;
    Time m_range;
    double m_leastScaled;
    double m_mostScaled;
    double m_additive;
    double m_beta;
    double m_maxFactor;
    uint32_t m_initialBytes;
    uint32_t m_maxBytes;
    double m_leastWindow;

    double m_scale{1};       //!< factor of the additive increase
    double m_alpha{0};       //!< alpha of the flow scaling, seconds
    double m_offset{0};      //!< beta of the flow scaling, seconds
    double m_window{1};      //!< congestion window, packets
    double m_most{1};        //!< largest window, packets
    Time m_roundTrip;        //!< smoothed round trip; 0: unknown
    Time m_lastDecrease;     //!< time of the last decrease
    bool m_decreased{false}; //!< whether there was one
};

} // namespace ns3::ddl

#endif // DDL_SWIFT_RDMA_CONGESTION_CONTROL_H
