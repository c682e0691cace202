// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-check-scenario.h"

#include "app/process/ddl-program.h"
#include "app/process/ddl-timed-answer.h"
#include "app/sampling/ddl-forecast.h"
#include "ddl-control-notes.h"
#include "ddl-idle-settings.h"

#include "ns3/ddl-plugin.h"

#include <iostream>
#include <sstream>

namespace ns3::ddl
{

namespace
{

/** Part of the time until the deadline that trials may take; the rest is for the answer. */
constexpr double TRIAL_SHARE = 0.9;

/** \throws InputError when the scenario is wrong */
Scenario
Read(const CheckRequest& request)
{
    LoadPlugins(request.plugins);
    return ReadScenario(request.scenario);
}

void
Warn(const CheckRequest& request, const WorkloadSample& work)
{
    auto settings = request.scenario.settings;
    const auto& variations = request.scenario.variations;
    settings.insert(settings.end(), variations.begin(), variations.end());
    for (const auto& sentences : {FindIdleSettings(work, settings),
                                  FindControlNotes(work.GetScenario()),
                                  FindEmptyJobs(work),
                                  ListTraceFaults(work.GetScaled().workload)})
    {
        for (const auto& sentence : sentences)
        {
            std::cerr << "warning: " << sentence << "\n";
        }
    }
}

/** Read, count and try a scenario, and say after each step what is known. \return exit status */
int
CheckStepByStep(const CheckRequest& request,
                std::chrono::steady_clock::time_point deadline,
                const SayAnswer& say)
{
    const Scenario scenario = Read(request);
    say(scenario.name + "\nunseen:   all but that it can be read: counting its jobs, machines and "
                        "links took too long\n");
    const WorkloadSample work(scenario);
    Warn(request, work);
    const Forecast forecast = MakeForecast(work);
    const auto print = [&](const CostForecast& costs) {
        std::ostringstream text;
        PrintForecast(text, scenario, forecast, costs);
        say(text.str());
    };
    TrialBudget budget;
    budget.deadline = deadline;
    print(TryCosts(work, budget, print));
    return 0;
}

} // namespace

int
CheckQuietly(const CheckRequest& request)
{
    Warn(request, WorkloadSample(Read(request)));
    return 0;
}

int
CheckScenario(const CheckRequest& request, std::chrono::steady_clock::time_point deadline)
{
    using Clock = std::chrono::steady_clock;
    const auto now = Clock::now();
    const auto ofTrial =
        now + std::chrono::duration_cast<Clock::duration>(TRIAL_SHARE * (deadline - now));
    const TimedAnswer answer = AnswerInTime(deadline, [&](const SayAnswer& say) {
        return RunGuarded([&] { return CheckStepByStep(request, ofTrial, say); });
    });
    if (answer.status != 2) // for bad input only what is wrong counts
    {
        std::cout << answer.text;
    }
    if (answer.status && *answer.status > 2)
    {
        std::cerr << "the trial ended with status " << *answer.status
                  << ", as a program does that the system or a fault ends" << std::endl;
        return 1;
    }
    if (answer.text.empty() && !answer.status)
    {
        std::cerr << request.scenario.scenario
                  << ": the time was too short to read it: nothing is known yet (--quiet: read and "
                     "validate to the end, try nothing)"
                  << std::endl;
        return 1;
    }
    return answer.status.value_or(0);
}

} // namespace ns3::ddl
