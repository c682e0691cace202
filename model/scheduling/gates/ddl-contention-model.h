// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CONTENTION_MODEL_H
#define DDL_CONTENTION_MODEL_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3::ddl
{

/**
 * What k equal communication tasks between the same servers cost: T = a + k b M + (k - 1) eta M
 * (Ada-SRSF Eq. 5).
 *
 * M counts the bytes that a task moves through its busiest NIC in one direction, which is the size
 * of the model for a ring of two servers, as in the paper's measurement.
 */
struct ContentionModel
{
    double a{0};   //!< latency, seconds
    double b{0};   //!< transfer time, seconds per byte
    double eta{0}; //!< cost of contention, seconds per byte and task beyond the first

    /** \return seconds until the last of \p tasks equal tasks of \p bytes bytes ends */
    double Predict(uint32_t tasks, uint64_t bytes) const;

    /** \return bytes still to be moved `elapsed` after the start, without contention (Eq. 2) */
    double GetRemaining(double bytes, Time elapsed) const;
};

/**
 * \param transport short name of the transport
 * \param congestionControl short name of its congestion control
 * \param rate rate of the servers' NICs, more than 0
 * \return the model fitted for them at 10 Gbps (doc/gates.md), with b and eta scaled to the rate;
 *         for a pair that was not calibrated, b from the rate, and a and eta of 0
 */
ContentionModel GetCalibratedModel(const std::string& transport,
                                   const std::string& congestionControl,
                                   DataRate rate);

} // namespace ns3::ddl

#endif // DDL_CONTENTION_MODEL_H
