// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-affinity-graph.h"

#include <boost/pending/disjoint_sets.hpp>
#include <cmath>
#include <deque>
#include <optional>

namespace ns3::ddl
{

namespace
{

/** VertexSets of the graph, edge by edge. Vertices are the jobs, then the links. */
class VertexSets
{
  public:
    explicit VertexSets(uint32_t vertices)
        : m_rank(vertices, 0),
          m_parent(vertices),
          m_sets(m_rank.data(), m_parent.data())
    {
        for (uint32_t vertex = 0; vertex < vertices; ++vertex)
        {
            m_sets.make_set(vertex);
        }
    }

    /** \return false if both were in one component already */
    bool Join(uint32_t a, uint32_t b)
    {
        const bool isNew = Find(a) != Find(b);
        m_sets.union_set(a, b);
        return isNew;
    }

    uint32_t Find(uint32_t vertex)
    {
        return m_sets.find_set(vertex);
    }

  private:
    std::vector<uint32_t> m_rank;
    std::vector<uint32_t> m_parent;
    boost::disjoint_sets<uint32_t*, uint32_t*> m_sets;
};

} // namespace

bool
HasLoop(const AffinityGraph& graph)
{
    VertexSets components(graph.jobs + graph.links);
    for (const auto& edge : graph.edges)
    {
        if (!components.Join(edge.job, graph.jobs + edge.link))
        {
            return true;
        }
    }
    return false;
}

std::vector<uint32_t>
FindRoots(const AffinityGraph& graph)
{
    VertexSets components(graph.jobs + graph.links);
    for (const auto& edge : graph.edges)
    {
        components.Join(edge.job, graph.jobs + edge.link);
    }
    std::vector<std::optional<uint32_t>> first(graph.jobs + graph.links);
    std::vector<uint32_t> roots;
    for (uint32_t job = 0; job < graph.jobs; ++job)
    {
        auto& root = first[components.Find(job)];
        root = root.value_or(job);
        roots.push_back(*root);
    }
    return roots;
}

std::vector<AffinityShift>
FindTimeShifts(const AffinityGraph& graph, const std::vector<double>& iterations)
{
    using EdgeList = std::vector<const AffinityGraph::Edge*>;
    std::vector<EdgeList> ofJob(graph.jobs);
    std::vector<EdgeList> ofLink(graph.links);
    for (const auto& edge : graph.edges)
    {
        ofJob[edge.job].push_back(&edge);
        ofLink[edge.link].push_back(&edge);
    }
    std::vector<std::optional<AffinityShift>> shifts(graph.jobs);
    std::vector<bool> isWalked(graph.links, false); // then all its jobs have shifts
    for (uint32_t root = 0; root < graph.jobs; ++root)
    {
        std::deque<uint32_t> next;
        if (!shifts[root])
        {
            shifts[root] = AffinityShift{root, 0};
            next.push_back(root);
        }
        for (; !next.empty(); next.pop_front())
        {
            const uint32_t from = next.front();
            for (const auto* there : ofJob[from])
            {
                if (isWalked[there->link])
                {
                    continue;
                }
                isWalked[there->link] = true;
                for (const auto* back : ofLink[there->link])
                {
                    if (shifts[back->job])
                    {
                        continue;
                    }
                    const double iteration = iterations[back->job];
                    const double shift = shifts[from]->shift - there->shift + back->shift;
                    const double rest = std::fmod(shift, iteration);
                    shifts[back->job] = AffinityShift{root, rest < 0 ? rest + iteration : rest};
                    next.push_back(back->job);
                }
            }
        }
    }
    std::vector<AffinityShift> all;
    for (const auto& shift : shifts)
    {
        all.push_back(*shift);
    }
    return all;
}

} // namespace ns3::ddl
