// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-container-packing.h"
#include "ddl-grouping-genetic.h"

#include "ns3/boolean.h"
#include "ns3/ddl-policy-source.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::ddl
{

namespace
{

constexpr int64_t SEARCH_STREAM = 0x6c6971756964; // number of this policy's own RNG stream
constexpr std::size_t FEW_CONTAINERS = 3;         // batches of fewer are placed by best fit

} // namespace

/**
 * Base of Liquid's two policies, which share the cost of a plan (R. Gu et al., "Liquid: Intelligent
 * Resource Estimation and Network-Efficient Scheduling for Deep Learning Jobs on Distributed GPU
 * Clusters", IEEE TPDS 2022, §IV). A node is a server, a container a worker or a parameter server.
 */
class LiquidPlacementPolicy : public PlacementPolicy
{
  public:
    static TypeId GetTypeId();

    PlacementWishes GetWishes() const override
    {
        PlacementWishes wishes;
        wishes.ignoresLoads = true;
        wishes.looksAtJobs = m_isWeighed;
        return wishes;
    }

  protected:
    PackingCost GetCost() const
    {
        return {m_lambda, m_rackCost, m_networkCost, m_meanLoad};
    }

    std::vector<PackedJob> ListJobs(const std::vector<GroupQuestion>& groups) const
    {
        return ListPackedJobs(groups, m_isWeighed);
    }

  private:
    double m_lambda{0};
    double m_rackCost{0};
    double m_networkCost{0};
    bool m_meanLoad{false};
    bool m_isWeighed{false};
};

/** `liquid-best-fit`: container by container, where the job's cost is least (Algorithm 1). */
class LiquidBestFitPlacementPolicy : public LiquidPlacementPolicy
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "container by container where distance and load cost least (Liquid, Algorithm 1)";
    }

  private:
    PlacementAnswer DoPlace(const PlacementView& view) override;
};

/**
 * `liquid-genetic`: all waiting jobs at once, by a grouping genetic algorithm (§IV-C). While there
 * is no plan, the last group is left out.
 */
class LiquidGeneticPlacementPolicy : public LiquidPlacementPolicy
{
  public:
    static TypeId GetTypeId();
    LiquidGeneticPlacementPolicy();

    std::string GetSummary() const override
    {
        return "jobs that wait together, by a grouping genetic algorithm (Liquid)";
    }

    PlacementWishes GetWishes() const override
    {
        PlacementWishes wishes = LiquidPlacementPolicy::GetWishes();
        wishes.placesTogether = true;
        return wishes;
    }

  private:
    using Plan = ContainerPacking::Plan;

    PlacementAnswer DoPlace(const PlacementView& view) override;
    std::vector<GroupAnswer> DoPlaceTogether(const std::vector<GroupQuestion>& groups) override;
    std::optional<Plan> FindPlan(const ContainerPacking& packing);

    uint32_t m_population{0};
    double m_crossover{0};
    double m_mutation{0};
    uint32_t m_generations{0};
    uint32_t m_patience{0};
    uint32_t m_bestFitSeeds{0};
    bool m_elitist{false};
    bool m_firstFit{false};
    Ptr<UniformRandomVariable> m_draw;
};

NS_OBJECT_ENSURE_REGISTERED(LiquidPlacementPolicy);
NS_OBJECT_ENSURE_REGISTERED(LiquidBestFitPlacementPolicy);
DDL_POLICY_SOURCE(LiquidBestFitPlacementPolicy, "Liquid, TPDS", 2022, "nothing");
NS_OBJECT_ENSURE_REGISTERED(LiquidGeneticPlacementPolicy);
DDL_POLICY_SOURCE(LiquidGeneticPlacementPolicy, "Liquid, TPDS", 2022, "nothing");

TypeId
LiquidPlacementPolicy::GetTypeId()
{
    using Self = LiquidPlacementPolicy;
    static TypeId tid =
        TypeId("ns3::ddl::LiquidPlacementPolicy")
            .SetParent<PlacementPolicy>()
            .SetGroupName("Ddl")
            .AddAttribute("Lambda",
                          "weight of distances in a job's cost; loads have the rest, 1 - lambda. "
                          "The paper gives no value",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&Self::m_lambda),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("RackCost",
                          "distance of two servers of one rack",
                          DoubleValue(1),
                          MakeDoubleAccessor(&Self::m_rackCost),
                          MakeDoubleChecker<double>(0, 1e6))
            .AddAttribute("NetworkCost",
                          "distance of servers of two racks",
                          DoubleValue(4),
                          MakeDoubleAccessor(&Self::m_networkCost),
                          MakeDoubleChecker<double>(0, 1e6))
            .AddAttribute(
                "MeanLoad",
                "whether the mean load of the servers that a job uses counts; false: their "
                "sum, as printed, which rewards jobs that use many",
                BooleanValue(false),
                MakeBooleanAccessor(&Self::m_meanLoad),
                MakeBooleanChecker())
            .AddAttribute(
                "Bandwidth",
                "whether the distances of a job are multiplied by the rate that a worker is "
                "estimated to receive, in units of 100 kB/s, rounded up, as in the authors' "
                "program; false: they are not, as printed",
                BooleanValue(false),
                MakeBooleanAccessor(&Self::m_isWeighed),
                MakeBooleanChecker());
    return tid;
}

