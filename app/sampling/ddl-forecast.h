// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FORECAST_H
#define DDL_FORECAST_H

#include "ddl-forecast-trial.h"
#include "ddl-workload-sample.h"

#include "ns3/ddl-scenario.h"

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** The size of a scenario, counted before it is run: hosts, jobs, bytes, ... after scaling. */
struct Forecast
{
    uint32_t hosts{0};
    uint32_t servers{0}; //!< number of chassis; fewer than hosts if some have several
    uint32_t racks{0};
    std::vector<Oversubscription> uplinks; //!< oversubscription of each level of switches
    uint32_t switches{0};
    uint32_t cables{0};
    uint32_t gpus{0};
    uint64_t cojobs{0};
    uint64_t jobs{0};       //!< number of jobs, those of cojobs included
    uint64_t stages{0};     //!< stages of cojobs and jobs that will really run
    uint64_t iterations{0}; //!< iterations of jobs that will really run
    uint64_t bytes{0};      //!< bytes of all messages, those within a machine included
    uint64_t messages{0};   //!< number of messages, those within a machine included
    uint64_t graphs{0};     //!< number of different task graphs of these jobs
    uint64_t graphRanks{0}; //!< number of their ranks
    uint64_t graphNodes{0}; //!< number of nodes of all ranks
    uint64_t graphBytes{0}; //!< memory of the graphs
    bool isSampled{
        false}; //!< only some of the jobs were counted; numbers from cojobs on are scaled
    bool hasPackets{true};  //!< the transport has packets
    bool usesRounds{false}; //!< tasks of jobs get any free GPUs, perhaps beside their server
};

/** The expected cost of running a scenario, in seconds on this machine, by a trial of its
 * beginning. */
struct CostForecast
{
    std::optional<double> networkShare;    //!< part of the bytes that crosses the network, 0 to 1;
                                           //!< none: the trial placed no job
    double packetHops{0};                  //!< packets times links; 0: none, or not known
    std::optional<double> cpuSeconds;      //!< CPU time of the run; none: the trial did no work
    std::optional<double> aloneCpuSeconds; //!< CPU time of all alone runs; none: not tried
    double share{0};                       //!< part of the run that the trial has done
    double done{1};                        //!< part of the work that is done when the run ends
    std::string stop;                      //!< why the run ends before its work is done, or ""
    std::vector<std::string> unseen;       //!< sentences on what the trial did not reach
};

/** Time that a forecast may take for its trials. By default 3 s: the run's, and two alone runs'.
 * The rest of the 5 s in which `ddl check` answers is for reading and building. */
struct TrialBudget
{
    double run{2};     //!< CPU seconds for the beginning of the run
    double alone{0.5}; //!< CPU seconds for each alone run that is tried
    /** Time on the wall clock at which all trials are over, even if this process got little CPU
     * time; none: only CPU time limits them. */
    TrialDeadline deadline{};
};

/**
 * \param work work of a valid scenario
 * \return size of the scenario. The first jobs of a generator or a trace with many are counted, and
 *         stand for the rest
 */
Forecast MakeForecast(const WorkloadSample& work);

/** Takes what a forecast would say if its trials had to stop now. */
using CostListener = std::function<void(const CostForecast&)>;

/**
 * Run the beginning of a scenario, and that of some of its alone runs.
 *
 * A trial ends at its limits, but only between two events. A long event (a policy that plans), or
 * the building of a large network before the first event, is not cut short: a caller that cannot
 * wait takes what the listener got last.
 *
 * \param work work of a valid scenario
 * \param budget limits of the trials, the building of the network not counted
 * \param listener called at the beginning, and whenever more is known; may be empty
 * \throws what the run would throw
 */
CostForecast TryCosts(const WorkloadSample& work,
                      const TrialBudget& budget = {},
                      const CostListener& listener = {});

/** Print a forecast for people, a line per subject. */
void PrintForecast(std::ostream& os,
                   const Scenario& scenario,
                   const Forecast& forecast,
                   const CostForecast& costs);

} // namespace ns3::ddl

#endif // DDL_FORECAST_H
