// SPDX-License-Identifier: GPL-2.0-only
// Liquid's best fit beside Algorithm 1, Equations 2 to 6, written down once more in whole numbers,
// so that equal scores are equal.
#include "ns3/boolean.h"
#include "ns3/ddl-placement-policy.h"
#include "ns3/double.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** A node: GPUs in all, those in use, its rack. */
struct PaperNode
{
    int64_t total;
    int64_t used;
    uint32_t rack;
};

/** A question to the policy. lambda is in twentieths. */
struct PaperCase
{
    std::vector<PaperNode> nodes;
    uint32_t servers;
    uint32_t workers;
    bool serversHold; //!< a parameter server takes a GPU
    int64_t lambda;
    int64_t rackCost;
    int64_t networkCost;
    bool isMeanLoad;
};

constexpr int64_t TWENTY = 20;

/** Where the containers go: nodes of the parameter servers, and of the workers, ascending. */
struct PaperPlan
{
    std::vector<std::size_t> servers;
    std::vector<std::size_t> workers;
};

bool
operator==(const PaperPlan& a, const PaperPlan& b)
{
    return a.servers == b.servers && a.workers == b.workers;
}

/** A fraction of whole numbers, with a positive denominator. */
struct Fraction
{
    __int128 above;
    __int128 below;
};

bool
operator<(const Fraction& a, const Fraction& b)
{
    return a.above * b.below < b.above * a.below;
}

bool
IsEqual(const Fraction& a, const Fraction& b)
{
    return !(a < b) && !(b < a);
}

Fraction
Add(const Fraction& a, const Fraction& b)
{
    const Fraction sum{a.above * b.below + b.above * a.below, a.below * b.below};
    __int128 x = sum.above < 0 ? -sum.above : sum.above;
    __int128 y = sum.below;
    while (y != 0)
    {
        std::swap(x, y);
        y %= x;
    }
    return {sum.above / x, sum.below / x};
}

/** \return the score (Eq. 5) of a plan that may have part of the containers */
Fraction
ScoreOf(const PaperCase& of, const PaperPlan& plan)
{
    const auto distance = [&of](std::size_t a, std::size_t b) {
        return a == b ? 0 : of.nodes[a].rack == of.nodes[b].rack ? of.rackCost : of.networkCost;
    };
    // Cost: the mean distance of (server, worker) pairs; of pairs of workers without servers
    int64_t sum = 0;
    int64_t pairs = 0;
    for (std::size_t i = 0; i < plan.workers.size(); ++i)
    {
        for (const std::size_t server : plan.servers)
        {
            sum += distance(server, plan.workers[i]);
            ++pairs;
        }
        for (std::size_t j = 0; of.servers == 0 && j < i; ++j)
        {
            sum += distance(plan.workers[j], plan.workers[i]);
            ++pairs;
        }
    }
    // Fitness_j = -(Req_j + Used_j) / Total_j, over the nodes that the plan uses (Eq. 6)
    std::vector<int64_t> wanted(of.nodes.size());
    std::set<std::size_t> touched(plan.workers.begin(), plan.workers.end());
    touched.insert(plan.servers.begin(), plan.servers.end());
    for (const std::size_t node : plan.workers)
    {
        ++wanted[node];
    }
    for (const std::size_t node : plan.servers)
    {
        wanted[node] += of.serversHold ? 1 : 0;
    }
    Fraction load{0, 1};
    for (const std::size_t node : touched)
    {
        load = Add(load, {-(wanted[node] + of.nodes[node].used), of.nodes[node].total});
    }
    load.below *= of.isMeanLoad ? static_cast<int64_t>(touched.size()) : 1;
    const Fraction cost{of.lambda * sum, TWENTY * std::max<int64_t>(pairs, 1)};
    return Add(cost, {load.above * (TWENTY - of.lambda), load.below * TWENTY});
}

/**
 * Algorithm 1, but for its line 18, which would let no two containers share a node (it contradicts
 * Fig. 7). Servers and workers in proportion: a server next as long as servers x all workers is at
 * most workers x all servers.
 *
 * \param ties is increased by the number of containers that had several best nodes
 */
std::optional<PaperPlan>
PlaceAsPrinted(const PaperCase& of, uint32_t& ties)
{
    PaperPlan plan;
    std::vector<int64_t> free;
    for (const PaperNode& node : of.nodes)
    {
        free.push_back(node.total - node.used);
    }
    while (plan.servers.size() + plan.workers.size() < of.servers + of.workers)
    {
        const bool isServer =
            plan.servers.size() < of.servers &&
            (plan.workers.size() == of.workers ||
             plan.servers.size() * of.workers <= plan.workers.size() * of.servers);
        const int64_t needs = isServer && !of.serversHold ? 0 : 1;
        auto& list = isServer ? plan.servers : plan.workers;
        std::optional<std::size_t> best;
        Fraction least{0, 1};
        bool isTied = false;
        for (std::size_t node = 0; node < of.nodes.size(); ++node)
        {
            if (free[node] < needs)
            {
                continue;
            }
            list.push_back(node);
            const Fraction score = ScoreOf(of, plan);
            list.pop_back();
            if (!best || score < least)
            {
                best = node;
                least = score;
                isTied = false;
            }
            else
            {
                isTied = isTied || IsEqual(score, least);
            }
        }
        if (!best)
        {
            return std::nullopt;
        }
        list.push_back(*best);
        free[*best] -= needs;
        ties += isTied ? 1 : 0;
    }
    std::sort(plan.servers.begin(), plan.servers.end());
    std::sort(plan.workers.begin(), plan.workers.end());
    return plan;
}

