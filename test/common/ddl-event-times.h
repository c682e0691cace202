// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_EVENT_TIMES_H
#define DDL_EVENT_TIMES_H

#include <array>
#include <cstdint>
#include <ostream>
#include <random>

namespace ns3::ddl
{

/** Distributions of the delays of events, in time steps, for tests of event lists. */
enum class EventTimes
{
    PACKETS,     //!< 84 to 2000, some a few million: as in a fabric with timers, in ns
    RATES,       //!< the times of few lengths of packets: many events coincide
    PICOSECONDS, //!< packets, in a resolution of picoseconds
    INSTANT,     //!< 0 or 1 step
    EDGES,       //!< within one step of the end of a digit of the wheel
    POWERS,      //!< any order of magnitude up to 2^61
    ONE_SLOT,    //!< far ahead, and close together
};

inline std::ostream&
operator<<(std::ostream& stream, EventTimes times)
{
    static const std::array<const char*, 7>
        names{"packets", "rates", "picoseconds", "instant", "edges", "powers", "one slot"};
    return stream << names.at(static_cast<std::size_t>(times));
}

/** \return a delay; equal states of \p random give equal delays */
inline uint64_t
DrawDelay(EventTimes times, std::mt19937_64& random)
{
    static const std::array<uint64_t, 6> lengths{0, 84, 123, 1000, 1230, 4096};
    const uint64_t any = random();
    switch (times)
    {
    case EventTimes::PACKETS:
        return any % 20 ? 84 + (any >> 8) % 1917 : 1000000 + (any >> 8) % 4000000;
    case EventTimes::RATES:
        return lengths[any % lengths.size()];
    case EventTimes::PICOSECONDS:
        return (84 + any % 1917) * 1000;
    case EventTimes::INSTANT:
        return any % 2;
    case EventTimes::EDGES:
        return (uint64_t{4096} << 6 * (any % 8)) - 1 + (any >> 8) % 3;
    case EventTimes::POWERS:
        return (any >> 8) % ((uint64_t{1} << any % 62) + 1);
    case EventTimes::ONE_SLOT:
        return (uint64_t{1} << 40) + any % 100;
    }
    return 0;
}

} // namespace ns3::ddl

#endif // DDL_EVENT_TIMES_H
