// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RDMA_OPTIONS_H
#define DDL_RDMA_OPTIONS_H

#include "ddl-rdma-congestion-control.h"

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::ddl
{

/** What happens to a packet that arrives while an earlier one is missing. */
enum RdmaRecovery
{
    GO_BACK_N,       //!< it is thrown away; all from the missing packet on is sent again
    SELECTIVE_REPEAT //!< it is kept; only what was lost is sent again
};

/** What all queue pairs of a transport have in common. */
struct RdmaOptions
{
    Ptr<const RdmaCongestionControl> congestionControl; //!< each pair gets a copy
    RdmaRecovery recovery{GO_BACK_N};
    uint32_t payload{0};       //!< bytes of data in a full packet
    uint32_t ackInterval{1};   //!< packets
    uint32_t initialPsn{0};    //!< of the first packet
    Time timeout;              //!< without progress, before the receiver is asked
    Time maxTimeout;           //!< bound of its doubling
    Time notificationInterval; //!< see RdmaCongestionControl::GetNotificationInterval
};

} // namespace ns3::ddl

#endif // DDL_RDMA_OPTIONS_H
