// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_IN_BAND_CONTROL_PLANE_H
#define DDL_IN_BAND_CONTROL_PLANE_H

#include "ddl-control-plane.h"

namespace ns3::ddl
{

/**
 * Control messages cross the fabric in queue 0, which is kept for them (Grouper §IV-C). Each path
 * is a stream, which is opened with its first message and has the control mark at both ends. Those
 * of the coordinator stay open; those between machines close when nobody needs them.
 */
class InBandControlPlane : public ControlPlane
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "messages are sent over the fabric in queue 0 (Grouper §IV-C)";
    }

  protected:
    void DoDispose() override;

  private:
    uint64_t DoSend(const Path& path, uint64_t bytes, Callback<void> delivered) override;
    void DoClose(const Path& path) override;

    std::map<Path, Ptr<MessageStream>> m_streams;
};

} // namespace ns3::ddl

#endif // DDL_IN_BAND_CONTROL_PLANE_H
