// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RDMA_HOST_H
#define DDL_RDMA_HOST_H

#include "ddl-rdma-nic.h"
#include "ddl-rdma-options.h"

#include "ns3/ddl-stream-host.h"

#include <memory>

namespace ns3::ddl
{

/**
 * One machine's part of RdmaTransport. The sending NIC numbers a queue pair; the receiving NIC
 * identifies the pair by that number and the sending NIC's address. The request for a stream
 * travels with the first packets of its pair, until one is answered: any of them creates the
 * receiving end.
 */
class RdmaHost : public StreamHost, public RdmaNic::Listener
{
  public:
    static TypeId GetTypeId();

    /**
     * \param host this machine
     * \param settings the settings that all machines share
     * \param port the machine's NIC
     * \param options options of the machine's queue pairs
     * \throws InputError when the options do not fit the NIC
     */
    RdmaHost(HostId host,
             std::shared_ptr<StreamSettings> settings,
             Ptr<HostPort> port,
             const RdmaOptions& options);
    ~RdmaHost() override;

  protected:
    void DoDispose() override;

  private:
    Ptr<SendingStream> DoOpen(const StreamRequest& request,
                              HostId destination,
                              Mark mark,
                              uint32_t flowLabel) override;
    Ptr<ReceivingStream> DoMakeReceiving(const StreamName& name, HostId source) override;
    RdmaReceiver* Connect(const RdmaNote& note, const RoceFields& fields) override;

    RdmaOptions m_options;
    std::unique_ptr<RdmaNic> m_nic; //!< the engine of this machine's NIC, null once disposed of
};

} // namespace ns3::ddl

#endif // DDL_RDMA_HOST_H