PaperCase
DrawCase(std::mt19937& generator)
{
    const auto draw = [&generator](uint32_t least, uint32_t most) {
        return least + static_cast<uint32_t>(generator() % (most - least + 1));
    };
    PaperCase one;
    const uint32_t nodes = draw(1, 7);
    const uint32_t racks = draw(1, 3);
    const bool areAlike = draw(0, 1) == 1; // many ties
    const int64_t gpus = draw(1, 8);
    for (uint32_t node = 0; node < nodes; ++node)
    {
        const int64_t total = areAlike ? gpus : draw(1, 8);
        const int64_t used = areAlike && draw(0, 2) > 0 ? 0 : draw(0, static_cast<uint32_t>(total));
        one.nodes.push_back({total, used, draw(0, racks - 1)});
    }
    one.servers = draw(0, 3);
    one.workers = draw(1, 6);
    one.serversHold = draw(0, 3) > 0;
    one.lambda = draw(0, TWENTY);
    one.rackCost = draw(0, 2);
    one.networkCost = one.rackCost + draw(0, 4);
    one.isMeanLoad = draw(0, 1) == 1;
    return one;
}

std::optional<PaperPlan>
PlaceByPolicy(const PaperCase& of)
{
    ClusterView cluster;
    for (uint32_t node = 0; node < of.nodes.size(); ++node)
    {
        MachineView machine;
        machine.host = HostId{node};
        machine.rack = of.nodes[node].rack;
        for (uint32_t gpu = 0; gpu < of.nodes[node].total; ++gpu)
        {
            machine.gpus.push_back({GpuId{HostId{node}, gpu}, gpu >= of.nodes[node].used});
        }
        cluster.machines.push_back(machine);
    }
    const auto policy = CreatePolicy<PlacementPolicy>("liquid-best-fit");
    policy->SetAttribute("Lambda", DoubleValue(static_cast<double>(of.lambda) / TWENTY));
    policy->SetAttribute("RackCost", DoubleValue(static_cast<double>(of.rackCost)));
    policy->SetAttribute("NetworkCost", DoubleValue(static_cast<double>(of.networkCost)));
    policy->SetAttribute("MeanLoad", BooleanValue(of.isMeanLoad));
    const uint32_t gpuServers = of.serversHold ? of.servers : 0;
    PlacementView view{cluster, of.workers + gpuServers, of.servers - gpuServers};
    view.gpuServers = gpuServers;
    const auto placement = policy->Place(view).placement;
    if (!placement)
    {
        return std::nullopt;
    }
    PaperPlan plan;
    for (const GpuId& gpu : placement->workers)
    {
        plan.workers.push_back(gpu.host.value);
    }
    for (const GpuId& gpu : placement->servers)
    {
        plan.servers.push_back(gpu.host.value);
    }
    std::sort(plan.servers.begin(), plan.servers.end());
    std::sort(plan.workers.begin(), plan.workers.end());
    return plan;
}

std::string
Tell(const PaperCase& one)
{
    std::string text = "nodes total/used/rack:";
    for (const PaperNode& node : one.nodes)
    {
        text += " " + std::to_string(node.total) + "/" + std::to_string(node.used) + "/" +
                std::to_string(node.rack);
    }
    return text + "; " + std::to_string(one.servers) + " p" +
           (one.serversHold ? " on GPUs, " : ", ") + std::to_string(one.workers) + " w; lambda " +
           std::to_string(one.lambda) + "/20, rack " + std::to_string(one.rackCost) + ", network " +
           std::to_string(one.networkCost) + (one.isMeanLoad ? ", mean load" : ", sum of loads");
}

std::string
Tell(const std::optional<PaperPlan>& plan)
{
    std::string text = plan ? "p" : "waits";
    for (const std::size_t node : plan ? plan->servers : std::vector<std::size_t>{})
    {
        text += " " + std::to_string(node);
    }
    text += plan ? " w" : "";
    for (const std::size_t node : plan ? plan->workers : std::vector<std::size_t>{})
    {
        text += " " + std::to_string(node);
    }
    return text;
}

TEST(LiquidBestFit, IsAlgorithm1In500RandomCasesTiesIncluded)
{
    constexpr uint32_t CASES = 500;
    std::mt19937 generator(38);
    uint32_t differences = 0;
    uint32_t ties = 0;
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < CASES; ++i)
    {
        const PaperCase one = DrawCase(generator);
        const auto printed = PlaceAsPrinted(one, ties);
        const auto ours = PlaceByPolicy(one);
        const bool isSame = printed == ours;
        differences += isSame ? 0 : 1;
        waiting += printed ? 0 : 1;
        EXPECT_TRUE(isSame) << "case " << i << ", " << Tell(one) << ": printed " << Tell(printed)
                            << ", ours " << Tell(ours);
    }
    EXPECT_EQ(differences, 0U);
    EXPECT_GT(ties, CASES / 2) << "many containers have several best nodes";
    EXPECT_GT(waiting, CASES / 20) << "and some jobs find no room";
    EXPECT_LT(waiting, CASES / 2);
}

} // namespace
