// SPDX-License-Identifier: GPL-2.0-only
// Random instances of Grouper's problem, with the lower bound and what each variant of Algorithm 1
// makes of them, as text for ddl-lp-primal, which solves LP-Primal and does not link ns-3.
//
//   ddl-lp-instances COUNT      instance N PORTS STAGES, then a line a stage, then results
#include "ddl-instance-count.h"

#include "ns3/boolean.h"
#include "ns3/ddl-dual-bound.h"
#include "ns3/ddl-grouper-network-scheduler.h"
#include "ns3/ddl-ordered-completion.h"
#include "ns3/ddl-primal-dual-order.h"

#include <algorithm>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <optional>
#include <random>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** \return 2 to 12 stages in chains of up to 4, on 1 to 8 ports; some load no port at all */
SchedulerView
MakeInstance(uint32_t seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    const uint32_t stages = 2 + seed % 11;
    const double density = seed % 2 == 0 ? 0.4 : 0.9;
    SchedulerView view;
    view.ports = 1 + seed % 8;
    for (uint32_t cojob = 1; view.units.size() < stages; ++cojob)
    {
        const uint32_t chain = std::min<uint32_t>(1 + random() % 4, stages - view.units.size());
        for (uint32_t stage = 1; stage <= chain; ++stage)
        {
            UnitView unit;
            unit.cojob = {cojob};
            unit.stage = stage;
            unit.stages = chain;
            unit.predecessor =
                stage == 1 ? NO_PREDECESSOR : static_cast<int32_t>(view.units.size()) - 1;
            for (uint32_t port = 0; port < view.ports; ++port)
            {
                if (uniform(random) < density)
                {
                    unit.load.push_back({port, 0.1 + 10 * uniform(random)});
                }
            }
            view.units.push_back(unit);
        }
    }
    return view;
}

std::vector<uint32_t>
OrderByGrouper(const SchedulerView& view, bool literal, bool chain)
{
    auto scheduler = CreateObject<GrouperNetworkScheduler>();
    scheduler->SetAttribute("LiteralLine10", BooleanValue(literal));
    scheduler->SetAttribute("KeepChainOrder", BooleanValue(chain));
    std::vector<uint32_t> order;
    for (const auto& group : scheduler->Order(view))
    {
        order.push_back(group.front());
    }
    return order;
}

void
PrintInstance(uint32_t seed, const SchedulerView& view)
{
    std::cout << "instance " << seed << " " << view.ports << " " << view.units.size() << "\n";
    for (const auto& unit : view.units)
    {
        std::cout << "stage " << unit.predecessor << " " << unit.load.size();
        for (const auto& load : unit.load)
        {
            std::cout << " " << load.port << " " << load.seconds;
        }
        std::cout << "\n";
    }
}

void
PrintResults(const SchedulerView& view)
{
    const SctBound bound = ComputeSctBound(view);
    std::cout << "bound " << bound.unitWeights << " " << bound.literalLine10 << "\n";
    const std::vector<double> ones(view.units.size(), 1);
    for (const bool chain : {true, false})
    {
        const std::string suffix = chain ? "+chain" : "";
        std::cout << "order eq46" << suffix << " "
                  << SumCompletions(view, OrderByGrouper(view, false, chain)) << "\norder line10"
                  << suffix << " " << SumCompletions(view, OrderByGrouper(view, true, chain))
                  << "\norder w=1" << suffix << " "
                  << SumCompletions(view, OrderByPrimalDual(view, ones, chain)) << "\n";
    }
    std::cout << "end\n";
}

} // namespace

int
main(int argc, char** argv)
{
    const auto count = argc == 1 ? std::optional<uint32_t>(200) : ParseInstanceCount(argv[1]);
    if (argc > 2 || !count)
    {
        std::cerr << "usage: ddl-lp-instances [COUNT] (1 to 1000000)\n";
        return 2;
    }
    std::cout << std::setprecision(17);
    for (uint32_t seed = 1; seed <= *count; ++seed)
    {
        const SchedulerView view = MakeInstance(seed);
        PrintInstance(seed, view);
        PrintResults(view);
    }
    return 0;
}
