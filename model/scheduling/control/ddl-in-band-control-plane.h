// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_IN_BAND_CONTROL_PLANE_H
#define DDL_IN_BAND_CONTROL_PLANE_H

#include "ddl-control-plane.h"

#include "ns3/ddl-receiving-stream.h"
#include "ns3/ddl-sending-stream.h"

#include <deque>
#include <map>
#include <utility>

namespace ns3::ddl
{

/**
 * Control messages cross the fabric in queue 0, which carries nothing else by default (Grouper
 * §IV-C). Each path is a stream, opened with its first message, with the control mark at both ends.
 * Streams to and from the coordinator stay open; those between other machines close when the last
 * user has left.
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
    /** The two ends of a path's stream, and what they keep until it has arrived. */
    struct Ends
    {
        Ptr<SendingStream> sending;
        Ptr<ReceivingStream> receiving;
        std::deque<std::pair<uint64_t, ControlMessage>> transit; //!< number and contents, in the
                                                                 //!< order of sending
    };

    uint64_t DoSend(const Path& path, uint64_t bytes, const ControlMessage& message) override;
    void DoClose(const Path& path) override;
    void Open(const Path& path, Ends& ends);

    std::map<Path, Ends> m_streams;
    uint64_t m_sent{0}; //!< messages sent on all paths
};

} // namespace ns3::ddl

#endif // DDL_IN_BAND_CONTROL_PLANE_H
