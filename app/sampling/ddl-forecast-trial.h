// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FORECAST_TRIAL_H
#define DDL_FORECAST_TRIAL_H

#include "ddl-forecast-survey.h"

#include "ns3/ddl-scenario.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** Time on the wall clock by which trials are over; none: only CPU time limits them. */
using TrialDeadline = std::optional<std::chrono::steady_clock::time_point>;

/** A job that was placed in a trial. */
struct PlacedJob
{
    JobSpec spec;
    Placement placement;
};

constexpr double LEAST_SHARE = 1e-9; //!< least part that stands for a whole; keeps costs finite

/** Measurements of the first part of a run, which forecast the cost of the whole run. */
struct Trial
{
    double buildSeconds{0}; //!< CPU time before the first event, and after the last
    double runSeconds{0};   //!< CPU time of the events of the part that was run
    double share{0};        //!< the part that was run, over the whole run, 0 to 1
    double halfSeconds{0};  //!< CPU time of its first half, in which jobs start
    double halfShare{0};    //!< the first half of the part, over the whole run
    double networkBytes{0}; //!< bytes over the network, one iteration per placed job
    double bytes{0};        //!< bytes of all messages, one iteration per placed job
    double packetHops{0};   //!< packets times links in the part that was run
    bool hasEnded{false};   //!< the run has come to its end in the trial
    bool isCut{false};      //!< the run ends before its work is done
    std::string reason;     //!< why the run ends, if the trial has come there
    double done{0};         //!< part of the work that was done
    double left{0};         //!< number of jobs that left
    std::vector<PlacedJob> jobs;

    /**
     * \return CPU seconds of the whole run, if the rest costs what the part's second half does. A
     *         second half that got on by much less than the first one is a pause (all jobs compute,
     *         or progress is told in large steps): then the rest costs what the whole part does
     */
    double GetWhole() const
    {
        constexpr double LEAST_PROGRESS = 0.1; // of the part's; a choice
        const bool isSteady = share - halfShare > LEAST_PROGRESS * share;
        const double seconds = isSteady ? runSeconds - halfSeconds : runSeconds;
        const double part = isSteady ? share - halfShare : std::max(share, LEAST_SHARE);
        return buildSeconds + runSeconds + (hasEnded ? 0 : (1 - share) * seconds / part);
    }

    /** \return the part that is reached at the end of the run, of one reached in the trial */
    double GetAtEnd(double part) const
    {
        return isCut && share > 0 ? std::min(1.0, part / share) : 1;
    }
};

/** A run whose beginning is tried. */
struct TrialRun
{
    Scenario scenario;        //!< a valid scenario; alone runs, figures and captures are left out
    bool isWhole{true};       //!< the scenario has all of the work
    double work{0};           //!< work of all jobs, also those that the scenario lacks
    double budget{0};         //!< CPU seconds after the network was built
    TrialDeadline deadline{}; //!< time by which all trials must be over
    double part{1};           //!< part of the time until the deadline that the trial may take
};

/**
 * Run the beginning of a scenario in this process, within the budget and the deadline of \p run.
 *
 * \param table work table for the scenario's transport
 * \param listener gets what the trial has measured so far; may be empty
 * \throws what the run itself would throw
 */
Trial TryOut(const TrialRun& run,
             WorkTable& table,
             const std::function<void(const Trial&)>& listener);

} // namespace ns3::ddl

#endif // DDL_FORECAST_TRIAL_H
