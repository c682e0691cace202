// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RDMA_SCOREBOARD_H
#define DDL_RDMA_SCOREBOARD_H

#include "ns3/nstime.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace ns3::ddl
{

/**
 * The packets in flight of a queue pair whose packets take several paths: which of them have
 * arrived, and which are lost.
 *
 * Paths differ in delay, so a packet that arrives after a later one is late, not lost. As in
 * RACK-TLP (RFC 8985, section 6.2) a packet counts as lost when one that was sent longer than a
 * reordering window after it, under its codepoint (DSCP), has arrived, and it has not. The window
 * is four times the longest round trip of late, which what arrives later makes longer. A round trip
 * is forgotten after 16 to 32 windows, as RACK keeps a longer window for 16 recoveries. A packet of
 * another codepoint proves nothing, as it waits in other queues. Until then a packet that is
 * overtaken by twice one of the latest round trips is a suspect: reason enough to take other paths.
 *
 * That a packet has not arrived takes an answer that says so: answers are lost, wait in queues, and
 * tell of 64 packets only. Where it is missing, GetDoubt asks for a probe.
 *
 * What was sent again proves nothing either, as any of its copies may have arrived.
 */
class RdmaScoreboard
{
  public:
    /**
     * \param psn PSN of the queue pair's first packet
     * \param least least reordering window
     * \param first reordering window before the first round trip is known
     */
    RdmaScoreboard(uint64_t psn, Time least, Time first);

    /** Record that a packet is sent, new ones in order of PSNs. O(1).
     * \param psn PSN of the packet, not below the first that is not acknowledged */
    void Send(uint64_t psn, uint8_t dscp, Time now);

    /** Record that a probe is sent. \param psn, round the probe's PSN, and its own round */
    void SendProbe(uint64_t psn, uint32_t round, uint8_t dscp, Time now);

    /** Record the answer to a packet: a round trip. \param psn the packet's PSN */
    void NoteAnswer(uint64_t psn, Time now);

    /** Record one of the answers to a probe. \param psn, round the probe's PSN and round */
    void NoteProbeAnswer(uint64_t psn, uint32_t round);

    /**
     * Record which packets had arrived when the packet or probe arrived whose answer was noted
     * last. \param base PSN of the first packet that the bitmap is about \param bitmap bit i is set
     * when packet base + i has arrived \return number of packets of which this was not known
     */
    uint32_t NoteArrived(uint64_t base, uint64_t bitmap, Time now);

    /** Record that all packets below \p expected had arrived then, and that one had not.
     * \return as NoteArrived */
    uint32_t Acknowledge(uint64_t expected, Time now);

    /** \return PSNs of packets that are lost and were not returned since they were last sent, by
     * codepoint in the order in which they were sent */
    std::vector<uint64_t> FindLost();

    /** \return codepoint of an overtaken packet of which only a probe can tell whether it is lost,
     * unless one is under way. Call after FindLost */
    std::optional<uint8_t> GetDoubt() const;

    /** \return whether a packet has arrived, as far as is known. \param psn PSN of a packet that
     * was sent */
    bool HasArrived(uint64_t psn) const
    {
        return psn < m_first || (psn - m_first < m_packets.size() && At(psn).hasArrived);
    }

    /** \return number of packets that have arrived while an earlier one is missing */
    uint32_t GetArrivedAhead() const
    {
        return m_arrivedAhead;
    }

    /** \return whether a packet has been overtaken by so much that its path may be dead. Call after
     * FindLost */
    bool HasSuspect() const;

    /** \return the present reordering window */
    Time GetWindow() const;

  private:
    struct Packet
    {
        Time sent;               //!< when it was last sent
        Time missing{-1};        //!< when the latest packet was sent that found it missing
        uint8_t dscp{0};         //!< codepoint under which it was last sent
        bool hasArrived{false};  //!< whether it is known to have arrived
        bool wasRepeated{false}; //!< whether it was sent more than once
        bool isLost{false};      //!< whether FindLost has returned it since it was last sent
    };

    struct Sending
    {
        uint64_t psn;
        Time sent;
    };

    /** What was sent under one codepoint. */
    struct Lane
    {
        std::deque<Sending> inFlight; //!< packets in order of sending, from the oldest one on that
                                      //!< was not overtaken by more than the window
        std::deque<Sending>
            overtaken;     //!< earlier ones of which no answer says whether they arrived
        Time latest{-1};   //!< when the latest one that has arrived was sent
        Time probed{-1};   //!< when the latest probe was sent
        Time answered{-1}; //!< when the latest probe was sent that is answered
    };

    struct Probe
    {
        uint64_t psn;
        uint32_t round;
        uint8_t dscp;
        Time sent;
    };

    /** The packet or probe whose answer was noted last. */
    struct Answered
    {
        uint8_t dscp{0};
        Time sent{-1}; //!< when it was sent; negative: not known
        bool isProbe{false};
    };

    Packet& At(uint64_t psn)
    {
        return m_packets[psn - m_first];
    }

    const Packet& At(uint64_t psn) const
    {
        return m_packets[psn - m_first];
    }

    void NoteRoundTrip(Time sample, Time now);
    bool Arrive(uint64_t psn, Time now);
    void NoteMissing(uint64_t psn);
    void Prove(uint8_t dscp, Time sent);
    bool IsInFlight(const Sending& sending) const;
    bool TakeIfLost(const Sending& sending, std::vector<uint64_t>& lost);
    void Examine(Lane& lane, std::vector<uint64_t>& lost);

    static constexpr int64_t PERIOD = 16;

    Time m_least;
    Time m_roundTrip; //!< longest of the latest round trips, falling slowly
    Time m_longest;   //!< longest round trip of the present period
    Time m_before{};  //!< longest round trip of the period before
    Time m_periodEnd; //!< end of the present period of PERIOD windows
    bool m_isMeasured{false};
    uint64_t m_first;                //!< PSN of m_packets[0], the first that is not acknowledged
    uint32_t m_arrivedAhead{0};      //!< packets of m_packets that have arrived
    std::deque<Packet> m_packets;    //!< packets in flight, by PSN
    std::map<uint8_t, Lane> m_lanes; //!< by codepoint
    std::deque<Probe> m_probes;      //!< probes in order of sending
    Answered m_answered;
};

} // namespace ns3::ddl

#endif // DDL_RDMA_SCOREBOARD_H
