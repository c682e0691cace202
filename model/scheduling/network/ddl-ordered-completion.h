// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ORDERED_COMPLETION_H
#define DDL_ORDERED_COMPLETION_H

#include "ddl-scheduler-view.h"

#include <vector>

namespace ns3::ddl
{

/**
 * Compute the completion times of units that are served in the given order. Each port serves by
 * itself, at full rate, the first unit in the order that has load left there and whose predecessor
 * is over (a concurrent open shop with chains and preemption). A network is not faster, since it
 * needs sender and receiver at the same time.
 *
 * Cost: O(loads x (ports + loads)) in the worst case.
 *
 * \param view the units
 * \param order indices of all units, each once, the first one first
 * \return completion time of each unit, seconds from now, by index
 */
std::vector<double> CompleteInOrder(const SchedulerView& view, const std::vector<uint32_t>& order);

/** \return the sum of CompleteInOrder(), seconds */
double SumCompletions(const SchedulerView& view, const std::vector<uint32_t>& order);

} // namespace ns3::ddl

#endif // DDL_ORDERED_COMPLETION_H
