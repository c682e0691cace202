// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TAKE_FIRST_H
#define DDL_TAKE_FIRST_H

#include "ddl-placement-policy.h"

#include <vector>

namespace ns3
{
namespace ddl
{

/** \return the same GPUs, least load first; of equals, in the order given */
std::vector<GpuView> SortByLoad(std::vector<GpuView> gpus);

/**
 * \param gpus of the workers, by rank
 * \return the same, those of a machine next to each other: machines in the order of their first
 * GPU, the GPUs of each as they were. Launchers number ranks machine by machine, and a ring then
 * enters and leaves each machine once
 */
std::vector<GpuId> GroupByMachine(const std::vector<GpuId>& gpus);

/**
 * \param view what the job needs
 * \param gpus with room for it, the best first
 * \return the first of them, one a worker, grouped by machine, and machines for the servers
 * (PlaceServers); nothing when there are too few
 */
std::optional<Placement> TakeFirst(const PlacementView& view, const std::vector<GpuView>& gpus);

} // namespace ddl
} // namespace ns3

#endif // DDL_TAKE_FIRST_H
