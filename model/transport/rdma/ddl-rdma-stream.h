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
 * packets, until one is answered. Close gives everything back at once.
 */
class RdmaSendingStream : public SendingStream, public RdmaSender::Client
{
  public:
    static TypeId GetTypeId();

    /**
     * \param nic of this machine, outlives the stream's open life
     * \param flowLabel of StreamHost::Open: the UDP source port of both directions carries it, as
     *        RoCEv2 NICs choose it
     * \param options outlive the stream's open life
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
    std::unique_ptr<RdmaSender> m_sender; //!< null once closed
    StreamCounters m_final;               //!< once closed
};

/**
 * The receiving end of a stream over a queue pair, which is there from the first packet on. Close
 * gives everything back at once: packets under way find no queue pair.
 */
class RdmaReceivingStream : public ReceivingStream, public RdmaReceiver::Client
{
  public:
    static TypeId GetTypeId();

    /** \param nic of this machine, outlives the stream's open life \param host that it is
     * \param options outlive the stream's open life */
    RdmaReceivingStream(const StreamName& name,
                        HostId source,
                        HostId host,
                        RdmaNic& nic,
                        const RdmaOptions& options);

    /** A packet with a request for this stream has come. No effect when it is connected.
     * \param fields of the packet \return the end that it is for */
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
    std::unique_ptr<RdmaReceiver> m_receiver; //!< null before the first packet, and once closed
    uint64_t m_reordered{0};                  //!< of queue pairs that are gone
};

} // namespace ns3::ddl

#endif // DDL_RDMA_STREAM_H
