// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ORDERED_COMPLETION_H
#define DDL_ORDERED_COMPLETION_H

#include "ddl-scheduler-view.h"

#include <vector>

namespace ns3::ddl
{

/**
 * The completion times of units that are served in the given order. Each port serves by itself, at
 * full rate, the first unit in the order that has load left there and whose predecessor is over (a
 * concurrent open shop with chains and preemption). A network is not faster, since it needs sender
 * and receiver at the same time.
 *
 * Cost: O(loads x (ports + loads)) in the worst case.
 *
 * \param view what was ordered
 * \param order indices of its units, each once, first one first
 * \return seconds from now, by index
 */
std::vector<double> CompleteInOrder(const SchedulerView& view, const std::vector<uint32_t>& order);

/** \return the sum of CompleteInOrder() */
double SumCompletions(const SchedulerView& view, const std::vector<uint32_t>& order);

} // namespace ns3::ddl

#endif // DDL_ORDERED_COMPLETION_H
