// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RDMA_RECEIVER_H
#define DDL_RDMA_RECEIVER_H

#include "ddl-rdma-nic.h"

namespace ns3
{
namespace ddl
{

/**
 * The receiving end of a queue pair: takes packets in order only, answers when asked, and says once
 * of each gap, and again when it is there again after the sender went back, that a packet is
 * missing. Answers bear the round of the packet that they answer. Counts congestion marks, and
 * notifies of them when the sender's congestion control wants that.
 */
class RdmaReceiver
{
  public:
    /** Who gets the bytes. */
    class Client
    {
      public:
        virtual ~Client() = default;
        /** More bytes have arrived in order. May destroy the receiver. */
        virtual void Deliver(uint64_t bytes) = 0;
    };

    /** \param nic of the host, outlives this \param client told of what arrives */
    RdmaReceiver(RdmaNic& nic, Client& client);
    ~RdmaReceiver();
    RdmaReceiver(const RdmaReceiver&) = delete;
    RdmaReceiver& operator=(const RdmaReceiver&) = delete;

    /**
     * Before the first packet.
     * \param source where answers go
     * \param psn of the first packet
     * \param interval see RdmaCongestionControl::GetNotificationInterval
     */
    void Connect(Ipv4Address source,
                 const RdmaRoute& route,
                 uint16_t port,
                 uint32_t queuePair,
                 uint32_t psn,
                 Time interval);

    /** \return number of this queue pair at its NIC */
    uint32_t GetQueuePair() const;

    /** Write this on answers from now on. */
    void SetMark(Mark mark);

    /** A packet has come. This may be gone when the call returns. */
    void Receive(const Frame& frame, const RoceFields& fields);

    /** \return new packets that arrived behind a later one */
    uint64_t GetReordered() const;

  private:
    void NoteMark(Time now);
    void Take(const Frame& frame, const RoceFields& fields);
    void Answer(RoceHeader::Opcode opcode, uint8_t round, bool negative, Time now);

    RdmaNic& m_nic;
    Client& m_client;
    RoceHeader m_header;
    RdmaRoute m_route;
    Mark m_mark;
    uint32_t m_queuePair;
    Time m_interval; //!< between notifications; 0: none
    Time m_lastNotification;
    uint64_t m_expected{0};   //!< PSN
    uint64_t m_highest{0};    //!< PSN behind the last one seen
    uint32_t m_marks{0};      //!< packets with CE, modulo 2^32
    bool m_complained{false}; //!< of the present gap
    uint8_t m_round{0};       //!< of the last complaint
    bool m_notified{false};   //!< once at least
    uint64_t m_reordered{0};
};

} // namespace ddl
} // namespace ns3

#endif // DDL_RDMA_RECEIVER_H
