// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FORECAST_H
#define DDL_FORECAST_H

#include "ddl-workload-sample.h"

#include "ns3/ddl-scenario.h"

#include <chrono>
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
    uint32_t servers{0}; //!< as many as hosts, unless servers have several
    uint32_t racks{0};
    std::vector<Oversubscription> uplinks; //!< by level of switches
    uint32_t switches{0};
    uint32_t cables{0};
    uint32_t gpus{0};
    uint64_t cojobs{0};
    uint64_t jobs{0};       //!< those of cojobs included
    uint64_t stages{0};     //!< of cojobs and jobs that will really run
    uint64_t iterations{0}; //!< likewise
    uint64_t bytes{0};      //!< of all messages, those within a machine included
    uint64_t messages{0};   //!< likewise
    bool isSampled{
        false}; //!< only some of the jobs were counted; numbers from cojobs on are scaled
    bool hasPackets{true}; //!< of the transport
    bool hasTasks{false};  //!< jobs are made of tasks, some of which may run beside their server
};

/** The expected cost of running a scenario, by a trial of its beginning, in seconds on this
 * machine. */
struct CostForecast
{
    std::optional<double> networkShare;    //!< part of the bytes that crosses the network, 0 to 1;
                                           //!< none: the trial placed no job
    double packetHops{0};                  //!< all packets over all links; 0: none, or not known
    std::optional<double> cpuSeconds;      //!< of the run itself; none: the trial did no work
    std::optional<double> aloneCpuSeconds; //!< of the runs alone, together; none: not tried
    double share{0};                       //!< part of the run that the trial has done
    double done{1};                        //!< part of the work that is done when the run ends
    std::string stop;                //!< why it ends before its work is done; "" if it does not
    std::vector<std::string> unseen; //!< sentences on what the trial did not come to see
};

/** Time that a forecast may take for its trials. */
struct TrialBudget
{
    double run{2};     //!< CPU seconds of the run's beginning
    double alone{0.5}; //!< CPU seconds of each run alone that is tried
    /** Time by the wall clock at which all trials shall be over, even if this process got little of
     * a CPU; none: they take the CPU time above. */
    std::optional<std::chrono::steady_clock::time_point> deadline{};
};

/**
 * \param work of a valid scenario
 * \return what can be counted. Of a generator or a trace with many jobs the first ones are counted
 *         and stand for the rest
 */
Forecast MakeForecast(const WorkloadSample& work);

/** Takes what a forecast would say if its trials had to stop now. */
using CostListener = std::function<void(const CostForecast&)>;

/**
 * Run the beginning of a scenario, and that of some of its runs alone.
 *
 * A trial ends at its limits, between two events. What takes long within one event (a policy that
 * plans), or before the first (the building of a large network), goes on: a caller that cannot wait
 * takes what the listener was told last.
 *
 * \param work of a valid scenario
 * \param budget limits, the building of the network not counted
 * \param listener is called at the beginning and whenever more is known; may be empty
 * \throws what the run would throw
 */
CostForecast TryCosts(const WorkloadSample& work,
                      const TrialBudget& budget = {},
                      const CostListener& listener = {});

/**
 * \param work of a valid scenario
 * \param settings overrides, in order
 * \return a sentence for each setting that has no effect
 */
std::vector<std::string> FindIdleSettings(const WorkloadSample& work,
                                          const std::vector<std::string>& settings);

/** For people, a line a subject. */
void PrintForecast(std::ostream& os,
                   const Scenario& scenario,
                   const Forecast& forecast,
                   const CostForecast& costs);

} // namespace ns3::ddl

#endif // DDL_FORECAST_H
