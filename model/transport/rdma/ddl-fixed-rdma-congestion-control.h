// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FIXED_RDMA_CONGESTION_CONTROL_H
#define DDL_FIXED_RDMA_CONGESTION_CONTROL_H

#include "ddl-rdma-congestion-control.h"

namespace ns3::ddl
{

/** A constant window: no congestion control. For lossless networks, and for comparisons. */
class FixedRdmaCongestionControl : public RdmaCongestionControl
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "a constant window: no congestion control";
    }

    void Start(const Path& path) override;

    void OnAck(const RdmaAck& /* ack */) override
    {
    }

    void OnLoss(Time /* now */) override
    {
    }

    bool PacesPackets() const override
    {
        return false;
    }

    uint32_t GetWindow() const override
    {
        return m_window;
    }

  private:
    Ptr<RdmaCongestionControl> DoFork() const override
    {
        return CopyObject<FixedRdmaCongestionControl>(this);
    }

    uint32_t m_bytes;
    uint32_t m_window{1}; //!< constant window, packets
};

} // namespace ns3::ddl

#endif // DDL_FIXED_RDMA_CONGESTION_CONTROL_H
