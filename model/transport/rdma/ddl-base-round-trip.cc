// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-base-round-trip.h"

#include "ddl-roce-header.h"

#include "ns3/ddl-fabric.h"
#include "ns3/ddl-link.h"
#include "ns3/ddl-path-telemetry.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace ns3::ddl
{

namespace
{

/** A link from one node, and the time that a packet and its answer need for it. */
struct Leg
{
    uint32_t to{0}; //!< id of the node at the far end
    Time both{};    //!< time for a packet, and for an answer
};

using Legs = std::map<uint32_t, std::vector<Leg>>; // by node id

/** \return the time of a link for a full packet and an acknowledgement */
Time
GetBoth(const Link& link)
{
    const Ptr<Port> port = link.GetPort(0);
    UintegerValue framing;
    port->GetAttribute("FramingBytes", framing);
    const auto beside = static_cast<uint32_t>(framing.Get());
    const uint32_t answer = RoceHeader::ACK_BYTES + PathTelemetry::BYTES + RoceHeader::CRC_BYTES;
    return 2 * link.GetDelay() + port->GetDataRate().CalculateBytesTxTime(port->GetMtu() + beside) +
           port->GetDataRate().CalculateBytesTxTime(answer + beside);
}

/** \return for each switch the way from the given one, over the fewest links */
std::map<uint32_t, BaseRoundTrip>
Measure(const Legs& legs, uint32_t from)
{
    std::map<uint32_t, BaseRoundTrip> ways{{from, {Time(), 1}}};
    std::vector<uint32_t> reached{from};
    for (std::size_t i = 0; i < reached.size(); ++i)
    {
        const BaseRoundTrip way = ways.at(reached[i]);
        for (const Leg& leg : legs.at(reached[i]))
        {
            if (ways.emplace(leg.to, BaseRoundTrip{way.time + leg.both, way.switches + 1}).second)
            {
                reached.push_back(leg.to);
            }
        }
    }
    return ways;
}

} // namespace

BaseRoundTrip
FindBaseRoundTrip(const Fabric& fabric)
{
    Legs legs;
    std::map<uint32_t, std::vector<Time>> longest; // legs of hosts by switch, the two longest
    for (uint32_t i = 0; i < fabric.GetSwitches(); ++i)
    {
        legs[fabric.GetSwitch(i)->GetId()];
    }
    std::set<uint32_t> hosts; // node ids of hosts whose first link, that of the NIC, was seen
    for (uint32_t i = 0; i < fabric.GetLinks(); ++i)
    {
        const Ptr<Link> link = fabric.GetLink(i);
        const uint32_t a = link->GetPort(0)->GetNode()->GetId();
        const uint32_t b = link->GetPort(1)->GetNode()->GetId();
        const bool isA = legs.count(a) > 0;
        const bool isB = legs.count(b) > 0;
        if (isA && isB)
        {
            legs[a].push_back({b, GetBoth(*link)});
            legs[b].push_back({a, GetBoth(*link)});
        }
        else if (isA != isB && hosts.insert(isA ? b : a).second)
        {
            auto& times = longest[isA ? a : b];
            times.push_back(GetBoth(*link));
            std::sort(times.rbegin(), times.rend());
            times.resize(std::min<std::size_t>(2, times.size()));
        }
    }
    BaseRoundTrip most;
    const auto meet = [&most](Time time, uint32_t switches) {
        most = {std::max(most.time, time), std::max(most.switches, switches)};
    };
    for (const auto& [from, near] : longest)
    {
        if (near.size() == 2)
        {
            meet(near[0] + near[1], 1);
        }
        for (const auto& [to, way] : Measure(legs, from))
        {
            const auto far = longest.find(to);
            if (to != from && far != longest.end())
            {
                meet(near[0] + way.time + far->second[0], way.switches);
            }
        }
    }
    return most;
}

} // namespace ns3::ddl
