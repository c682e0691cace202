// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RDMA_FLIGHT_H
#define DDL_RDMA_FLIGHT_H

#include "ddl-roce-header.h"

#include <array>
#include <map>
#include <set>

namespace ns3::ddl
{

/**
 * The packets in flight of one queue pair: in which order, and under which codepoint (DSCP), each
 * was last sent. This tells a lost packet from a late one.
 *
 * Packets of one queue pair and one codepoint share a path, and a queue at each port, so they
 * arrive in the order in which they were sent. A packet is lost exactly when one that was sent
 * after it under its codepoint has arrived and it has not. A packet of another codepoint proves
 * nothing: a stream that was moved to a higher priority overtakes its own packets.
 *
 * A *round* is a sequence of packets under one codepoint with ascending PSNs; packets carry its
 * number. So round and PSN of a packet say when it was sent. A new round begins when the codepoint
 * changes, and when an earlier PSN is sent again. The packet carries 7 bits of the number: what was
 * sent 128 or more rounds ago may be taken for lost too early.
 */
class RdmaFlight
{
  public:
    /** \param psn PSN of the queue pair's first packet */
    explicit RdmaFlight(uint64_t psn);

    /**
     * Record that a packet or a probe is sent. O(1) but for retransmissions and changes of
     * codepoint.
     * \param psn the packet's PSN; for a probe, that of the next new packet
     * \return the round to write on it
     */
    uint32_t Send(uint64_t psn, uint8_t dscp, bool isProbe)
    {
        if (dscp != m_dscp || psn < m_behind || m_begin)
        {
            BeginRound(dscp);
        }
        m_behind = isProbe ? psn : psn + 1;
        if (!isProbe && (psn < m_end || m_rowRound != m_round))
        {
            Note(psn);
        }
        m_end = m_behind > m_end ? m_behind : m_end;
        return m_round;
    }

    /** Let the next packet or probe begin a round. */
    void EndRound()
    {
        m_begin = true;
    }

    /** Record that all packets below \p expected have arrived. */
    void Acknowledge(uint64_t expected)
    {
        if (m_rows.size() > 1 || !m_lost.empty())
        {
            Forget(expected);
        }
    }

    /** Record that all packets from \p psn on will be sent again. \return the round that begins */
    uint32_t GoBack(uint64_t psn);

    /**
     * Record which of the missing packets are lost.
     * \param from, to the receiver misses the packets of these PSNs, \p to not included
     * \param psn, round PSN and round of the packet that had arrived
     * \return PSN of the first lost packet that was not known to be lost, or \p to
     */
    uint64_t FindLost(uint64_t from, uint64_t to, uint64_t psn, uint32_t round);

    /** Record that a packet is lost. \param psn its PSN, sent and unacknowledged */
    void AddLost(uint64_t psn)
    {
        m_lost.insert(psn);
    }

    /** Record that a packet is not lost. */
    void RemoveLost(uint64_t psn)
    {
        m_lost.erase(psn);
    }

    /** \return PSNs of lost packets that have not been sent again */
    const std::set<uint64_t>& GetLost() const
    {
        return m_lost;
    }

    /** \return the codepoint under which a packet was last sent. \param psn its PSN, sent and
     * unacknowledged */
    uint8_t GetDscp(uint64_t psn) const;

    /** \return PSN behind the packets that follow a packet in its round. \param psn its PSN, sent
     * and unacknowledged */
    uint64_t GetRoundEnd(uint64_t psn) const;

    /** \return the latest round whose number ends in the 7 bits that an answer carries */
    uint32_t GetRound(uint8_t bits) const
    {
        return m_round - (m_round - bits) % RoceHeader::ROUNDS;
    }

  private:
    static constexpr uint32_t NO_ROUND = ~0U; //!< number before that of round 0

    /** Packets with successive PSNs that were last sent in the same round. */
    struct Row
    {
        uint32_t round;
        uint8_t dscp;
    };

    void BeginRound(uint8_t dscp);
    void Note(uint64_t psn);
    void Forget(uint64_t expected);

    // What each packet needs comes first, m_lost too, as the standard library keeps a set's size
    // at its end.
    uint32_t m_round{NO_ROUND};    //!< present round
    uint32_t m_rowRound{NO_ROUND}; //!< round of the row that reaches to m_end
    uint8_t m_dscp{0};             //!< codepoint of the present round
    bool m_begin{true};            //!< whether the next packet begins a round in any case
    std::set<uint64_t> m_lost;
    uint64_t m_end;                 //!< PSN behind the highest one that was sent
    uint64_t m_behind;              //!< PSN behind the packet or probe sent last
    std::map<uint64_t, Row> m_rows; //!< rows by first PSN; each ends at the next, or m_end
    std::array<uint8_t, RoceHeader::ROUNDS> m_dscps{}; //!< codepoints of the latest rounds
};

} // namespace ns3::ddl

#endif // DDL_RDMA_FLIGHT_H
