// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-least-congested-paths.h"
#include "ddl-link-contention.h"
#include "ddl-max-k-cut.h"
#include "ddl-network-scheduler.h"
#include "ddl-unit-order.h"

#include "ns3/boolean.h"
#include "ns3/ddl-policy-source.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <tuple>

namespace ns3::ddl
{

/**
 * Jobs by GPU intensity (Crux: Cao, Guan, Qian, Gao, Xiao, Dong, Fu, Cai, Zhai, SIGCOMM 2024).
 *
 * The intensity of a job is the work of its GPUs in an iteration over the seconds for which its
 * transfers occupy their busiest link, I = W / t. From it follow, at every arrival and end of a
 * job:
 *
 * - paths (§4.1): jobs choose by falling intensity, each flow the least congested of its paths;
 * - priorities (§4.2): P = k I, where k compares a job with the job of most traffic on one link;
 * - levels (§4.3): the priorities are compressed into as many as there are queues.
 *
 * W is the GPU time of an iteration on the reference GPU, which is in proportion to FLOPs for GPUs
 * that are equally well used. Readings of what the paper leaves open: doc/crux.md.
 */
class CruxNetworkScheduler : public NetworkScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::CruxNetworkScheduler")
                .SetParent<NetworkScheduler>()
                .SetGroupName("Ddl")
                .AddConstructor<CruxNetworkScheduler>()
                .AddAttribute("Paths",
                              "Whether it chooses the paths of flows. Without effect where the "
                              "transport cannot pin them: tcp, spraying switches",
                              BooleanValue(true),
                              MakeBooleanAccessor(&CruxNetworkScheduler::m_choosesPaths),
                              MakeBooleanChecker())
                .AddAttribute("Correction",
                              "Whether priorities are k I, or the intensity I alone",
                              BooleanValue(true),
                              MakeBooleanAccessor(&CruxNetworkScheduler::m_corrects),
                              MakeBooleanChecker())
                .AddAttribute("Levels",
                              "Most levels into which priorities are compressed, and never more "
                              "than switches have for data; 1: all jobs are equal. 0: no "
                              "compression, priorities beyond the last queue share it",
                              UintegerValue(7),
                              MakeUintegerAccessor(&CruxNetworkScheduler::m_levels),
                              MakeUintegerChecker<uint32_t>())
                .AddAttribute("Orders",
                              "Random topological orders among which the best levels are sought",
                              UintegerValue(10),
                              MakeUintegerAccessor(&CruxNetworkScheduler::m_orders),
                              MakeUintegerChecker<uint32_t>(1, 1000));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "jobs by GPU intensity, on the least congested paths (Cao et al. 2024, Crux)";
    }

    UnitKind GetUnitKind() const override
    {
        return UnitKind::JOB;
    }

    bool NeedsFlows() const override
    {
        return true;
    }

    bool ChoosesPaths() const override
    {
        return m_choosesPaths;
    }

    bool GivesLevels() const override
    {
        return true;
    }

  private:
    /** A job on some paths. */
    struct Rated
    {
        uint32_t unit{0};
        LinkJob onLink;      //!< at its busiest link
        double intensity{0}; //!< I, work per second of sending; 0 if it sends nothing
        double traffic{0};   //!< bytes of an iteration, all flows
        double priority{0};  //!< P = k I
    };

    static Rated Rate(const SchedulerView& view, uint32_t unit, const std::vector<uint32_t>& paths);
    static void Correct(std::vector<Rated>& jobs);
    static ContentionGraph MakeGraph(const SchedulerView& view, const std::vector<Rated>& jobs);
    PathChoice DoChoosePaths(const SchedulerView& view) override;
    UnitOrder DoOrder(const SchedulerView& view) override;

    bool m_choosesPaths{true};
    bool m_corrects{true};
    uint32_t m_levels{7};
    uint32_t m_orders{10};
};

NS_OBJECT_ENSURE_REGISTERED(CruxNetworkScheduler);
DDL_POLICY_SOURCE(CruxNetworkScheduler,
                  "Crux, SIGCOMM",
                  2024,
                  "compute, bytes and flows of an iteration, links");

