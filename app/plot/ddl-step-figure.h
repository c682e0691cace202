// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_STEP_FIGURE_H
#define DDL_STEP_FIGURE_H

#include "ddl-figure.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** The value of a curve from a date on, until its next step. */
struct Step
{
    double time;
    std::optional<double> value; //!< none: the curve has a gap
};

/** A quantity that changes at dates, such as a timer. */
struct StepCurve
{
    std::string name;
    std::vector<Step> steps; //!< by time
    double end;              //!< of its last step
};

/** One plot of a figure of such curves. */
struct StepPanel
{
    std::string label; //!< of the y axis
    std::vector<StepCurve> curves;
};

/** What surrounds the plots. */
struct StepFrame
{
    std::string name;   //!< of the figure
    std::string title;  //!< what is shown
    std::string note;   //!< of which runs
    std::string unit;   //!< of time: "h"
    std::string column; //!< of the values in the data
};

/** \param panels at least one; all have the same curves, whose names are those of the first */
FigureFiles MakeStepFigure(const StepFrame& frame, const std::vector<StepPanel>& panels);

} // namespace ns3::ddl

#endif // DDL_STEP_FIGURE_H
