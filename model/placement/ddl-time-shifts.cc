// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-time-shifts.h"

#include "ddl-affinity-graph.h"
#include "ddl-cassini-circle.h"

#include "ns3/double.h"
#include "ns3/object-base.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace ns3::ddl
{

namespace
{

constexpr double SHARE_ERROR = 1e-6; //!< of shares

/** Jobs that share a link, by index, with the shares of its capacity that they demand. */
using Sharers = std::map<uint32_t, double>;

/** \return whether no job of `link` demands more than at `other`, where all of them are */
bool
IsWithin(const Sharers& link, const Sharers& other)
{
    return std::all_of(link.begin(), link.end(), [&other](const auto& sharer) {
        const auto there = other.find(sharer.first);
        return there != other.end() && sharer.second <= there->second + SHARE_ERROR;
    });
}

/** \return links where the capacity may be exceeded, without those that add nothing to others */
std::vector<Sharers>
ListContended(const std::vector<JobTraffic>& jobs)
{
    std::map<uint32_t, Sharers> byLink;
    for (uint32_t job = 0; job < jobs.size(); ++job)
    {
        const bool isShifted =
            jobs[job].iteration.IsStrictlyPositive() && jobs[job].up.IsStrictlyPositive();
        for (const LinkDemand& demand : jobs[job].links)
        {
            if (isShifted)
            {
                byLink[demand.link][job] = std::max(byLink[demand.link][job], demand.share);
            }
        }
    }
    std::map<std::vector<uint32_t>, Sharers> bySharers; // the greatest demand of each at such links
    for (const auto& [link, sharers] : byLink)
    {
        double demand = 0;
        std::vector<uint32_t> who;
        for (const auto& [job, share] : sharers)
        {
            demand += share;
            who.push_back(job);
        }
        if (demand > 1 + SHARE_ERROR)
        {
            Sharers& greatest = bySharers[who];
            for (const auto& [job, share] : sharers)
            {
                greatest[job] = std::max(greatest[job], share);
            }
        }
    }
    std::vector<Sharers> links;
    for (const auto& [who, sharers] : bySharers)
    {
        const bool isNeeded =
            std::none_of(bySharers.begin(), bySharers.end(), [&who, &sharers](const auto& other) {
                return other.first != who && IsWithin(sharers, other.second);
            });
        if (isNeeded)
        {
            links.push_back(sharers);
        }
    }
    return links;
}

AffinityGraph
MakeAffinityGraph(std::size_t jobs, const std::vector<Sharers>& links)
{
    AffinityGraph graph{static_cast<uint32_t>(jobs), static_cast<uint32_t>(links.size()), {}};
    for (uint32_t link = 0; link < links.size(); ++link)
    {
        for (const auto& [job, share] : links[link])
        {
            graph.edges.push_back({job, link, 0});
        }
    }
    return graph;
}

/** \return the links of components without loops, which have one edge less than vertices */
std::vector<Sharers>
LeaveOutLoops(const AffinityGraph& graph, const std::vector<Sharers>& links)
{
    const std::vector<uint32_t> roots = FindRoots(graph);
    std::vector<int64_t> surplus(graph.jobs, 0); // edges less vertices, by root
    for (const uint32_t root : roots)
    {
        --surplus[root];
    }
    for (const Sharers& sharers : links)
    {
        surplus[roots[sharers.begin()->first]] += static_cast<int64_t>(sharers.size()) - 1;
    }
    std::vector<Sharers> kept;
    std::copy_if(links.begin(), links.end(), std::back_inserter(kept), [&](const auto& sharers) {
        return surplus[roots[sharers.begin()->first]] < 0;
    });
    return kept;
}

/** The circle of a component, and the number of its iterations of each job, by index. */
struct ComponentCircle
{
    double perimeter{0};
    std::map<uint32_t, uint32_t> iterations;
};

/** \return the circle of each component with several jobs, by its root */
std::map<uint32_t, ComponentCircle>
MakeCircles(const std::vector<JobTraffic>& jobs,
            const std::vector<uint32_t>& roots,
            const CircleRules& rules)
{
    std::map<uint32_t, std::vector<uint32_t>> members;
    for (uint32_t job = 0; job < jobs.size(); ++job)
    {
        members[roots[job]].push_back(job);
    }
    std::map<uint32_t, ComponentCircle> circles;
    for (const auto& [root, those] : members)
    {
        if (those.size() < 2)
        {
            continue;
        }
        std::vector<double> iterations;
        for (const uint32_t job : those)
        {
            iterations.push_back(jobs[job].iteration.GetSeconds());
        }
        const UnifiedCircle circle = MakeCircle(iterations, rules.stretch, rules.turns);
        circles[root].perimeter = circle.perimeter;
        for (std::size_t i = 0; i < those.size(); ++i)
        {
            circles[root].iterations[those[i]] = circle.iterations[i];
        }
    }
    return circles;
}

/** \return how the jobs of a link are best rotated on the circle of their component */
LinkRotation
RotateLink(const std::vector<JobTraffic>& jobs,
           const Sharers& sharers,
           const ComponentCircle& component,
           double degrees)
{
    UnifiedCircle circle{component.perimeter, {}};
    std::vector<LinkPattern> patterns;
    for (const auto& [job, share] : sharers)
    {
        circle.iterations.push_back(component.iterations.at(job));
        patterns.push_back({jobs[job].up.GetSeconds(), share});
    }
    return FindRotation(circle, patterns, degrees);
}

} // namespace

TypeId
CircleRules::AddAttributes(TypeId type)
{
    return type
        .AddAttribute("Angle",
                      "Degrees of an iteration between two shifts that are tried",
                      DoubleValue(5),
                      MakeDoubleAccessor(&CircleRules::degrees),
                      MakeDoubleChecker<double>(1, 180))
        .AddAttribute("Stretch",
                      "Part by which iterations may be lengthened to fit a short circle; 0: "
                      "its perimeter is their least common multiple, as published",
                      DoubleValue(0.05),
                      MakeDoubleAccessor(&CircleRules::stretch),
                      MakeDoubleChecker<double>(0, 1))
        .AddAttribute("Turns",
                      "Most iterations of the slowest job on a circle",
                      UintegerValue(8),
                      MakeUintegerAccessor(&CircleRules::turns),
                      MakeUintegerChecker<uint32_t>(1, 64));
}

TimeShiftPlan
PlanTimeShifts(const std::vector<JobTraffic>& jobs, const CircleRules& rules)
{
    std::vector<Sharers> links = ListContended(jobs);
    AffinityGraph graph = MakeAffinityGraph(jobs.size(), links);
    TimeShiftPlan plan;
    plan.hasLoop = HasLoop(graph);
    if (plan.hasLoop)
    {
        links = LeaveOutLoops(graph, links);
        graph = MakeAffinityGraph(jobs.size(), links);
    }
    const std::vector<uint32_t> roots = FindRoots(graph);
    const auto circles = MakeCircles(jobs, roots, rules);
    double sum = 0;
    auto edge = graph.edges.begin();
    for (const Sharers& sharers : links)
    {
        const ComponentCircle& circle = circles.at(roots[sharers.begin()->first]);
        const auto rotation = RotateLink(jobs, sharers, circle, rules.degrees);
        sum += rotation.score;
        for (const double shift : rotation.shifts)
        {
            (edge++)->shift = shift;
        }
    }
    plan.score = links.empty() ? 1 : sum / static_cast<double>(links.size());
    std::vector<double> iterations(jobs.size(), 1); // of those that are not shifted: any
    plan.jobs.resize(jobs.size());
    for (uint32_t job = 0; job < jobs.size(); ++job)
    {
        plan.jobs[job] = {job, 1, jobs[job].iteration, Time()};
    }
    for (const auto& [root, circle] : circles)
    {
        for (const auto& [job, count] : circle.iterations)
        {
            iterations[job] = circle.perimeter / count;
            plan.jobs[job].iterations = count;
            plan.jobs[job].iteration = Seconds(iterations[job]);
        }
    }
    const auto shifts = FindTimeShifts(graph, iterations);
    for (uint32_t job = 0; job < jobs.size(); ++job)
    {
        plan.jobs[job].root = shifts[job].root;
        plan.jobs[job].shift = Seconds(shifts[job].shift);
    }
    return plan;
}

} // namespace ns3::ddl
