// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_MLTCP_H
#define DDL_MLTCP_H

#include "ns3/tcp-congestion-ops.h"

#include <functional>
#include <optional>
#include <string>

namespace ns3::ddl
{

/**
 * MLTCP (Rajasekaran et al., HotNets 2024) around another congestion control of ns-3's TCP: what
 * that one adds to the window in congestion avoidance is multiplied by Slope x r + Intercept, where
 * r is the part of the iteration's bytes that the stream has sent. Sockets of which r is unknown
 * are left as they are.
 */
class Mltcp : public TcpCongestionOps
{
  public:
    /** Tells r, 0 to 1; none: unknown. */
    using ShareSource = std::function<std::optional<double>()>;

    static TypeId GetTypeId();

    Mltcp() = default;
    Mltcp(const Mltcp& other);

    /** \param share called at each acknowledgement; may be null */
    void SetShareSource(ShareSource share)
    {
        m_share = std::move(share);
    }

    std::string GetName() const override
    {
        return "Mltcp";
    }

    void Init(Ptr<TcpSocketState> tcb) override;
    uint32_t GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight) override;
    void IncreaseWindow(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked) override;
    void PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override;
    void CongestionStateSet(Ptr<TcpSocketState> tcb,
                            const TcpSocketState::TcpCongState_t newState) override;
    void CwndEvent(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCAEvent_t event) override;
    bool HasCongControl() const override;
    void CongControl(Ptr<TcpSocketState> tcb,
                     const TcpRateOps::TcpRateConnection& rc,
                     const TcpRateOps::TcpRateSample& rs) override;

    Ptr<TcpCongestionOps> Fork() override
    {
        return CopyObject<Mltcp>(this);
    }

  private:
    /** \return the other control, made now if there is none. \throws InputError for one without
     * additive increase */
    TcpCongestionOps& GetControl() const;

    std::string m_name; //!< short or full name of the other control
    double m_slope;
    double m_intercept;

    ShareSource m_share;
    double m_rest{0};                        //!< part of a byte by which the window is too small
    mutable Ptr<TcpCongestionOps> m_control; //!< the other control; null: not needed yet
};

} // namespace ns3::ddl

#endif // DDL_MLTCP_H
