// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-path-telemetry.h"

#include <algorithm>

namespace ns3::ddl
{

namespace
{

constexpr uint64_t SENT_UNIT = 128;   // bytes at 25 Gbps, as in the authors' int-header.h
constexpr uint64_t BACKLOG_UNIT = 80; // bytes at 25 Gbps
constexpr uint64_t UNIT_RATE = 25'000'000'000;
constexpr uint32_t PATH_BITS = 12;
constexpr uint32_t MOST_COUNTED = 15; // the number of hops has 4 bits

/** \return how much larger units are than at 25 Gbps */
uint64_t
GetScale(DataRate rate)
{
    return std::max<uint64_t>(1, (rate.GetBitRate() + UNIT_RATE - 1) / UNIT_RATE);
}

/** \return the lower bits of a number */
constexpr uint64_t
Low(uint64_t value, uint32_t bits)
{
    return value & ((uint64_t{1} << bits) - 1);
}

} // namespace

std::string
PathTelemetry::FindProblem(std::size_t rates)
{
    return rates <= MOST_RATES
               ? ""
               : "telemetry: the ports of switches have " + std::to_string(rates) +
                     " rates, of which records can name " + std::to_string(MOST_RATES);
}

uint64_t
PathTelemetry::GetSentUnit(DataRate rate)
{
    return SENT_UNIT * GetScale(rate);
}

uint64_t
PathTelemetry::GetBacklogUnit(DataRate rate)
{
    return BACKLOG_UNIT * GetScale(rate);
}

void
PathTelemetry::Write(uint8_t* bytes, const Record& record, DataRate rate)
{
    const uint32_t head = uint32_t{bytes[0]} << 8 | bytes[1];
    const uint32_t hops = head >> PATH_BITS;
    const auto path = static_cast<uint32_t>(Low(head ^ record.id, PATH_BITS));
    const uint32_t next = std::min(hops + 1, MOST_COUNTED) << PATH_BITS | path;
    bytes[0] = static_cast<uint8_t>(next >> 8);
    bytes[1] = static_cast<uint8_t>(next);
    if (hops >= MOST_HOPS)
    {
        return;
    }
    const uint64_t most = Low(~uint64_t{0}, BACKLOG_BITS);
    const uint64_t backlog = std::min(record.backlog / GetBacklogUnit(rate), most);
    uint64_t word = Low(record.rate, 4);
    word = word << TIME_BITS | Low(static_cast<uint64_t>(record.time), TIME_BITS);
    word = word << SENT_BITS | Low(record.sent / GetSentUnit(rate), SENT_BITS);
    word = word << BACKLOG_BITS | backlog;
    for (uint32_t i = HOP_BYTES; i-- > 0; word >>= 8)
    {
        bytes[2 + hops * HOP_BYTES + i] = static_cast<uint8_t>(word);
    }
}

PathTelemetry
PathTelemetry::Read(const uint8_t* bytes, const std::vector<DataRate>& rates)
{
    PathTelemetry telemetry;
    const uint32_t head = uint32_t{bytes[0]} << 8 | bytes[1];
    telemetry.hops = head >> PATH_BITS;
    telemetry.path = static_cast<uint32_t>(Low(head, PATH_BITS));
    for (uint32_t i = 0; i < telemetry.GetRecords(); ++i)
    {
        uint64_t word = 0;
        for (uint32_t j = 0; j < HOP_BYTES; ++j)
        {
            word = word << 8 | bytes[2 + i * HOP_BYTES + j];
        }
        Hop& hop = telemetry.hop[i];
        hop.rate = rates.at(word >> (TIME_BITS + SENT_BITS + BACKLOG_BITS));
        hop.time = static_cast<uint32_t>(Low(word >> (SENT_BITS + BACKLOG_BITS), TIME_BITS));
        hop.sent = static_cast<uint32_t>(Low(word >> BACKLOG_BITS, SENT_BITS));
        hop.backlog = Low(word, BACKLOG_BITS) * GetBacklogUnit(hop.rate);
    }
    return telemetry;
}

} // namespace ns3::ddl
