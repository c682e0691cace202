// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FLUID_HOST_H
#define DDL_FLUID_HOST_H

#include "ddl-fluid-engine.h"

#include "ns3/ddl-stream-crossing.h"
#include "ns3/ddl-stream-host.h"

#include <memory>

namespace ns3::ddl
{

/** One machine's side of FluidTransport: the streams that begin there, as fluids, which arrive over
 * StreamCrossings. */
class FluidHost : public StreamHost
{
  public:
    static TypeId GetTypeId();

    /**
     * \param host this machine
     * \param settings of all machines
     * \param engine that gives streams their rates
     * \param machines with which streams are
     * \param rdmaPaths see MakeFlow
     */
    FluidHost(HostId host,
              std::shared_ptr<StreamSettings> settings,
              std::shared_ptr<FluidEngine> engine,
              std::shared_ptr<const StreamCrossing::Machines> machines,
              bool rdmaPaths);

    /**
     * \param rdmaPaths whether it is RdmaTransport's way, or TcpTransport's
     * \return what switches see of a stream: as they would see one of packets, so that it takes the
     *         same way
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
