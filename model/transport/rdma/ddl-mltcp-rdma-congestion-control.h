// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_MLTCP_RDMA_CONGESTION_CONTROL_H
#define DDL_MLTCP_RDMA_CONGESTION_CONTROL_H

#include "ddl-rdma-congestion-control.h"

#include <string>

namespace ns3::ddl
{

/**
 * MLTCP (Rajasekaran et al., MLTCP: A Distributed Technique to Approximate Centralized Flow
 * Scheduling For Machine Learning, HotNets 2024): the additive increase of another control times
 * Slope x r + Intercept, where r is the part of the iteration's bytes that the stream has sent. A
 * job that is ahead gets more of a shared link, so that from iteration to iteration jobs that
 * compete send less and less at the same time.
 *
 * Streams whose bytes per iteration are unknown (control, background) have the other control's
 * increase as it is. In slow start, too, nothing is scaled.
 */
class MltcpRdmaCongestionControl : public RdmaCongestionControl
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "another control whose additive increase grows over an iteration (Rajasekaran et "
               "al. 2024)";
    }

    void Start(const Path& path) override;
    void OnAck(const RdmaAck& ack) override;
    void OnLoss(Time now) override;
    void OnNotification(Time now) override;
    bool PacesPackets() const override;
    void OnSend(uint32_t bytes, Time now) override;
    uint32_t GetWindow() const override;
    Time GetGap(uint32_t bytes) const override;
    RdmaFeedback GetFeedback() const override;
    Time GetNotificationInterval() const override;

    bool NeedsShare() const override
    {
        return true;
    }

    /** \return factor of the additive increase. \param share part of the bytes sent, 0 to 1 */
    double GetFactor(double share) const
    {
        return m_slope * share + m_intercept;
    }

  private:
    Ptr<RdmaCongestionControl> DoFork() const override;

    /** \return the other control, made now if there is none. \throws InputError for one that has no
     * additive increase */
    RdmaCongestionControl& GetControl() const;

    std::string m_name; //!< short name of the other control
    double m_slope;
    double m_intercept;

    mutable Ptr<RdmaCongestionControl> m_control; //!< the other control; null: not needed yet
};

} // namespace ns3::ddl

#endif // DDL_MLTCP_RDMA_CONGESTION_CONTROL_H
