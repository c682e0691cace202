// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_EVENT_TIMES_H
#define DDL_EVENT_TIMES_H

#include <array>
#include <cstdint>
#include <ostream>
#include <random>

namespace ns3::ddl
{

/** How far ahead events are scheduled, in time steps, for tests of event lists. */
enum class EventTimes
{
    PACKETS,     //!< 84 to 2000, some a few million: nanoseconds of a fabric and its timers
    RATES,       //!< a few lengths of packets only: many events at equal times
    PICOSECONDS, //!< packets in a fine resolution
    INSTANT,     //!< 0 or 1
    EDGES,       //!< within one step of where a digit of the wheel ends
    POWERS,      //!< any order of magnitude up to 2^61
    ONE_SLOT,    //!< far, and close together
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
