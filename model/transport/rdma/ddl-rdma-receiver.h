// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RDMA_RECEIVER_H
#define DDL_RDMA_RECEIVER_H

#include "ddl-rdma-nic.h"
#include "ddl-rdma-options.h"

#include <map>
#include <vector>

namespace ns3::ddl
{

/**
 * The receiving end of a queue pair: delivers in order, answers when asked, counts congestion
 * marks, and notifies of them when the sender's congestion control wants that. Answers bear the
 * round of the packet that drew them (RdmaFlight).
 *
 * Go-back-N: takes packets in order only. It says once of each gap that a packet is missing, and
 * again to a packet of another round, since the sender may have gone back. Selective repeat: keeps
 * what comes out of order. It says which packets are missing as soon as one arrives whose
 * predecessor has not, and whenever it is asked while something is missing.
 */
class alignas(64) RdmaReceiver
{
  public:
    /** Receives the bytes. */
    class Client
    {
      public:
        virtual ~Client() = default;
        /** More bytes have arrived in order. May destroy the receiver.
         * \param pieces one at least, and so many */
        virtual void Deliver(const MessagePiece* pieces, std::size_t count) = 0;
    };

    /** What the pair is called in the packets with its data. */
    struct Pair
    {
        Ipv4Address source;    //!< where answers go
        uint32_t queuePair{0}; //!< number there, which answers bear
        uint16_t port{0};      //!< UDP source port, of answers too
    };

    /**
     * \param nic of the host, outlives this
     * \param options of all queue pairs
     * \param route of answers
     * \param client called when bytes arrive
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

    /** A packet has come. This may be gone when the call returns. */
    void Receive(const Frame& frame, const RoceFields& fields);

    /** Prefetch what a packet needs. */
    void Prefetch() const
    {
        const auto* const line = reinterpret_cast<const char*>(this);
        for (unsigned i = 0; i < 3; ++i) // to m_marks
        {
            __builtin_prefetch(line + 64 * i);
        }
    }

    /** \return new packets that arrived behind a later one */
    uint64_t GetReordered() const
    {
        return m_reordered;
    }

  private:
    /** Packets with successive PSNs that are kept until those before them have come. */
    struct Kept
    {
        uint64_t end;                     //!< PSN behind them
        std::vector<MessagePiece> pieces; //!< their data
    };

    void NoteMark(Time now);
    void Take(const Frame& frame, const RoceFields& fields);
    void Complain(const RoceFields& fields, Time now);
    void Keep(const Frame& frame, const RoceFields& fields, uint64_t psn);
    void AnswerProbe(const RoceFields& fields, uint64_t psn, Time now);
    void Answer(const RoceFields& fields, Time now);
    void AnswerMissing(const RoceFields& fields, uint64_t from, uint64_t to, Time now);
    void Send(RoceHeader::Opcode opcode, uint8_t round, bool negative, Time now);

    // What each packet needs.
    uint64_t m_expected{0}; //!< PSN
    uint64_t m_highest{0};  //!< PSN behind the last one seen
    Client& m_client;
    RdmaRecovery m_recovery;
    bool m_complained{false}; //!< of the present gap
    uint8_t m_round{0};       //!< of the last complaint
    std::map<uint64_t, Kept>
        m_kept; //!< by first PSN; between them, and before, packets are missing
    uint64_t m_reordered{0};

    // What an answer needs.
    RdmaNic& m_nic;
    RoceHeader m_header;
    RdmaRoute m_route;
    Mark m_mark;
    uint32_t m_marks{0}; //!< packets with CE, modulo 2^32

    Pair m_pair;
    Time m_interval; //!< between notifications; 0: none
    Time m_lastNotification;
    bool m_notified{false}; //!< once at least
};

} // namespace ns3::ddl

#endif // DDL_RDMA_RECEIVER_H
