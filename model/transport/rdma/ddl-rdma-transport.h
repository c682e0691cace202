// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RDMA_TRANSPORT_H
#define DDL_RDMA_TRANSPORT_H

#include "ddl-rdma-options.h"

#include "ns3/ddl-transport.h"

#include <string>

namespace ns3::ddl
{

/**
 * Streams over RDMA queue pairs: RoCEv2 packets, made by the NIC when the wire is free for them, a
 * window or rate that reacts to ECN, go-back-N or selective repeat. The first packets of a queue
 * pair carry the request for it; there is no handshake. Hosts need no IP stack.
 */
class RdmaTransport : public Transport
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "RoCEv2 queue pairs scheduled by the NIC, go-back-N or selective repeat";
    }

    std::string FindPathProblem(const PathSelector& selector) const override;
    std::string FindNetworkProblem(const TopologySpec& topology) const override;

    /** \return whether streams take several paths by source ports of their own */
    bool HasManyPaths() const
    {
        return m_queuePairs > 1 || m_entropy != ENTROPY_FLOW;
    }

  private:
    void DoInstall() override;
    Ptr<StreamHost> DoMakeHost(HostId host, std::shared_ptr<StreamSettings> settings) override;

    std::optional<FlowKey> DoGetFlow(HostId destination, uint32_t flowLabel) const override;

    /** \return what the packets of the congestion control carry */
    RdmaFeedback FindFeedback() const;
    void AskForRecords();
    /** \return the attributes, checked, and the payload that fits the hosts' least MTU */
    RdmaOptions ReadOptions() const;

    std::string m_congestionControl;
    RdmaRecovery m_recovery;
    uint32_t m_ackInterval;
    uint32_t m_initialPsn;
    Time m_timeout;
    Time m_maxTimeout;
    uint32_t m_queuePairs;
    RdmaEntropy m_entropy;
    uint32_t m_entropies;
    Time m_reordering;

    RdmaOptions m_options; //!< the answer of ReadOptions at Install
};

} // namespace ns3::ddl

#endif // DDL_RDMA_TRANSPORT_H
