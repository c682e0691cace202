// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FLUID_TRANSPORT_H
#define DDL_FLUID_TRANSPORT_H

#include "ddl-fluid-engine.h"

#include "ns3/ddl-stream-crossing.h"
#include "ns3/ddl-transport.h"

#include <memory>

namespace ns3::ddl
{

/**
 * Streams as fluids: no packets, no windows, no losses, but the rates that ideal packets would have
 * on the same routes, under the same priorities and weights (doc/fluid.md). The cost of a
 * simulation is in proportion to messages and priority changes instead of bytes.
 */
class FluidTransport : public Transport
{
  public:
    static TypeId GetTypeId();

    ~FluidTransport() override;

    std::string GetSummary() const override
    {
        return "no packets: max-min fair rates under the ports' priorities and weights, on the "
               "same routes (Bertsekas and Gallager, 1992)";
    }

    bool HasPackets() const override
    {
        return false;
    }

    bool SharesPorts() const override
    {
        return !m_isolated;
    }

    QueueTraffic GetTraffic(Ptr<Port> port, uint32_t queue) const override;

    /** \return egress ports on the stream's path; acknowledgements are not modelled */
    std::vector<Ptr<Port>> ListPorts(HostId source,
                                     HostId destination,
                                     uint32_t flowLabel) const override;

    /** \return number of recomputations of rates */
    uint64_t GetRecomputations() const;
    /** \return number of rates computed, over all recomputations */
    uint64_t GetComputed() const;
    /** \return number of rates computed that are a compromise (doc/fluid.md) */
    uint64_t GetCompromises() const;

  protected:
    void DoDispose() override;

    std::string FindPathProblem(const PathSelector& selector) const override;

  private:
    void DoInstall() override;
    std::optional<FlowKey> DoGetFlow(HostId destination, uint32_t flowLabel) const override;
    Ptr<StreamHost> DoMakeHost(HostId host, std::shared_ptr<StreamSettings> settings) override;

    uint32_t m_headers;
    bool m_hasFraming;
    bool m_rdmaPaths{false};
    bool m_storesAndForwards;
    Time m_delay;
    double m_contentionCost{0};
    bool m_isolated{false};
    std::shared_ptr<FluidEngine> m_engine; //!< the engine of all streams, null before Install
    std::shared_ptr<StreamCrossing::Machines> m_machines;
};

} // namespace ns3::ddl

#endif // DDL_FLUID_TRANSPORT_H
