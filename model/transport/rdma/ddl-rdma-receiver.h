// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RDMA_RECEIVER_H
#define DDL_RDMA_RECEIVER_H

#include "ddl-rdma-nic.h"
#include "ddl-rdma-options.h"

#include <array>
#include <map>
#include <vector>

namespace ns3::ddl
{

/**
 * The receiving end of a queue pair: delivers in order, answers packets that request it, counts
 * congestion marks, and sends notifications of them when the sender's congestion control wants
 * that. Answers carry the round of the packet that they answer (RdmaFlight).
 *
 * Go-back-N: accepts packets in order only. It reports a gap once, and again for a packet of
 * another round, since the sender may have gone back. Selective repeat: keeps what comes out of
 * order. It reports which packets are missing as soon as one arrives whose predecessor has not, and
 * in every requested answer while packets are missing.
 *
 * Where packets of a pair take several paths (RdmaOptions::isReordered), nothing is reported as
 * missing. Answers say which packets have arrived, and go to the port that the answered packet came
 * from. A packet also draws an answer when it is the last that was missing before one that asked
 * for an answer.
 */
class alignas(64) RdmaReceiver
{
  public:
    /** Receives the bytes that a queue pair delivers. */
    class Client
    {
      public:
        virtual ~Client() = default;
        /** Called when more bytes have arrived in order. May destroy the receiver.
         * \param pieces the bytes, with the ends of messages
         * \param count number of pieces, at least 1 */
        virtual void Deliver(const MessagePiece* pieces, std::size_t count) = 0;
    };

    /** How data packets identify the pair. */
    struct Pair
    {
        Ipv4Address source;    //!< address of the sending NIC, to which answers go
        uint32_t queuePair{0}; //!< the pair's number at that NIC, which answers carry
        uint16_t port{0};      //!< UDP source port of data and of answers
    };

    /**
     * \param nic the host's engine, outlives this
     * \param options the options of all queue pairs
     * \param pair how data packets identify the pair
     * \param route the route of answers
     * \param client callback when bytes arrive
     */
    RdmaReceiver(RdmaNic& nic,
                 const RdmaOptions& options,
                 const Pair& pair,
                 const RdmaRoute& route,
                 Client& client);
    ~RdmaReceiver();
    RdmaReceiver(const RdmaReceiver&) = delete;
    RdmaReceiver& operator=(const RdmaReceiver&) = delete;

    /** Set the mark of answers from now on. */
    void SetMark(Mark mark);

    /** Called when a packet has arrived. This may be destroyed when the call returns. */
    void Receive(const Frame& frame, const RoceFields& fields);

    /** Prefetch what a received packet needs. */
    void Prefetch() const
    {
        const auto* const line = reinterpret_cast<const char*>(this);
        for (unsigned i = 0; i < 3; ++i) // the members up to m_marks
        {
            __builtin_prefetch(line + 64 * i);
        }
    }

    /** \return number of new packets that arrived after a later one */
    uint64_t GetReordered() const
    {
        return m_reordered;
    }

  private:
    /** Packets with successive PSNs that are kept until those before them have arrived. */
    struct Kept
    {
        uint64_t end;                     //!< PSN behind the last of the packets
        std::vector<MessagePiece> pieces; //!< data of the packets
    };

    MessagePiece GetPiece(const Frame& frame, const RoceFields& fields) const;
    void NoteFeedback(const Frame& frame);
    void NoteMark(Time now);
    void SetPort(uint16_t port);
    void AnswerReordered(const Frame& frame, const RoceFields& fields, uint64_t psn);
    uint64_t FindArrived(uint64_t base) const;
    void Take(const Frame& frame, const RoceFields& fields);
    void Complain(const RoceFields& fields, Time now);
    void Keep(const Frame& frame, const RoceFields& fields, uint64_t psn);
    void AnswerProbe(const RoceFields& fields, uint64_t psn, Time now);
    void Answer(const RoceFields& fields, Time now);
    void AnswerMissing(const RoceFields& fields, uint64_t from, uint64_t to, Time now);
    void Send(RoceHeader::Opcode opcode, uint8_t round, bool negative, Time now, bool flag = false);

    // Each packet needs the members from here on.
    uint64_t m_expected{0}; //!< PSN of the next packet in order
    uint64_t m_highest{0};  //!< PSN behind the highest one seen
    Client& m_client;
    RdmaRecovery m_recovery;
    bool m_complained{false};        //!< whether the present gap has been reported
    uint8_t m_round{0};              //!< round of the packet for which a gap was last reported
    bool m_isReordered;              //!< RdmaOptions::isReordered
    uint16_t m_port;                 //!< UDP source port of the last packet, and of answers
    std::map<uint64_t, Kept> m_kept; //!< packets out of order, by first PSN
    uint64_t m_reordered{0};

    // An answer needs the members from here on.
    RdmaNic& m_nic;
    RoceHeader m_header;
    RdmaRoute m_route;
    Mark m_mark;
    uint32_t m_marks{0}; //!< packets with CE received so far, modulo 2^32

    uint64_t m_asked{0};      //!< PSN behind the highest packet that asked for an answer
    uint32_t m_unanswered{0}; //!< packets since the last answer, where they are reordered
    uint32_t m_ackInterval;   //!< RdmaOptions::ackInterval
    RdmaFeedback m_feedback;  //!< RdmaOptions::feedback

    Pair m_pair;
    Time m_interval; //!< least time between notifications; 0: none are sent
    Time m_lastNotification;
    bool m_notified{false}; //!< whether a notification was ever sent

    uint8_t m_echoed{0}; //!< bytes of feedback that came with the packet that has just arrived
    std::array<uint8_t, PathTelemetry::BYTES> m_echo{}; //!< this feedback, for its answers
};

} // namespace ns3::ddl

#endif // DDL_RDMA_RECEIVER_H
