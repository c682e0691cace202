// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_UNCONTENDED_BYTES_H
#define DDL_UNCONTENDED_BYTES_H

#include "ns3/ddl-communication-pattern.h"

namespace ns3
{
namespace ddl
{

/**
 * How long one iteration's communication takes when nobody disturbs it and every rank has a machine
 * of its own, as bytes at a NIC's full rate: transfers go in rounds, a transfer one round behind
 * the last that it waits for, and a round takes what its busiest rank sends or receives. Ring:
 * 2 (N - 1) / N * M; parameter server: the busiest port's push and pull.
 *
 * \param plan of one iteration
 * \return bytes
 */
uint64_t CountUncontendedBytes(const TransferPlan& plan);

} // namespace ddl
} // namespace ns3

#endif // DDL_UNCONTENDED_BYTES_H
