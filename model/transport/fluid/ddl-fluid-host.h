// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FLUID_HOST_H
#define DDL_FLUID_HOST_H

#include "ddl-fluid-engine.h"

#include "ns3/ddl-stream-crossing.h"
#include "ns3/ddl-stream-host.h"

#include <memory>

namespace ns3::ddl
{

/** One machine's part of FluidTransport: it opens fluid streams that begin there; they arrive over
 * StreamCrossings. */
class FluidHost : public StreamHost
{
  public:
    static TypeId GetTypeId();

    /**
     * \param host this machine
     * \param settings the settings that all machines share
     * \param engine the engine that computes the streams' rates
     * \param machines all machines of the transport
     * \param rdmaPaths whether paths are those of RdmaTransport, see MakeFlow
     */
    FluidHost(HostId host,
              std::shared_ptr<StreamSettings> settings,
              std::shared_ptr<FluidEngine> engine,
              std::shared_ptr<const StreamCrossing::Machines> machines,
              bool rdmaPaths);

    /**
     * \param destination machine that receives
     * \param flowLabel the stream's flow label, see StreamHost::Open
     * \param rdmaPaths whether the path is that of RdmaTransport's packets, or of TcpTransport's
     * \return the flow key by which switches choose the stream's path: that of a stream of packets
     */
    static FlowKey MakeFlow(HostId destination, uint32_t flowLabel, bool rdmaPaths);

  private:
    Ptr<SendingStream> DoOpen(const StreamRequest& request,
                              HostId destination,
                              Mark mark,
                              uint32_t flowLabel) override;

    std::shared_ptr<FluidEngine> m_engine;
    std::shared_ptr<const StreamCrossing::Machines> m_machines;
    bool m_rdmaPaths;
};

} // namespace ns3::ddl

#endif // DDL_FLUID_HOST_H
