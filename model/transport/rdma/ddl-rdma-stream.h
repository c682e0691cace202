// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RDMA_STREAM_H
#define DDL_RDMA_STREAM_H

#include "ddl-rdma-receiver.h"
#include "ddl-rdma-sender.h"

#include "ns3/ddl-receiving-stream.h"
#include "ns3/ddl-sending-stream.h"

#include <memory>

namespace ns3::ddl
{

/**
 * The sending end of a stream over a queue pair. The request for the pair travels with its first
 * packets, until one is answered. Close releases everything at once.
 */
class RdmaSendingStream : public SendingStream, public RdmaSender::Client
{
  public:
    static TypeId GetTypeId();

    /**
     * \param request contents of the connection request
     * \param destination the receiving machine
     * \param nic the engine of this machine's NIC, outlives the open stream
     * \param flowLabel the flow label, see StreamHost::Open: the UDP source port of both directions
     *        carries it, as RoCEv2 NICs choose it
     * \param options the options of all queue pairs, outlive the open stream
     */
    RdmaSendingStream(const StreamRequest& request,
                      HostId destination,
                      RdmaNic& nic,
                      uint32_t flowLabel,
                      const RdmaOptions& options);

    StreamCounters GetCounters() const override;

  protected:
    void DoDispose() override;

  private:
    void DoSend(uint64_t bytes, const MessageTag& tag) override;
    void DoSetMark(Mark mark) override;
    void DoClose() override;
    void Acknowledged(uint64_t bytes) override;
    void Release();

    RdmaNic& m_nic;
    std::unique_ptr<RdmaSender> m_sender; //!< sending end of the queue pair, null once closed
    StreamCounters m_final;               //!< counters of the stream, once closed
};

/**
 * The receiving end of a stream over a queue pair, which exists from its first packet on. Close
 * releases everything at once: packets in flight find no queue pair.
 */
class RdmaReceivingStream : public ReceivingStream, public RdmaReceiver::Client
{
  public:
    static TypeId GetTypeId();

    /** \param name the stream's name \param source machine that sends \param host this machine
     * \param nic the engine of this machine's NIC, outlives the open stream
     * \param options the options of all queue pairs, outlive the open stream */
    RdmaReceivingStream(const StreamName& name,
                        HostId source,
                        HostId host,
                        RdmaNic& nic,
                        const RdmaOptions& options);

    /** Called when a packet with a request for this stream has arrived. No effect when connected.
     * \param fields header fields of the packet \return the receiving end of the queue pair */
    RdmaReceiver* Connect(const RoceFields& fields);

    StreamCounters GetCounters() const override;

  protected:
    void DoDispose() override;

  private:
    void DoSetMark(Mark mark) override;
    void DoDisconnect() override;
    void DoClose() override;
    void Deliver(const MessagePiece* pieces, std::size_t count) override;

    RdmaNic& m_nic;
    const RdmaOptions& m_options;
    std::unique_ptr<RdmaReceiver> m_receiver; //!< null until the first packet, and once closed
    uint64_t m_reordered{0};                  //!< reordered packets of earlier queue pairs
};

} // namespace ns3::ddl

#endif // DDL_RDMA_STREAM_H
