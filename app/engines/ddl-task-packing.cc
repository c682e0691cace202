// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-task-packing.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <utility>

namespace ns3::ddl
{

namespace
{

/** Runs that one process carries out. */
struct Pack
{
    std::vector<std::size_t> runs;
    double seconds{0};

    void Add(std::size_t run, double more)
    {
        runs.push_back(run);
        seconds += more;
    }
};

/** Deal runs to a number of tasks, each to the one with the least work. */
std::vector<Pack>
SpreadRuns(const std::vector<std::size_t>& order,
           const std::vector<double>& seconds,
           std::size_t tasks)
{
    using Load = std::pair<double, std::size_t>; // of a task, and its number
    std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
    for (std::size_t task = 0; task < tasks; ++task)
    {
        loads.emplace(0, task);
    }
    std::vector<Pack> packs(tasks);
    for (const std::size_t run : order)
    {
        Pack& pack = packs[loads.top().second];
        const std::size_t task = loads.top().second;
        loads.pop();
        pack.Add(run, seconds[run]);
        loads.emplace(pack.seconds, task);
    }
    return packs;
}

/** Fill one task after the other until it has the least time; deal out what is left at the end. */
std::vector<Pack>
FillTasks(const std::vector<std::size_t>& order, const std::vector<double>& seconds)
{
    std::vector<Pack> packs(1);
    for (const std::size_t run : order)
    {
        if (packs.back().seconds >= LEAST_TASK_SECONDS)
        {
            packs.emplace_back();
        }
        packs.back().Add(run, seconds[run]);
    }
    const Pack last = packs.back();
    if (packs.size() == 1 || last.seconds >= LEAST_TASK_SECONDS)
    {
        return packs;
    }
    packs.pop_back();
    Pack rest;
    for (const std::size_t run : last.runs)
    {
        const auto least =
            std::min_element(packs.begin(), packs.end(), [](const Pack& a, const Pack& b) {
                return a.seconds < b.seconds;
            });
        const bool fits = least->seconds + seconds[run] < 2 * LEAST_TASK_SECONDS;
        (fits ? *least : rest).Add(run, seconds[run]);
    }
    if (!rest.runs.empty())
    {
        packs.push_back(rest);
    }
    return packs;
}

} // namespace

std::vector<std::vector<std::size_t>>
PackRuns(const std::vector<double>& seconds, std::size_t atATime)
{
    if (seconds.empty())
    {
        return {};
    }
    std::vector<std::size_t> order(seconds.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&seconds](std::size_t a, std::size_t b) {
        return seconds[a] > seconds[b];
    });
    std::vector<Pack> packs = FillTasks(order, seconds);
    const std::size_t wanted = std::min(atATime, seconds.size());
    if (packs.size() < wanted)
    {
        packs = SpreadRuns(order, seconds, wanted);
    }
    std::stable_sort(packs.begin(), packs.end(), [](const Pack& a, const Pack& b) {
        return a.seconds > b.seconds;
    });
    std::vector<std::vector<std::size_t>> tasks;
    for (auto& pack : packs)
    {
        tasks.push_back(std::move(pack.runs));
    }
    return tasks;
}

} // namespace ns3::ddl
