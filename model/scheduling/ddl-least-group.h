// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LEAST_GROUP_H
#define DDL_LEAST_GROUP_H

#include "ddl-job-queue-policy.h"

namespace ns3
{
namespace ddl
{

/**
 * \param view who waits
 * \param key what counts
 * \return index of the group with the least key, of equals the first one, leaving out those that
 *         were refused; nothing when there is none
 */
std::optional<uint32_t> FindLeastGroup(const JobQueueView& view, Time WaitingGroup::*key);

} // namespace ddl
} // namespace ns3

#endif // DDL_LEAST_GROUP_H
