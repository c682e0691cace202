// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RDMA_HOST_H
#define DDL_RDMA_HOST_H

#include "ddl-rdma-nic.h"
#include "ddl-rdma-options.h"

#include "ns3/ddl-stream-host.h"

#include <memory>
#include <set>

namespace ns3::ddl
{

/** The ports of one machine. */
struct RdmaPorts
{
    Ptr<HostPort> nic;
    Ptr<HostPort> scaleUp{};       //!< the port to the server's scale-up switch, or null
    std::set<HostId> neighbours{}; //!< the machines that are reached by it
};

/**
 * One machine's part of RdmaTransport. A queue pair belongs to the port by which its packets leave,
 * and its congestion control knows that port's rate. The sending NIC numbers a queue pair; the
 * receiving NIC identifies the pair by that number and the sending NIC's address. The request for a
 * stream travels with the first packets of its pair, until one is answered: any of them creates the
 * receiving end.
 */
class RdmaHost : public StreamHost, public RdmaNic::Listener
{
  public:
    static TypeId GetTypeId();

    /**
     * \param host this machine
     * \param settings the settings that all machines share
     * \param ports the machine's ports
     * \param options options of the machine's queue pairs
     * \throws InputError when the options do not fit a port
     */
    RdmaHost(HostId host,
             std::shared_ptr<StreamSettings> settings,
             const RdmaPorts& ports,
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

    /** The engine of a port. */
    struct Engine
    {
        std::unique_ptr<RdmaNic> nic; //!< null once disposed of, and without such a port
        RdmaOptions options;
    };

    Engine MakeEngine(Ptr<HostPort> port, const RdmaOptions& options);

    /** \return the engine of the streams to and from another machine */
    const Engine& GetEngine(HostId peer) const
    {
        return m_neighbours.count(peer) > 0 ? m_scaleUp : m_nic;
    }

    Engine m_nic;
    Engine m_scaleUp;
    std::set<HostId> m_neighbours; //!< machines that are reached by m_scaleUp
};

} // namespace ns3::ddl

#endif // DDL_RDMA_HOST_H
