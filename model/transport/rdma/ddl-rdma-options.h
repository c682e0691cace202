// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RDMA_OPTIONS_H
#define DDL_RDMA_OPTIONS_H

#include "ddl-rdma-congestion-control.h"
#include "ddl-roce-header.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3::ddl
{

/** What happens to a packet that arrives while an earlier one is missing. */
enum RdmaRecovery
{
    GO_BACK_N,       //!< it is dropped; all packets from the missing one on are sent again
    SELECTIVE_REPEAT //!< it is kept; only lost packets are sent again
};

/** \return bytes of payload in a full packet. \param mtu bytes of the largest packet, at least 576
 * \param feedback what packets carry beside it */
constexpr uint32_t
GetRdmaPayload(uint32_t mtu, RdmaFeedback feedback)
{
    return mtu - RoceHeader::DATA_BYTES - GetFeedbackBytes(feedback) - RoceHeader::CRC_BYTES;
}

/** Which of several equal-cost paths a packet of a queue pair takes, where switches choose by hash.
 */
enum RdmaEntropy
{
    ENTROPY_FLOW,   //!< that of the pair
    ENTROPY_RANDOM, //!< a random one
    ENTROPY_REPS    //!< one that worked lately, or a random one (RepsEntropies)
};

/** The options that all queue pairs of a transport share. */
struct RdmaOptions
{
    Ptr<const RdmaCongestionControl> congestionControl; //!< model of which each pair gets a copy
    RdmaRecovery recovery{GO_BACK_N};
    uint32_t payload{0};     //!< bytes of payload in a full packet
    uint32_t ackInterval{1}; //!< packets per acknowledgement
    uint32_t initialPsn{0};  //!< PSN of the first packet
    Time timeout;            //!< least time without an answer before a probe
    Time maxTimeout;         //!< bound of that time, which doubles with each probe
    uint32_t queuePairs{1};  //!< queue pairs per stream
    RdmaEntropy entropy{ENTROPY_FLOW};
    uint32_t entropies{0}; //!< number of entropy values
    /** Whether packets of a pair may overtake each other, so that this is no sign of loss. */
    bool isReordered{false};
    Time reordering; //!< if so: least time after which what was overtaken may be lost
    RdmaFeedback feedback{RdmaFeedback::NONE}; //!< what packets carry for the control
    std::vector<DataRate> rates; //!< rates of switches' ports, by the index in their records
    Time baseRtt;                //!< see RdmaCongestionControl::Path; 0: not needed
    Time notificationInterval;   //!< least time between notifications to a pair; 0: none
};

} // namespace ns3::ddl

#endif // DDL_RDMA_OPTIONS_H
