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
    std::optional<double> value; //!< value of the curve; none: the curve has a gap
};

/** A quantity that changes at dates, such as a timer. */
struct StepCurve
{
    std::string name;
    std::vector<Step> steps; //!< steps in time order
    double end;              //!< end of the last step, in the figure's unit of time
};

/** One plot of a figure of curves that are steps. */
struct StepPanel
{
    std::string label; //!< label of the y axis
    std::vector<StepCurve> curves;
};

/** The texts around the plots of a figure of steps. */
struct StepFrame
{
    std::string name;   //!< name of the figure
    std::string title;  //!< what the figure shows
    std::string note;   //!< a sentence on which runs are shown
    std::string unit;   //!< unit of time: "h"
    std::string column; //!< name of the column of values in the data
};

/** \param panels at least one panel; curve i of every panel has the name of curve i of the first */
FigureFiles MakeStepFigure(const StepFrame& frame, const std::vector<StepPanel>& panels);

} // namespace ns3::ddl

#endif // DDL_STEP_FIGURE_H
