// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RDMA_SENDER_H
#define DDL_RDMA_SENDER_H

#include "ddl-rdma-congestion-control.h"
#include "ddl-rdma-flight.h"
#include "ddl-rdma-nic.h"
#include "ddl-rdma-options.h"
#include "ddl-rdma-scoreboard.h"
#include "ddl-reps-entropies.h"

#include "ns3/ddl-persistent-event.h"
#include "ns3/ddl-stream.h"

#include <deque>
#include <memory>
#include <optional>

namespace ns3::ddl
{

/**
 * The sending end of a queue pair: cuts what is posted into packets, keeps within the window, and
 * sends again what the receiver does not have.
 *
 * Go-back-N: when the receiver says that a packet is missing, all from that one on is sent again.
 * Such an answer counts only when the packet that it answers was sent after the last going back.
 * Selective repeat: the receiver says which packets are missing, and those of them that are lost
 * (RdmaFlight) are sent again before anything else, but none further ahead than the window.
 *
 * Where packets take several paths (RdmaOptions::isReordered), answers say which packets have
 * arrived, and RdmaScoreboard says which of the others are lost. What has arrived is not in
 * transit: the window moves on although an earlier packet is missing.
 *
 * The timer sends no data but a probe, which asks the receiver whether anything sent before it is
 * missing. It has the codepoint of the first unacknowledged packet, and so waits behind that
 * packet in the same queues: its answer proves what is lost, and starvation of any length costs one
 * probe of 82 bytes (with framing) per MaxTimeout. A probe is also sent when the window has shrunk
 * below what was sent without a request for an answer, and when RdmaScoreboard is in doubt.
 *
 * Members are in the order in which a packet needs them, as with thousands of hosts each cache line
 * of a sender is a cache miss.
 *
 * Invariants: acknowledged <= next <= end, next <= highest <= end (next = highest with selective
 * repeat); a timer is pending while packets are in flight.
 */
class alignas(64) RdmaSender : public RdmaReadyHook
{
  public:
    /** Receives acknowledgements. */
    class Client
    {
      public:
        virtual ~Client() = default;
        /** Called when more bytes have been acknowledged. May destroy the sender. */
        virtual void Acknowledged(uint64_t bytes) = 0;
        /** \return part of the iteration's bytes of which Acknowledged has told; none: unknown */
        virtual std::optional<double> GetIterationShare() const = 0;
    };

    /** \param nic the host's engine, outlives this \param options the options of all queue pairs,
     * outlive this */
    RdmaSender(RdmaNic& nic, const RdmaOptions& options);
    ~RdmaSender();
    RdmaSender(const RdmaSender&) = delete;
    RdmaSender& operator=(const RdmaSender&) = delete;

    /** Connect the pair, before the first packet. \param request request that packets carry until
     * one is answered, with index and number of the pairs \param destination the receiving host
     * \param port UDP source port \param client callback for acknowledgements */
    void Connect(const RdmaNote& request, HostId destination, uint16_t port, Client& client);

    /** Take the path of another UDP source port, as soon as nothing is in flight. Without effect
     * where each packet has its own (RdmaOptions::entropy). */
    void SetPort(uint16_t port);

    /** \return the port that was given last to Connect or SetPort */
    uint16_t GetPort() const
    {
        return m_newPort;
    }

    Time GetNotificationInterval() const; //!< \return that of the congestion control

    /** Send a message behind those posted before. \param bytes length of the message, not 0
     * \param tag contents of the message */
    void Post(uint64_t bytes, const MessageTag& tag);

    /** Set the mark of packets that are made from now on. */
    void SetMark(Mark mark);

    /** \return the mark of the next packet */
    Mark GetMark() const
    {
        return m_mark;
    }

    /** \return whether a packet can be made now */
    bool IsReady() const
    {
        return CanProbe() || (HasData() && !m_paced && !m_nic.IsPaused(m_mark.dscp));
    }

    /** \return the next packet. \pre IsReady() */
    Frame* MakePacket(Time now);

    /** Called when an answer has arrived. This may be destroyed when the call returns. \param
     * fields the answer's header fields \param feedback the feedback that it brings back, or null
     */
    void Receive(const RoceFields& fields, Time now, const uint8_t* feedback);

    /** Prefetch what a packet to send needs. */
    void Prefetch() const
    {
        const auto* const line = reinterpret_cast<const char*>(this);
        for (unsigned i = 0; i < 7; ++i) // the members up to the sizes and ends in m_flight
        {
            __builtin_prefetch(line + 64 * i);
        }
    }

    /** \return counters of sent packets */
    const StreamCounters& GetCounters() const
    {
        return m_counters;
    }

  private:
    /** A message given in one Post, which fills packets of its own. */
    struct Work
    {
        uint64_t first;   //!< PSN of its first packet
        uint64_t packets; //!< number of its packets, at least 1
        uint64_t bytes;
        MessageTag tag;
    };

