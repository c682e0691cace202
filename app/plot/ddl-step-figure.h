// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_STEP_FIGURE_H
#define DDL_STEP_FIGURE_H

#include "ddl-chart.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** The value of a curve from a date on, until its next step. */
struct Step
{
    double time;
    std::optional<double> value; //!< value of the curve; none: the curve has a gap
};

/** A quantity that changes at dates, such as a timer. */
struct StepCurve
{
    std::string name;
    std::vector<Step> steps; //!< steps in time order
    double end;              //!< end of the last step, in the figure's unit of time
};

/**
 * \param value the axis of values
 * \param unit unit of time: "h"
 * \return a panel of curves that are steps
 */
Chart::Panel MakeStepPanel(const Chart::Axis& value,
                           const std::string& unit,
                           const std::vector<StepCurve>& curves);

} // namespace ns3::ddl

#endif // DDL_STEP_FIGURE_H
