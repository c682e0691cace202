// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_BACKGROUND_FLOW_H
#define DDL_BACKGROUND_FLOW_H

#include "ns3/application.h"
#include "ns3/data-rate.h"
#include "ns3/ddl-ids.h"
#include "ns3/ddl-priority.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <string>

namespace ns3::ddl
{

class Fabric;
class Transport;

/** Traffic between two hosts that belongs to no job. */
struct BackgroundFlowSpec
{
    enum class Kind
    {
        CONSTANT_RATE, //!< UDP packets of one size, evenly spaced
        ELASTIC        //!< messages on a stream of the transport, as fast as it allows
    };

    Kind kind{Kind::CONSTANT_RATE};
    HostId source;
    HostId destination;        //!< receiving host, not the source
    DataRate rate{"1Gbps"};    //!< CONSTANT_RATE: rate of IPv4 packets, headers included
    uint32_t packetSize{1500}; //!< CONSTANT_RATE: bytes of an IPv4 packet, 29 to the MTU
    uint64_t bytes{1000000};   //!< ELASTIC: bytes of a message, at least 1
    bool repeat{true};         //!< ELASTIC: whether message follows message, or there is one
    Time start{0};             //!< simulated time at which it starts
    Time stop{0};              //!< simulated time at which it stops, after start; 0: never
    Mark mark;                 //!< mark of its packets
};

/**
 * \param flow the flow that the user asked for
 * \param hosts number of hosts of the fabric
 * \return what is wrong with the flow, or ""
 */
std::string CheckBackgroundFlow(const BackgroundFlowSpec& flow, uint32_t hosts);

/**
 * Install a background flow at its hosts, before the flow's start.
 *
 * \param flow the flow that the user asked for
 * \param fabric the network, whose hosts have their stacks
 * \param transport the installed transport, for ELASTIC
 * \param flowLabel the stream's flow label, see StreamHost::Open, for ELASTIC
 * \return the application that sends: a ConstantRateFlow or an ElasticFlow
 * \throws InputError when CheckBackgroundFlow complains, or a constant rate is above its NIC's
 */
Ptr<Application> StartBackgroundFlow(const BackgroundFlowSpec& flow,
                                     Ptr<Fabric> fabric,
                                     Ptr<Transport> transport,
                                     uint32_t flowLabel = 0);

} // namespace ns3::ddl

#endif // DDL_BACKGROUND_FLOW_H