    /** \return whether the packet with that PSN is within the window */
    bool HasWindow(uint64_t psn) const
    {
        return psn == m_acknowledged || psn - m_acknowledged < m_window;
    }

    /** \return PSN of the next packet to send: lost ones go first */
    uint64_t GetNext() const
    {
        return m_flight.GetLost().empty() ? m_next : *m_flight.GetLost().begin();
    }

    bool HasData() const
    {
        const uint64_t psn = GetNext();
        return psn < m_end && HasWindow(psn);
    }

    bool CanProbe() const
    {
        return m_probe && !m_nic.IsPaused(GetProbeDscp());
    }

    uint8_t GetProbeDscp() const
    {
        return m_doubt ? *m_doubt : m_flight.GetDscp(m_acknowledged);
    }

    uint64_t CountAcknowledged() const;
    Frame* MakeData(Time now);
    Frame* MakeProbe(Time now);
    const Work& GetPresent();
    const Work& FindWork(uint64_t psn) const;
    static RoceHeader::Opcode GetOpcode(const Work& work, uint64_t psn);
    uint32_t GetPayload(const Work& work, uint64_t psn) const;
    void Pace(uint32_t bytes, Time now);
    void AddFeedback(Frame* frame, Time now) const;
    void Tell(RdmaAck& ack, Time now, const uint8_t* feedback);
    void TakeAnswer(const RoceFields& fields, Time now, const uint8_t* feedback);
    void TakeArrivals(const RoceFields& fields, Time now, const uint8_t* feedback);
    void RepeatLost(Time now);
    void UsePort(uint16_t port);
    void ChoosePort(Time now);
    uint64_t Unwrap(uint32_t psn) const;
    uint32_t CountMarks(const RoceFields& fields);
    uint32_t Acknowledge(uint64_t expected, Time now);
    void Recover(const RoceFields& fields, Time now);
    void GoBack(Time now);
    void Repeat(const RoceFields& fields, Time now);
    void ReadWindow();
    void NoteProgress(Time now);
    void WaitForAnswer(Time now);
    void OnTimer();
    void OnPace();

    using Timer = PersistentEvent<RdmaSender, &RdmaSender::OnTimer>;
    using Pacer = PersistentEvent<RdmaSender, &RdmaSender::OnPace>;

    // Each packet needs the members from here on.
    Mark m_mark;
    bool m_paced{false};        //!< whether the next packet must wait for the rate
    bool m_probe{false};        //!< whether a probe is the next packet
    bool m_timerPending{false}; //!< whether m_timer is pending
    bool m_paces{false};        //!< whether the congestion control paces packets
    bool m_turns{false};        //!< whether m_newPort waits until nothing is in flight
    uint32_t m_window{1};       //!< window, packets
    uint64_t m_acknowledged;    //!< PSN up to which all packets are acknowledged
    uint64_t m_next;            //!< PSN of the next packet, except lost ones
    uint64_t m_end;             //!< PSN behind all that was posted
    uint64_t m_highest;         //!< PSN behind the last one ever sent
    RdmaNic& m_nic;
    const RdmaOptions& m_options;
    std::optional<Work> m_present; //!< copy of m_work[m_current]; none: look it up
    uint64_t m_asked{0};           //!< PSN up to which an answer was requested
    Time m_timerAt;                //!< expiry of the pending timer, at the deadline or before it
    Time m_deadline;               //!< time at which a probe is sent
    StreamCounters m_counters;
    RoceHeader m_header;
    RdmaRoute m_route;
    RdmaFlight m_flight;
    std::unique_ptr<RdmaScoreboard> m_board; //!< null: packets do not overtake each other
    std::optional<uint8_t> m_doubt;          //!< RdmaScoreboard::GetDoubt; none after a probe

    // An answer also needs the members from here on.
    Time m_progress; //!< time of the last progress, or of the start of sending
    Time m_timeout;  //!< present timeout
    Ptr<RdmaCongestionControl> m_control;
    Client* m_client{nullptr};
    bool m_needsShare{false}; //!< whether the congestion control does
    uint64_t m_told{0};       //!< acknowledged bytes that the client knows of
    uint64_t m_workDone{0};   //!< bytes of messages that are wholly acknowledged
    std::deque<Work> m_work;  //!< messages that are not wholly acknowledged
    std::size_t m_current{0}; //!< index in m_work of the message of packet m_next
    uint32_t m_marks{0};      //!< receiver's count of packets with CE, in its last answer

    uint32_t m_queuePair;
    RdmaNote m_request;
    uint16_t m_newPort{0};                      //!< UDP source port from when nothing is in flight
    std::unique_ptr<RepsEntropies> m_entropies; //!< null: all packets have one source port
    uint32_t m_goneBack{0};                     //!< round that began when the sender last went back
    uint64_t m_recovered{0}; //!< PSN below which the congestion control knows of losses
    Ptr<Timer> m_timer;
    Ptr<Pacer> m_pacer;
};

} // namespace ns3::ddl

#endif // DDL_RDMA_SENDER_H
