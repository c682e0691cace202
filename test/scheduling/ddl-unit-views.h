// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_UNIT_VIEWS_H
#define DDL_UNIT_VIEWS_H

#include "ns3/ddl-scheduler-view.h"

#include <algorithm>
#include <random>
#include <vector>

namespace ns3::ddl
{
namespace test
{

/** \return an active or future stage with the given load on port 0 (none when 0) */
inline UnitView
MakeStage(uint32_t cojob, uint32_t stage, uint32_t stages, double seconds)
{
    UnitView unit;
    unit.cojob = {cojob};
    unit.stage = stage;
    unit.stages = stages;
    unit.release = Time::Max();
    if (seconds > 0)
    {
        unit.load = {{0, seconds}};
    }
    return unit;
}

/** Let a stage be in progress since `release`. */
inline void
Activate(UnitView& unit, Time release)
{
    unit.active = true;
    unit.release = release;
}

/** Fill in `predecessor` of stages of one cojob that stand side by side. */
inline void
LinkChains(SchedulerView& view)
{
    for (uint32_t i = 1; i < view.units.size(); ++i)
    {
        const bool chained = view.units[i].cojob == view.units[i - 1].cojob;
        view.units[i].predecessor =
            chained && view.units[i].stage > 1 ? static_cast<int32_t>(i - 1) : NO_PREDECESSOR;
    }
}

/**
 * Give each unit an iteration and flows: from each second port that it loads to the next one, each
 * through one of two of four links between switches. All links move 1 byte per second.
 */
inline void
AddIterations(SchedulerView& view, uint32_t seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    view.linkRates.assign(view.ports + 4, 1);
    for (UnitView& unit : view.units)
    {
        unit.each.compute = 5 * uniform(random);
        unit.each.work = unit.each.compute * (1 + random() % 64);
        unit.each.sendsFrom = random() % 2 == 0 ? 1 : uniform(random);
        for (std::size_t i = 0; i + 1 < unit.load.size(); i += 2)
        {
            std::vector<std::vector<uint32_t>> paths;
            for (uint32_t path = 0; path < 2; ++path)
            {
                const uint32_t between = view.ports + (i / 2 + path) % 4;
                paths.push_back({unit.load[i].port, between, unit.load[i + 1].port});
            }
            unit.each.flows.push_back(
                {0.1 + uniform(random),
                 std::make_shared<const std::vector<std::vector<uint32_t>>>(paths),
                 static_cast<uint32_t>(random() % 2)});
        }
    }
}

/**
 * \param kind STAGE: chains of up to 4 stages, the first one active; JOB, COFLOW: one unit a cojob
 * \return a random view with loads on about `density` of the ports; some units have no load at all
 */
inline SchedulerView
MakeRandomView(UnitKind kind, uint32_t units, uint32_t ports, double density, uint32_t seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    SchedulerView view;
    view.ports = ports;
    view.now = Seconds(100);
    for (uint32_t cojob = 1; view.units.size() < units; ++cojob)
    {
        const uint32_t stages = kind == UnitKind::STAGE ? 1 + random() % 4 : 1;
        for (uint32_t stage = 1; stage <= stages && view.units.size() < units; ++stage)
        {
            UnitView unit = MakeStage(cojob, stage, stages, 0);
            unit.job = {kind == UnitKind::STAGE ? 0 : cojob};
            unit.iteration = kind == UnitKind::COFLOW ? 1 + cojob % 3 : 0;
            if (stage == 1)
            {
                Activate(unit, Seconds(random() % 10));
            }
            const bool silent = uniform(random) < 0.1;
            for (uint32_t port = 0; port < ports && !silent; ++port)
            {
                if (uniform(random) < density)
                {
                    unit.load.push_back({port, 0.1 + 10 * uniform(random)});
                }
            }
            view.units.push_back(unit);
        }
    }
    LinkChains(view);
    if (kind == UnitKind::JOB)
    {
        AddIterations(view, seed);
    }
    return view;
}

/** \return the same units in another order; `from[i]` tells where unit i stood */
inline SchedulerView
Shuffle(const SchedulerView& view, uint32_t seed, std::vector<uint32_t>& from)
{
    from.resize(view.units.size());
    std::vector<int32_t> to(view.units.size());
    for (uint32_t i = 0; i < from.size(); ++i)
    {
        from[i] = i;
    }
    std::mt19937 random(seed);
    std::shuffle(from.begin(), from.end(), random);
    SchedulerView shuffled = view;
    for (uint32_t i = 0; i < from.size(); ++i)
    {
        shuffled.units[i] = view.units[from[i]];
        to[from[i]] = static_cast<int32_t>(i);
    }
    for (auto& unit : shuffled.units)
    {
        unit.predecessor =
            unit.predecessor == NO_PREDECESSOR ? NO_PREDECESSOR : to[unit.predecessor];
    }
    return shuffled;
}

} // namespace test
} // namespace ns3::ddl

#endif // DDL_UNIT_VIEWS_H
