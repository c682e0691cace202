// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-delay-tuner.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ns3::ddl
{

namespace
{

/** \return mean plus twice the standard deviation, in time steps. \pre there are waits */
double
GetUpperEnd(const std::vector<double>& waits, bool isSample)
{
    const auto count = static_cast<double>(waits.size());
    double mean = 0;
    for (const double wait : waits)
    {
        mean += wait / count;
    }
    double squares = 0;
    for (const double wait : waits)
    {
        squares += (wait - mean) * (wait - mean);
    }
    const double freedom = isSample ? count - 1 : count;
    return mean + 2 * (freedom > 0 ? std::sqrt(squares / freedom) : 0); // lines 13, 14
}

} // namespace

DelayTimers
DelayTuner::GetTimers(const WaitHistory& waits, uint32_t gpus, Time now) const
{
    const auto add = [&](const WaitHistory::List& list, std::vector<double>& into) {
        const auto isOld = [&](const PastWait& wait) { return now - wait.end >= history; };
        auto wait = byLength ? list.begin() : std::partition_point(list.begin(), list.end(), isOld);
        for (; wait != list.end(); ++wait) // lines 3, 9
        {
            if ((!byLength || wait->length < history) && wait->length >= leastWait)
            {
                into.push_back(wait->length.GetDouble());
            }
        }
    };
    const auto collect = [&](Tier tier, std::vector<double>& into) {
        add(waits.Get(tier, gpus), into);
        if (addsRenewals)
        {
            add(waits.GetRenewals(tier, gpus), into);
        }
    };
    const auto tune =
        [&](const std::vector<double>& past, Time otherwise, Time atLeast, double most) {
            if (past.empty())
            {
                return otherwise;
            }
            const double limit = most > 0 ? most * history.GetDouble() : INFINITY;
            const double tuned = std::max(GetUpperEnd(past, isSample), atLeast.GetDouble());
            return TimeStep(std::llround(std::min(tuned, limit)));
        };
    std::vector<double> server;
    std::vector<double> rack;
    collect(Tier::SERVER, server);
    collect(Tier::RACK, rack);
    if (addsNetwork)
    {
        collect(Tier::NETWORK, rack);
    }
    return {tune(server, fallback.machine, least.machine, mostMachine),
            tune(rack, fallback.rack, least.rack, mostRack)};
}

} // namespace ns3::ddl
