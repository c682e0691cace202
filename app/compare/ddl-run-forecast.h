// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RUN_FORECAST_H
#define DDL_RUN_FORECAST_H

#include "app/engines/ddl-study-plan.h"

#include "ns3/ddl-scenario-reader.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace ns3::ddl
{

/**
 * Forecast the prices of scenarios by trials of their beginnings, as `./ddl check` does, in
 * processes of their own. The trials share a budget: of many scenarios, each is tried for a shorter
 * time.
 *
 * \param requests scenarios, which are valid
 * \param processes trials at a time
 * \return CPU time and memory of each, on this machine; nothing if the trials were interrupted
 */
std::optional<std::vector<RunPrice>> ForecastPrices(const std::vector<ScenarioRequest>& requests,
                                                    std::size_t processes);

} // namespace ns3::ddl

#endif // DDL_RUN_FORECAST_H
