// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PATH_TELEMETRY_H
#define DDL_PATH_TELEMETRY_H

#include "ns3/data-rate.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * In-band network telemetry (INT) of one packet: what its switches wrote when they sent it on. The
 * format is that of HPCC (Li et al., SIGCOMM 2019, figure 7): 2 bytes with the number of switches
 * and an identifier of the path, then 8 bytes for each of up to five switches. They are 42 bytes
 * of each packet, however many switches write.
 *
 * A record counts in units, modulo its width; differences between the records of two packets of one
 * path are what is meant. The units grow with the rate (`int_multi` of the authors' simulator).
 */
struct PathTelemetry
{
    static constexpr uint32_t MOST_HOPS = 5; //!< switches that find room; later ones write nothing
    static constexpr uint32_t HOP_BYTES = 8; //!< a record on the wire
    static constexpr uint32_t MOST_RATES = 16; //!< the rate of a port is a number of 4 bits
    static constexpr uint32_t BYTES = 2 + MOST_HOPS * HOP_BYTES; //!< all of it on the wire
    static constexpr uint32_t TIME_BITS = 24;                    //!< 16.8 ms
    static constexpr uint32_t SENT_BITS = 20;
    static constexpr uint32_t BACKLOG_BITS = 16;

    /** What a switch wrote. */
    struct Hop
    {
        DataRate rate;       //!< rate of the port
        uint32_t time{0};    //!< time at which the packet began to leave, ns, modulo 2^24
        uint32_t sent{0};    //!< what the port had sent before it, units, modulo 2^20
        uint64_t backlog{0}; //!< bytes that waited when it left

        /** \return ns from an earlier record of this port. \param before at most 16.8 ms older */
        uint32_t TimeSince(const Hop& before) const
        {
            return (time - before.time) % (1U << TIME_BITS);
        }

        /** \return bytes sent since an earlier record of this port */
        uint64_t SentSince(const Hop& before) const
        {
            return uint64_t{(sent - before.sent) % (1U << SENT_BITS)} * GetSentUnit(rate);
        }
    };

    uint32_t hops{0};               //!< number of switches on the path, 15 at most
    uint32_t path{0};               //!< 12 bits, another number for another path or other queues
    std::array<Hop, MOST_HOPS> hop; //!< records of the first switches, in order

    /** \return number of records */
    uint32_t GetRecords() const
    {
        return hops < MOST_HOPS ? hops : MOST_HOPS;
    }

    /** What a port writes into a packet. */
    struct Record
    {
        uint32_t rate{0};    //!< index of the port's rate among those of the network
        uint16_t id{0};      //!< identifier of the port and of what it counts
        int64_t time{0};     //!< ns
        uint64_t sent{0};    //!< bytes
        uint64_t backlog{0}; //!< bytes
    };

    /** \param rates number of rates of the switches' ports \return why records cannot name them,
     * or "" */
    static std::string FindProblem(std::size_t rates);

    /** \return bytes per unit of Hop::sent */
    static uint64_t GetSentUnit(DataRate rate);
    /** \return bytes per unit of a backlog on the wire */
    static uint64_t GetBacklogUnit(DataRate rate);

    /** Add a record to a packet. \param [in,out] bytes the packet's BYTES bytes; zeros: no record
     * \param rate the port's rate, of which `record.rate` is the index */
    static void Write(uint8_t* bytes, const Record& record, DataRate rate);

    /** \param bytes BYTES bytes \param rates the rates of the network's ports, by index */
    static PathTelemetry Read(const uint8_t* bytes, const std::vector<DataRate>& rates);
};

} // namespace ns3::ddl

#endif // DDL_PATH_TELEMETRY_H
