// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_UNIT_ORDER_H
#define DDL_UNIT_ORDER_H

#include "ddl-scheduler-view.h"

#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * Compare two units by their ids: the rule that breaks all ties.
 *
 * \return true if `a` comes before `b` by cojob, then stage, then job, then iteration
 */
bool BeforeById(const UnitView& a, const UnitView& b);

/** \return the indices of all units of the view, by cojob, then stage, then job */
std::vector<uint32_t> IndicesById(const SchedulerView& view);

/** \return seconds at the unit's most loaded port: the least time that it needs alone */
double GetBottleneckSeconds(const UnitView& unit);

/** \return the indices of all units, least GetBottleneckSeconds() first; equal ones by id */
std::vector<uint32_t> IndicesByBottleneck(const SchedulerView& view);

/** \return an order in which every unit has a priority of its own */
UnitOrder InSingles(const std::vector<uint32_t>& indices);

/** \return name of a unit in tables: `cojob.stage`, `job`, or `job:iteration` for a coflow */
std::string GetUnitLabel(const UnitView& unit, UnitKind kind);

/** \return labels of the units in order, joined by a space, or by '=' within a group */
std::string FormatOrder(const SchedulerView& view, const UnitOrder& order, UnitKind kind);

} // namespace ns3::ddl

#endif // DDL_UNIT_ORDER_H
