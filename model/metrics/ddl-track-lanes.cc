// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-track-lanes.h"

#include "ddl-trace-file.h"

#include <algorithm>

namespace ns3::ddl
{

namespace
{

constexpr uint32_t LANES = 1000000; //!< numbers of a kind; those below are GPUs

uint32_t
GetFirstTrack(TrackKind kind)
{
    return LANES * (1 + static_cast<uint32_t>(kind));
}

std::string
GetName(TrackKind kind)
{
    switch (kind)
    {
    case TrackKind::SEND:
        return "send";
    case TrackKind::RECEIVE:
        return "receive";
    case TrackKind::LOCAL:
        return "inside";
    }
    return "";
}

} // namespace

TrackLanes::TrackLanes(TraceFile& file)
    : m_file(file)
{
}

uint32_t
TrackLanes::Take(HostId host, TrackKind kind)
{
    std::vector<bool>& taken = m_taken[{host, kind}];
    const auto free = std::find(taken.begin(), taken.end(), false);
    const uint32_t lane = free - taken.begin();
    const uint32_t track = GetFirstTrack(kind) + lane;
    if (free == taken.end())
    {
        taken.push_back(true);
        m_file.NameTrack(host.value, track, GetName(kind) + " " + std::to_string(lane));
    }
    taken[lane] = true;
    return track;
}

void
TrackLanes::Free(HostId host, TrackKind kind, uint32_t track)
{
    m_taken.at({host, kind}).at(track - GetFirstTrack(kind)) = false;
}

} // namespace ns3::ddl