CruxNetworkScheduler::Rated
CruxNetworkScheduler::Rate(const SchedulerView& view,
                           uint32_t unit,
                           const std::vector<uint32_t>& paths)
{
    const IterationView& each = view.units[unit].each;
    const double seconds = GetBusiestSeconds(each.flows, paths, view.linkRates);
    Rated job{unit, {each.compute, seconds, each.sendsFrom}};
    job.intensity = seconds > 0 ? each.work / seconds : 0;
    for (const FlowView& flow : each.flows)
    {
        job.traffic += flow.bytes;
    }
    return job;
}

PathChoice
CruxNetworkScheduler::DoChoosePaths(const SchedulerView& view)
{
    std::vector<Rated> jobs;
    for (const uint32_t unit : IndicesById(view))
    {
        const auto& flows = view.units[unit].each.flows;
        if (!flows.empty())
        {
            // Alone on the network it would take these, whatever it takes now.
            jobs.push_back(Rate(view, unit, LinkLoads(view.linkRates).Add(flows, 1)));
        }
    }
    std::stable_sort(jobs.begin(), jobs.end(), [](const Rated& a, const Rated& b) {
        return a.intensity > b.intensity;
    });
    PathChoice choice(view.units.size());
    LinkLoads loads(view.linkRates);
    for (const Rated& job : jobs)
    {
        choice[job.unit] = loads.Add(view.units[job.unit].each.flows, job.onLink.GetPeriod());
    }
    return choice;
}

/** P = k I (Eq. 3). The reference job is the one with most traffic in an iteration. */
void
CruxNetworkScheduler::Correct(std::vector<Rated>& jobs)
{
    const auto most =
        std::max_element(jobs.begin(), jobs.end(), [](const Rated& a, const Rated& b) {
            return a.traffic < b.traffic;
        });
    for (Rated& job : jobs)
    {
        if (job.traffic > 0 && job.unit != most->unit)
        {
            job.priority *= GetCorrection(most->onLink, job.onLink);
        }
    }
}

/** \param jobs the highest priority first \return an edge from each to all later ones with which it
 * shares a link */
ContentionGraph
CruxNetworkScheduler::MakeGraph(const SchedulerView& view, const std::vector<Rated>& jobs)
{
    ContentionGraph graph(jobs.size());
    std::vector<boost::dynamic_bitset<>> links;
    for (std::size_t i = 0; i < jobs.size(); ++i)
    {
        graph.weights[i] = jobs[i].intensity;
        boost::dynamic_bitset<>& used = links.emplace_back(view.linkRates.size());
        for (const FlowView& flow : view.units[jobs[i].unit].each.flows)
        {
            for (const uint32_t link : flow.paths->at(flow.path))
            {
                used.set(link);
            }
        }
        for (std::size_t higher = 0; higher < i; ++higher)
        {
            graph.lower[higher][i] = links[higher].intersects(used);
        }
    }
    return graph;
}

UnitOrder
CruxNetworkScheduler::DoOrder(const SchedulerView& view)
{
    std::vector<Rated> jobs;
    for (const uint32_t unit : IndicesById(view))
    {
        std::vector<uint32_t> paths;
        for (const FlowView& flow : view.units[unit].each.flows)
        {
            paths.push_back(flow.path);
        }
        jobs.push_back(Rate(view, unit, paths));
        jobs.back().priority = jobs.back().intensity;
    }
    const uint32_t most = std::min(m_levels, view.priorities);
    if (m_corrects && most != 1)
    {
        Correct(jobs);
    }
    std::stable_sort(jobs.begin(), jobs.end(), [](const Rated& a, const Rated& b) {
        return std::tie(a.priority, a.intensity) > std::tie(b.priority, b.intensity);
    });
    std::vector<uint32_t> ranks;
    for (uint32_t rank = 0; rank < jobs.size(); ++rank)
    {
        ranks.push_back(rank);
    }
    std::mt19937_64 random(1); // a stream of its own, the same for each decision
    const auto levels = CutIntoLevels(MakeGraph(view, jobs), ranks, most, m_orders, random);
    UnitOrder order;
    for (const uint32_t rank : ranks)
    {
        order.resize(std::max<std::size_t>(order.size(), levels[rank] + 1));
        order[levels[rank]].push_back(jobs[rank].unit);
    }
    return order;
}

} // namespace ns3::ddl
