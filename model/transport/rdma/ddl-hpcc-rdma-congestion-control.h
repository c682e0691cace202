// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_HPCC_RDMA_CONGESTION_CONTROL_H
#define DDL_HPCC_RDMA_CONGESTION_CONTROL_H

#include "ddl-rdma-congestion-control.h"

namespace ns3::ddl
{

/**
 * HPCC (Li et al., HPCC: High Precision Congestion Control, SIGCOMM 2019): switches write into each
 * packet what they have sent and what waits, and the sender sets window and rate so that its most
 * loaded link is used to a little less than all.
 *
 * Algorithm 1 of the paper, with one rate for all links (MULTI_RATE 0 of the authors' simulator,
 * rdma-hw.cc, UpdateRateHp), as their run.py sets it. The window is rate x base round trip, and
 * packets are paced at the rate. Records are compared only with records of the same path that are
 * less than half as old as their clocks can tell.
 */
class HpccRdmaCongestionControl : public RdmaCongestionControl
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "a rate and a window from what switches report about their links (Li et al. 2019)";
    }

    void Start(const Path& path) override;
    void OnAck(const RdmaAck& ack) override;

    void OnLoss(Time /* now */) override
    {
    }

    RdmaFeedback GetFeedback() const override
    {
        return RdmaFeedback::PATH;
    }

    uint32_t GetWindow() const override
    {
        return m_window;
    }

    Time GetGap(uint32_t bytes) const override;

    /** \return sending rate, bits per second */
    double GetRate() const
    {
        return m_rate;
    }

    /** \return the estimate U of the use of the most loaded link, 1: all of it and no queue */
    double GetUtilisation() const
    {
        return m_utilisation;
    }

    bool ScaleIncrease(double factor) override
    {
        m_scale = factor;
        return true;
    }

  private:
    Ptr<RdmaCongestionControl> DoFork() const override
    {
        return CopyObject<HpccRdmaCongestionControl>(this);
    }

    bool IsComparable(const RdmaAck& ack) const;
    bool Measure(const PathTelemetry& path);
    void SetRate(bool isNewRound);
    uint32_t CountWindow() const;

    // These members are attributes.
    double m_target;
    uint32_t m_stages;
    DataRate m_additive;
    DataRate m_least;
    Time m_baseRtt;

    double m_scale{1};       //!< factor of the additive increase
    double m_line{0};        //!< line rate, bits per second
    double m_increase{0};    //!< R_AI, bits per second
    double m_floor{0};       //!< least rate, bits per second
    double m_roundTrip{0};   //!< T of the paper, seconds
    uint32_t m_packet{1};    //!< bytes of a full packet
    double m_rate{0};        //!< present rate R, bits per second
    double m_reference{0};   //!< R_C, the rate of the last round, bits per second
    double m_utilisation{1}; //!< U of the paper
    uint32_t m_stage{0};     //!< additive increases in turn: incStage
    uint64_t m_roundEnd{0};  //!< PSN whose acknowledgement ends the round: lastUpdateSeq
    PathTelemetry m_last;    //!< records of the last acknowledgement: L of the paper
    Time m_lastTime;         //!< time of the last acknowledgement with records
    bool m_isKnown{false};   //!< whether m_last is set
    uint32_t m_window{1};    //!< window, packets
};

} // namespace ns3::ddl

#endif // DDL_HPCC_RDMA_CONGESTION_CONTROL_H
