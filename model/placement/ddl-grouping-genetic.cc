// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-grouping-genetic.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace ns3::ddl
{

namespace
{

constexpr uint32_t TOURNAMENT = 3;  //!< number of plans of which the best is a parent
constexpr double LEAST_GAIN = 1e-6; //!< least gain of fitness that counts
constexpr uint32_t NOWHERE = ContainerPacking::NOWHERE;

} // namespace

GroupingGenetic::GroupingGenetic(const ContainerPacking& packing,
                                 const GeneticSpec& spec,
                                 Ptr<UniformRandomVariable> draw)
    : m_packing(packing),
      m_spec(spec),
      m_draw(draw)
{
}

uint32_t
GroupingGenetic::DrawBelow(std::size_t count)
{
    return m_draw->GetInteger(0, static_cast<uint32_t>(count - 1));
}

uint32_t
GroupingGenetic::DrawUsed(const Plan& plan)
{
    const auto used = m_packing.ListUsed(plan);
    return used[DrawBelow(used.size())];
}

double
GroupingGenetic::GetFitness(const Plan& plan) const
{
    if (std::count(plan.begin(), plan.end(), NOWHERE) > 0)
    {
        return -std::numeric_limits<double>::infinity();
    }
    double fitness = -static_cast<double>(m_packing.ListUsed(plan).size());
    for (uint32_t job = 0; job < m_packing.GetJobs(); ++job)
    {
        fitness -= m_packing.GetScore(plan, job);
    }
    return fitness;
}

/** \return a plan of the first generation. The first ones are placed by best fit; of the others
 * every other one by first fit, the rest by random fit, container by container in a drawn order */
GroupingGenetic::Plan
GroupingGenetic::Seed(uint32_t number)
{
    Plan plan = m_packing.MakeEmpty();
    if (number < m_spec.bestFitSeeds)
    {
        for (uint32_t job = 0; job < m_packing.GetJobs(); ++job)
        {
            m_packing.PlaceBestFit(plan, job);
        }
        return plan;
    }
    std::vector<uint32_t> order(plan.size());
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i)
    {
        std::swap(order[i - 1], order[DrawBelow(i)]);
    }
    const bool isFirstFit = number % 2 == 0;
    std::vector<uint32_t> all(m_packing.GetNodes());
    std::iota(all.begin(), all.end(), 0);
    for (const uint32_t container : order)
    {
        plan[container] = isFirstFit ? FindFirst(plan, container, all) : DrawNode(plan, container);
    }
    return plan;
}

/** \return the first of the nodes that has room, or NOWHERE */
uint32_t
GroupingGenetic::FindFirst(const Plan& plan,
                           uint32_t container,
                           const std::vector<uint32_t>& nodes) const
{
    const auto node = std::find_if(nodes.begin(), nodes.end(), [&](uint32_t candidate) {
        return m_packing.Fits(plan, container, candidate);
    });
    return node == nodes.end() ? NOWHERE : *node;
}

/** \return a random node with room, or NOWHERE */
uint32_t
GroupingGenetic::DrawNode(const Plan& plan, uint32_t container)
{
    std::vector<uint32_t> candidates;
    for (uint32_t node = 0; node < m_packing.GetNodes(); ++node)
    {
        if (m_packing.Fits(plan, container, node))
        {
            candidates.push_back(node);
        }
    }
    return candidates.empty() ? NOWHERE : candidates[DrawBelow(candidates.size())];
}

/** Place the containers of deleted nodes again. */
void
GroupingGenetic::Repair(Plan& plan, const std::vector<uint32_t>& orphans)
{
    const auto used = m_packing.ListUsed(plan);
    for (const uint32_t container : orphans)
    {
        plan[container] =
            m_spec.isFirstFit ? FindFirst(plan, container, used) : DrawNode(plan, container);
    }
}

GroupingGenetic::Plan
GroupingGenetic::CrossOver(const Plan& from, uint32_t node, const Plan& into)
{
    std::vector<bool> isDeleted(m_packing.GetNodes());
    isDeleted[node] = true;
    for (uint32_t i = 0; i < into.size(); ++i)
    {
        if (from[i] == node && into[i] != NOWHERE)
        {
            isDeleted[into[i]] = true;
        }
    }
    Plan plan = into;
    std::vector<uint32_t> orphans;
    for (uint32_t i = 0; i < into.size(); ++i)
    {
        if (from[i] == node)
        {
            plan[i] = node;
        }
        else if (into[i] == NOWHERE || isDeleted[into[i]])
        {
            plan[i] = NOWHERE;
            orphans.push_back(i);
        }
    }
    Repair(plan, orphans);
    return plan;
}

GroupingGenetic::Plan
GroupingGenetic::Mutate(const Plan& plan, uint32_t node)
{
    Plan mutant = plan;
    std::vector<uint32_t> orphans;
    for (uint32_t i = 0; i < plan.size(); ++i)
    {
        if (plan[i] == node || plan[i] == NOWHERE)
        {
            mutant[i] = NOWHERE;
            orphans.push_back(i);
        }
    }
    Repair(mutant, orphans);
    return mutant;
}

const GroupingGenetic::Individual&
GroupingGenetic::ChooseByTournament(const std::vector<Individual>& population)
{
    const Individual* best = nullptr;
    for (uint32_t i = 0; i < TOURNAMENT; ++i)
    {
        const Individual& drawn = population[DrawBelow(population.size())];
        best = !best || drawn.fitness > best->fitness ? &drawn : best;
    }
    return *best;
}

GroupingGenetic::Individual
GroupingGenetic::Breed(const std::vector<Individual>& population)
{
    Plan plan = ChooseByTournament(population).plan;
    if (m_draw->GetValue(0, 1) < m_spec.crossover)
    {
        const Plan& other = ChooseByTournament(population).plan;
        if (!m_packing.ListUsed(other).empty())
        {
            plan = CrossOver(other, DrawUsed(other), plan);
        }
    }
    if (m_draw->GetValue(0, 1) < m_spec.mutation && !m_packing.ListUsed(plan).empty())
    {
        plan = Mutate(plan, DrawUsed(plan));
    }
    const double fitness = GetFitness(plan);
    return {std::move(plan), fitness};
}

std::optional<GroupingGenetic::Plan>
GroupingGenetic::Search()
{
    const auto containers = static_cast<uint32_t>(m_packing.GetContainers().size());
    const uint32_t size = m_spec.population + containers / 2;
    std::vector<Individual> population;
    for (uint32_t i = 0; i < size; ++i)
    {
        Plan plan = Seed(i);
        const double fitness = GetFitness(plan);
        population.push_back({std::move(plan), fitness});
    }
    const auto isWorse = [](const Individual& a, const Individual& b) {
        return a.fitness < b.fitness;
    };
    Individual best = *std::max_element(population.begin(), population.end(), isWorse);
    uint32_t idle = 0;
    for (uint32_t i = 0; i < m_spec.generations && idle < m_spec.patience + containers; ++i)
    {
        std::vector<Individual> next;
        if (m_spec.isElitist)
        {
            next.push_back(*std::max_element(population.begin(), population.end(), isWorse));
        }
        while (next.size() < size)
        {
            next.push_back(Breed(population));
        }
        population = std::move(next);
        const auto& leader = *std::max_element(population.begin(), population.end(), isWorse);
        idle = leader.fitness > best.fitness + LEAST_GAIN ? 0 : idle + 1;
        best = std::max(best, leader, isWorse);
    }
    return std::isfinite(best.fitness) ? std::make_optional(best.plan) : std::nullopt;
}

} // namespace ns3::ddl
