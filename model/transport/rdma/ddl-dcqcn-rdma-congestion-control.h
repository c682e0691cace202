// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_DCQCN_RDMA_CONGESTION_CONTROL_H
#define DDL_DCQCN_RDMA_CONGESTION_CONTROL_H

#include "ddl-rdma-congestion-control.h"

namespace ns3::ddl
{

/**
 * DCQCN (Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015): a rate
 * that congestion notifications reduce, and that a timer and a byte counter raise again. It starts
 * at line rate, with a constant window as a bound, and is made for lossless networks (PFC).
 *
 * One rule is by default that of NICs and of HPCC's simulator instead of the paper's: see
 * ClampTarget.
 *
 * The paper's timers need no events: their effects are computed when the pair sends or is notified.
 */
class DcqcnRdmaCongestionControl : public RdmaCongestionControl
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "a rate cut by congestion notifications (Zhu et al. 2015), for lossless networks";
    }

    void Start(const Path& path) override;

    void OnAck(const RdmaAck& /* ack */) override
    {
    }

    void OnLoss(Time now) override;
    void OnNotification(Time now) override;
    void OnSend(uint32_t bytes, Time now) override;

    uint32_t GetWindow() const override
    {
        return m_window;
    }

    Time GetGap(uint32_t bytes) const override;

    Time GetNotificationInterval() const override
    {
        return m_notificationInterval;
    }

    /** \return sending rate R_C at the last call, bits per second */
    double GetRate() const
    {
        return m_rate;
    }

    /** \return the estimate of congestion, 0 to 1 */
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
        return CopyObject<DcqcnRdmaCongestionControl>(this);
    }

    void Advance(Time now);
    void DecayAlpha(Time now);
    void Increase();

    // These members are attributes.
    double m_gain;
    Time m_notificationInterval;
    Time m_alphaTimer;
    Time m_rateTimer;
    uint64_t m_byteCounter;
    uint32_t m_fastRecovery;
    DataRate m_additive;
    DataRate m_hyper;
    bool m_clampTarget;
    DataRate m_least;
    uint32_t m_windowBytes;

    double m_scale{1};  //!< factor of the increases beyond fast recovery
    double m_line{0};   //!< line rate, bits per second
    double m_rate{0};   //!< present rate R_C, bits per second
    double m_target{0}; //!< target rate R_T, bits per second
    double m_alpha{1};
    bool m_limited{false};    //!< whether the rate is below line rate
    bool m_notified{false};   //!< whether a notification ever came, after which alpha decays
    Time m_nextAlpha;         //!< time of the next decay of alpha
    Time m_nextIncrease;      //!< next expiry of the rate timer
    uint64_t m_bytes{0};      //!< bytes sent since the byte counter last expired
    uint32_t m_timerStage{0}; //!< expiries of the rate timer: T of the paper
    uint32_t m_byteStage{0};  //!< expiries of the byte counter: BC of the paper
    uint32_t m_window{1};     //!< constant window, packets
};

} // namespace ns3::ddl

#endif // DDL_DCQCN_RDMA_CONGESTION_CONTROL_H