TypeId
LiquidBestFitPlacementPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::LiquidBestFitPlacementPolicy")
                            .SetParent<LiquidPlacementPolicy>()
                            .SetGroupName("Ddl")
                            .AddConstructor<LiquidBestFitPlacementPolicy>();
    return tid;
}

PlacementAnswer
LiquidBestFitPlacementPolicy::DoPlace(const PlacementView& view)
{
    const ContainerPacking packing(view.cluster, ListJobs({{view}}), GetCost());
    ContainerPacking::Plan plan = packing.MakeEmpty();
    return packing.PlaceBestFit(plan, 0) ? std::make_optional(packing.MakePlacements(plan).front())
                                         : std::nullopt;
}

TypeId
LiquidGeneticPlacementPolicy::GetTypeId()
{
    using Self = LiquidGeneticPlacementPolicy;
    static TypeId tid =
        TypeId("ns3::ddl::LiquidGeneticPlacementPolicy")
            .SetParent<LiquidPlacementPolicy>()
            .SetGroupName("Ddl")
            .AddConstructor<LiquidGeneticPlacementPolicy>()
            .AddAttribute("Population",
                          "plans of a generation; one more for every two containers",
                          UintegerValue(30),
                          MakeUintegerAccessor(&Self::m_population),
                          MakeUintegerChecker<uint32_t>(1, 1000))
            .AddAttribute("Crossover",
                          "probability that a plan takes over a server from another plan",
                          DoubleValue(0.7),
                          MakeDoubleAccessor(&Self::m_crossover),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Mutation",
                          "probability that a server is removed from a plan",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&Self::m_mutation),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Generations",
                          "most generations",
                          UintegerValue(300),
                          MakeUintegerAccessor(&Self::m_generations),
                          MakeUintegerChecker<uint32_t>(0, 100000))
            .AddAttribute("Patience",
                          "generations without gain after which the search ends; one more for "
                          "each container",
                          UintegerValue(30),
                          MakeUintegerAccessor(&Self::m_patience),
                          MakeUintegerChecker<uint32_t>(0, 100000))
            .AddAttribute("BestFitSeeds",
                          "plans of the first generation that are placed by best fit",
                          UintegerValue(1),
                          MakeUintegerAccessor(&Self::m_bestFitSeeds),
                          MakeUintegerChecker<uint32_t>(0, 1000))
            .AddAttribute("Elitist",
                          "whether the best plan of a generation is kept in the next",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Self::m_elitist),
                          MakeBooleanChecker())
            .AddAttribute("FirstFit",
                          "whether what was on a server that a plan loses goes to the first server "
                          "still in use that has room, as printed; false: to any with room, the "
                          "lost one included (the authors' program: to any other)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Self::m_firstFit),
                          MakeBooleanChecker());
    return tid;
}

LiquidGeneticPlacementPolicy::LiquidGeneticPlacementPolicy()
    : m_draw(CreateObject<UniformRandomVariable>())
{
    m_draw->SetStream(SEARCH_STREAM);
}

PlacementAnswer
LiquidGeneticPlacementPolicy::DoPlace(const PlacementView& view)
{
    const auto answer = DoPlaceTogether({{view}}).front();
    return answer.placements ? std::make_optional(answer.placements->front()) : std::nullopt;
}

std::vector<GroupAnswer>
LiquidGeneticPlacementPolicy::DoPlaceTogether(const std::vector<GroupQuestion>& groups)
{
    const ClusterView& cluster = groups.front().front().cluster;
    std::vector<GroupAnswer> answers(groups.size());
    std::vector<GroupQuestion> batch = groups;
    for (; !batch.empty(); batch.pop_back())
    {
        const ContainerPacking packing(cluster, ListJobs(batch), GetCost());
        const auto plan = packing.MayFit() ? FindPlan(packing) : std::nullopt;
        if (!plan)
        {
            continue;
        }
        const std::vector<Placement> placements = packing.MakePlacements(*plan);
        auto next = placements.begin();
        for (std::size_t i = 0; i < batch.size(); ++i)
        {
            answers[i].placements.emplace(next, next + batch[i].size());
            next += batch[i].size();
        }
        break;
    }
    return answers;
}

std::optional<LiquidGeneticPlacementPolicy::Plan>
LiquidGeneticPlacementPolicy::FindPlan(const ContainerPacking& packing)
{
    if (packing.GetContainers().size() < FEW_CONTAINERS)
    {
        Plan plan = packing.MakeEmpty();
        bool isPlaced = true;
        for (uint32_t job = 0; job < packing.GetJobs(); ++job)
        {
            isPlaced = packing.PlaceBestFit(plan, job) && isPlaced;
        }
        return isPlaced ? std::make_optional(plan) : std::nullopt;
    }
    const GeneticSpec spec{m_population,
                           m_crossover,
                           m_mutation,
                           m_generations,
                           m_patience,
                           m_bestFitSeeds,
                           m_elitist,
                           m_firstFit};
    return GroupingGenetic(packing, spec, m_draw).Search();
}

} // namespace ns3::ddl
