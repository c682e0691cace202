// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RDMA_STREAM_H
#define DDL_RDMA_STREAM_H

#include "ddl-rdma-receiver.h"
#include "ddl-rdma-sender.h"

#include "ns3/ddl-receiving-stream.h"
#include "ns3/ddl-sending-stream.h"

#include <deque>
#include <memory>
#include <vector>

namespace ns3::ddl
{

/**
 * The sending end of a stream over one or more queue pairs, to which messages are dealt in turn.
 * The request for a pair travels with its first packets, until one is answered. Close releases
 * everything at once.
 */
class RdmaSendingStream : public SendingStream
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
    std::vector<FlowKey> ListFlows() const override;

    /** \return the UDP source port of a stream's queue pair. \param pair its index; the first has
     * the stream's own label, the others labels that follow from it by hash */
    static uint16_t GetPort(uint32_t flowLabel, std::size_t pair);

  protected:
    void DoDispose() override;

  private:
    void DoSend(uint64_t bytes, const MessageTag& tag) override;
    void DoSetMark(Mark mark) override;
    void DoClose() override;
    bool DoSetPath(uint32_t flowLabel) override;
    void Release();

    /** One of the queue pairs. */
    struct Pair : public RdmaSender::Client
    {
        Pair(RdmaSendingStream& stream, RdmaNic& nic, const RdmaOptions& options);
        void Acknowledged(uint64_t bytes) override;

        std::optional<double> GetIterationShare() const override
        {
            return stream.GetIterationShare();
        }

        RdmaSendingStream& stream;
        RdmaSender sender;
        uint64_t untold{0}; //!< acknowledged bytes that the stream has not been told of
    };

    /** A message that is not wholly acknowledged. */
    struct Dealt
    {
        std::size_t pair; //!< index of its queue pair
        uint64_t left;    //!< bytes that the stream has not been told of
    };

    void Tell();

    RdmaNic& m_nic;
    const RdmaOptions& m_options;
    std::vector<std::unique_ptr<Pair>> m_pairs; //!< the queue pairs; none once closed
    std::deque<Dealt> m_dealt;                  //!< with several pairs: messages, in order
    std::size_t m_turn{0};                      //!< index of the next message's pair
    StreamCounters m_final;                     //!< counters of the stream, once closed
};

/**
 * The receiving end of a stream over queue pairs, each of which exists from its first packet on. Of
 * several pairs, messages are delivered in turn, in the order in which they were sent. Close
 * releases everything at once: packets in flight find no queue pair.
 */
class RdmaReceivingStream : public ReceivingStream
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
     * \param note note of the packet \param fields header fields of the packet \return the
     * receiving end of the queue pair */
    RdmaReceiver* Connect(const RdmaNote& note, const RoceFields& fields);

    StreamCounters GetCounters() const override;

  protected:
    void DoDispose() override;

  private:
    void DoSetMark(Mark mark) override;
    void DoDisconnect() override;
    void DoClose() override;

    /** One of the queue pairs. */
    struct Pair : public RdmaReceiver::Client
    {
        Pair(RdmaReceivingStream& stream, const RdmaReceiver::Pair& name);
        void Deliver(const MessagePiece* pieces, std::size_t count) override;

        RdmaReceivingStream& stream;
        RdmaReceiver receiver;
        std::deque<MessagePiece> waiting; //!< what arrived before its turn
    };

    void Deliver(const MessagePiece* pieces, std::size_t count);
    void DeliverInTurn();

    RdmaNic& m_nic;
    const RdmaOptions& m_options;
    std::vector<std::unique_ptr<Pair>> m_pairs; //!< by index; null until the first packet
    std::size_t m_turn{0};                      //!< index of the pair whose message is next
    uint64_t m_reordered{0};                    //!< reordered packets of earlier queue pairs
};

} // namespace ns3::ddl

#endif // DDL_RDMA_STREAM_H
