// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TCP_OPTIONS_H
#define DDL_TCP_OPTIONS_H

#include "ns3/nstime.h"
#include "ns3/type-id.h"

#include <cstdint>

namespace ns3
{
namespace ddl
{

/** What a StreamSocket is made of; the attributes of TcpTransport document each. */
struct TcpOptions
{
    TypeId congestionControl;  //!< a TcpCongestionOps
    TypeId recovery;           //!< a TcpRecoveryOps
    uint32_t segmentSize{0};   //!< bytes of data in a full packet
    uint32_t sendBuffer{0};    //!< bytes
    uint32_t receiveBuffer{0}; //!< bytes
    uint32_t initialCwnd{0};   //!< segments
    uint32_t delAckCount{0};   //!< data packets an acknowledgement
    Time minRto;
    Time clockGranularity;
    Time connTimeout;       //!< wait for the first answer to a connection request; doubles
    bool ecn{false};        //!< DCTCP has it in any case
    bool timestamps{false}; //!< RFC 7323; 12 bytes a packet
};

} // namespace ddl
} // namespace ns3

#endif // DDL_TCP_OPTIONS_H
