// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-task-graph.h"

#include <algorithm>
#include <boost/functional/hash.hpp>
#include <set>
#include <utility>

namespace ns3::ddl
{

uint64_t
CountGraphMemory(const TaskGraph& graph)
{
    uint64_t bytes = 0;
    std::set<const GraphProgram*> seen;
    for (const RankGraph& rank : graph.ranks)
    {
        bytes += sizeof(RankGraph) + sizeof(uint32_t) * (rank.peers.size() + rank.groups.size());
        if (!seen.insert(rank.program.get()).second)
        {
            continue;
        }
        bytes += rank.program->nodes.size() * (sizeof(GraphNode) + 2 * sizeof(uint32_t)) +
                 rank.program->before.size() * sizeof(uint32_t);
        for (const auto& name : rank.program->names)
        {
            bytes += sizeof name + name.size();
        }
    }
    return bytes;
}

const char*
GetName(Collective collective)
{
    switch (collective)
    {
    case Collective::ALL_REDUCE:
        return "all-reduce";
    case Collective::ALL_GATHER:
        return "all-gather";
    case Collective::REDUCE_SCATTER:
        return "reduce-scatter";
    case Collective::ALL_TO_ALL:
        return "all-to-all";
    case Collective::BROADCAST:
        return "broadcast";
    case Collective::BARRIER:
        break;
    }
    return "barrier";
}

uint16_t
GraphProgramBuilder::AddLane(LaneKind kind)
{
    m_program.lanes.push_back(kind);
    return static_cast<uint16_t>(m_program.lanes.size() - 1);
}

uint32_t
GraphProgramBuilder::Add(const GraphNode& node,
                         const std::vector<uint32_t>& ended,
                         const std::vector<uint32_t>& started,
                         std::string name)
{
    auto& before = m_program.before;
    m_program.nodes.push_back(node);
    before.insert(before.end(), ended.begin(), ended.end());
    m_program.endedEnds.push_back(static_cast<uint32_t>(before.size()));
    before.insert(before.end(), started.begin(), started.end());
    m_program.startedEnds.push_back(static_cast<uint32_t>(before.size()));
    auto& names = m_program.names;
    if (!name.empty() || !names.empty())
    {
        names.resize(m_program.nodes.size());
        names.back() = std::move(name);
    }
    return GetSize() - 1;
}

std::shared_ptr<const GraphProgram>
GraphProgramBuilder::Build()
{
    if (!m_program.names.empty())
    {
        m_program.names.resize(m_program.nodes.size());
    }
    m_program.nodes.shrink_to_fit();
    m_program.before.shrink_to_fit();
    auto program = std::make_shared<const GraphProgram>(std::move(m_program));
    m_program = GraphProgram();
    return program;
}

std::size_t
HashProgram(const GraphProgram& program)
{
    std::size_t hash = 0;
    for (const LaneKind lane : program.lanes)
    {
        boost::hash_combine(hash, static_cast<int>(lane));
    }
    for (const GraphNode& node : program.nodes)
    {
        boost::hash_combine(hash, node.amount);
        boost::hash_combine(hash, node.peer);
        boost::hash_combine(hash, node.tag);
        boost::hash_combine(hash, static_cast<int>(node.kind));
        boost::hash_combine(hash, static_cast<int>(node.collective));
        boost::hash_combine(hash, node.lane);
    }
    boost::hash_range(hash, program.names.begin(), program.names.end());
    for (const auto* list : {&program.before, &program.endedEnds, &program.startedEnds})
    {
        boost::hash_range(hash, list->begin(), list->end());
    }
    return hash;
}

std::shared_ptr<const GraphProgram>
GraphProgramPool::Share(std::shared_ptr<const GraphProgram> program)
{
    const std::size_t hash = HashProgram(*program);
    const auto [first, last] = m_programs.equal_range(hash);
    const auto same = std::find_if(first, last, [&program](const auto& entry) {
        return *entry.second == *program;
    });
    if (same != last)
    {
        return same->second;
    }
    m_programs.emplace(hash, program);
    return program;
}

uint32_t
GraphIndex::Add(uint32_t value)
{
    const auto [entry, isNew] = m_indices.emplace(value, static_cast<uint32_t>(m_values.size()));
    if (isNew)
    {
        m_values.push_back(value);
    }
    return entry->second;
}

} // namespace ns3::ddl
