// SPDX-License-Identifier: GPL-2.0-only
// What one invocation of each network scheduler costs, and how it grows: SIZE stages, SIZE ports.
//
//   ddl-bench-schedulers [SIZE...]      default: 250 500 1000 2000
//
// Prints CSV: scheduler,size,ms_dense,ms_sparse, the least CPU milliseconds of some runs, where
// each stage loads half of all ports (dense) or 8 ports (sparse).
#include "ns3/ddl-error.h"
#include "ns3/ddl-network-scheduler.h"

#include <algorithm>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <limits>
#include <random>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr uint32_t RUNS = 5;
constexpr uint32_t STAGES = 4; // stages per cojob
constexpr uint32_t SPARSE_PORTS = 8;

/** Give a job flows from each second port that it loads to the next one, each through one of two
 * links between switches, of which there are as many as ports. */
void
AddFlows(SchedulerView& view, UnitView& unit)
{
    unit.each.compute = unit.load.front().seconds;
    unit.each.work = 8 * unit.load.back().seconds;
    for (std::size_t i = 0; i + 1 < unit.load.size(); i += 2)
    {
        const uint32_t from = unit.load[i].port;
        const uint32_t to = unit.load[i + 1].port;
        const uint32_t between = view.ports + from;
        const uint32_t other = view.ports + to;
        unit.each.flows.push_back(
            {unit.load[i].seconds,
             std::make_shared<const std::vector<std::vector<uint32_t>>>(
                 std::vector<std::vector<uint32_t>>{{from, between, to}, {from, other, to}}),
             0});
    }
}

/** \return a view with chains of STAGES stages, or single units, each loading `loaded` ports */
SchedulerView
MakeView(UnitKind kind, uint32_t size, uint32_t loaded)
{
    std::mt19937 random(size);
    SchedulerView view;
    view.ports = size;
    view.linkRates.assign(2 * std::size_t{size}, 1);
    std::vector<uint32_t> ports(size);
    for (uint32_t i = 0; i < size; ++i)
    {
        ports[i] = i;
    }
    for (uint32_t i = 0; i < size; ++i)
    {
        UnitView unit;
        const bool isStage = kind == UnitKind::STAGE;
        unit.cojob = {isStage ? i / STAGES + 1 : i + 1};
        unit.job = {isStage ? 0 : i + 1};
        unit.stage = isStage ? i % STAGES + 1 : 1;
        unit.stages = isStage ? STAGES : 1;
        unit.active = unit.stage == 1;
        unit.release = unit.active ? MilliSeconds(random() % 1000) : Time::Max();
        unit.predecessor = unit.stage == 1 ? NO_PREDECESSOR : static_cast<int32_t>(i) - 1;
        std::shuffle(ports.begin(), ports.end(), random);
        std::vector<uint32_t> own(ports.begin(), ports.begin() + std::min(loaded, size));
        std::sort(own.begin(), own.end());
        for (const uint32_t port : own)
        {
            unit.load.push_back({port, 0.1 + 1e-6 * static_cast<double>(random() % 10000000)});
        }
        if (kind == UnitKind::JOB)
        {
            AddFlows(view, unit);
        }
        view.units.push_back(std::move(unit));
    }
    return view;
}

/** \return CPU time of the quickest run, ms */
double
Measure(const std::string& name, uint32_t size, uint32_t loaded)
{
    const auto scheduler = CreatePolicy<NetworkScheduler>(name);
    const SchedulerView view = MakeView(scheduler->GetUnitKind(), size, loaded);
    double least = std::numeric_limits<double>::max();
    for (uint32_t run = 0; run < RUNS; ++run)
    {
        const double before = scheduler->GetCpuSeconds();
        if (scheduler->ChoosesPaths())
        {
            scheduler->ChoosePaths(view);
        }
        scheduler->Order(view);
        least = std::min(least, scheduler->GetCpuSeconds() - before);
    }
    return least * 1e3;
}

} // namespace

int
main(int argc, char** argv)
{
    std::vector<uint32_t> sizes;
    for (int i = 1; i < argc; ++i)
    {
        const unsigned long size = std::strtoul(argv[i], nullptr, 10);
        if (size < 1 || size > 100000)
        {
            std::cerr << "ddl-bench-schedulers: \"" << argv[i] << "\" is no size (1 to 100000)\n";
            return 2;
        }
        sizes.push_back(size);
    }
    if (sizes.empty())
    {
        sizes = {250, 500, 1000, 2000};
    }
    std::cout << "scheduler,size,ms_dense,ms_sparse\n" << std::fixed << std::setprecision(2);
    for (const auto& name : ListPolicies(NetworkScheduler::GetTypeId()))
    {
        for (const uint32_t size : sizes)
        {
            std::cout << name << "," << size << "," << Measure(name, size, size / 2) << ","
                      << Measure(name, size, SPARSE_PORTS) << std::endl;
        }
    }
    return 0;
}
