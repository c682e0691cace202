// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_IDLE_SETTINGS_H
#define DDL_IDLE_SETTINGS_H

#include "app/sampling/ddl-workload-sample.h"

#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * \param work work of a valid scenario
 * \param settings overrides "PATH=VALUE", in order
 * \return a sentence for each setting that has no effect
 */
std::vector<std::string> FindIdleSettings(const WorkloadSample& work,
                                          const std::vector<std::string>& settings);

} // namespace ns3::ddl

#endif // DDL_IDLE_SETTINGS_H
