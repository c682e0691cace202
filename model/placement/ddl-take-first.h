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
 * \param view what the job needs
 * \param gpus with room for it, the best first
 * \return the first of them, one a worker, and machines for the servers (PlaceServers); nothing
 * when there are too few
 */
std::optional<Placement> TakeFirst(const PlacementView& view, const std::vector<GpuView>& gpus);

} // namespace ddl
} // namespace ns3

#endif // DDL_TAKE_FIRST_H
