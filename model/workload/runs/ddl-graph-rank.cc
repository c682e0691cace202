// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-graph-rank.h"

#include "ddl-local-run.h"

#include "ns3/abort.h"
#include "ns3/ddl-quantity.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlGraphRank");

namespace
{

/** \return the first lane of a GPU, or the number of lanes if there is none */
uint32_t
FindGpuLane(const GraphProgram& program)
{
    return std::find(program.lanes.begin(), program.lanes.end(), LaneKind::GPU) -
           program.lanes.begin();
}

Time
GetGpuTime(const GpuType& type, uint64_t nanoseconds, const std::string& model)
{
    return type.GetTime(NanoSeconds(nanoseconds), model);
}

} // namespace

GraphRank::GraphRank(uint32_t rank,
                     Ptr<Gpu> gpu,
                     const GpuType& type,
                     std::shared_ptr<const GraphPlan> plan,
                     TaskTimes& noise,
                     const std::string& model)
    : WorkerRank(
          rank,
          gpu,
          GetGpuTime(type, plan->edges.at(plan->graph->ranks[rank].program.get()).gpuTime, model),
          0,
          noise),
      m_plan(std::move(plan)),
      m_own(m_plan->graph->ranks[rank]),
      m_edges(m_plan->edges.at(m_own.program.get())),
      m_gpu(gpu),
      m_type(type),
      m_noise(noise),
      m_model(model),
      m_gpuLane(FindGpuLane(GetProgram())),
      m_lanes(GetProgram().lanes.size())
{
    for (uint32_t local = 0; local < m_own.groups.size(); ++local)
    {
        const auto& ranks = m_plan->graph->groups[m_own.groups[local]].ranks;
        m_positions.push_back(std::find(ranks.begin(), ranks.end(), rank) - ranks.begin());
        const GraphPlan::Group& group = m_plan->groups[m_own.groups[local]];
        if (group.slots > 0)
        {
            m_groups[group.firstSlot] = local;
        }
    }
}

GraphRank::Iteration&
GraphRank::Find(uint64_t iteration)
{
    for (; m_first < GetOldest(); ++m_first)
    {
        if (!m_iterations.empty())
        {
            m_iterations.pop_front();
        }
    }
    NS_ABORT_MSG_IF(iteration < m_first, "iteration " << iteration << " is over");
    while (m_iterations.size() <= iteration - m_first)
    {
        m_iterations.emplace_back();
    }
    return m_iterations[iteration - m_first];
}

/** \return the iteration that is running */
GraphRank::Iteration&
GraphRank::GetNow()
{
    return Find(GetOldest());
}

void
GraphRank::Compute()
{
    const std::vector<uint32_t>& channels = GetRun().GetRun().plan->ranks[GetRank()].channels;
    for (uint32_t i = m_byRank.size(); i < channels.size(); ++i)
    {
        m_byRank[GetRun().GetRun().plan->channels[channels[i]].destination] = &GetEnd(i);
    }
    Iteration& now = GetNow();
    now.missing = m_edges.needs;
    now.left = now.missing.size();
    now.computing = m_edges.computing;
    m_factor = m_noise.Draw(Seconds(1)).GetSeconds();
    m_isAdmitted = !GetRun().GetRun().isGated;
    m_hasAsked = false;
    for (uint32_t node = 0; node < now.missing.size(); ++node)
    {
        if (now.missing[node] == 0)
        {
            m_ready.push_back(node);
        }
    }
    if (now.computing == 0)
    {
        GetRun().WorkerComputed(GetOldest());
        if (m_edges.communicating == 0)
        {
            Ask();
        }
    }
    m_isBeginning = true;
    Work();
    m_isBeginning = false;
    if (!IsHalted() && IsComplete())
    {
        // It took no time. Ending it here would begin the next one within this call, and so on.
        m_end = Simulator::ScheduleNow(&GraphRank::Work, this);
    }
}

void
GraphRank::Work()
{
    if (std::exchange(m_isWorking, true))
    {
        return; // further up
    }
    while (!m_ready.empty() && !IsHalted())
    {
        const uint32_t node = m_ready.front();
        m_ready.pop_front();
        Begin(node);
    }
    m_isWorking = false;
    if (!IsHalted())
    {
        CheckFinished();
    }
}

bool
GraphRank::IsComplete()
{
    return !m_isBeginning && GetNow().left == 0 && m_isAdmitted && m_hasAsked;
}

/** What waited for a node may begin, if it waits for nothing else. \param begin, end range of
 * GraphEdges::after */
void
GraphRank::Free(uint32_t begin, uint32_t end)
{
    Iteration& now = GetNow();
    for (uint32_t i = begin; i < end; ++i)
    {
        const uint32_t node = m_edges.after[i];
        if (--now.missing[node] == 0)
        {
            m_ready.push_back(node);
        }
    }
}

void
GraphRank::Begin(uint32_t node)
{
    NS_LOG_FUNCTION(this << GetOldest() << node);
    GetRun().NodeChanged(*this, GetOldest(), node, false);
    Free(m_edges.endedEnds[node], m_edges.startedEnds[node]);
    if (GetProgram().nodes[node].kind == GraphNode::Kind::COMPUTE)
    {
        BeginCompute(node);
    }
    else
    {
        Communicate(node);
    }
}

void
GraphRank::End(uint32_t node)
{
    NS_LOG_FUNCTION(this << GetOldest() << node);
    GetRun().NodeChanged(*this, GetOldest(), node, true);
    --GetNow().left;
    Free(node == 0 ? 0 : m_edges.startedEnds[node - 1], m_edges.endedEnds[node]);
}

void
GraphRank::BeginCompute(uint32_t node)
{
    const uint32_t own = GetProgram().nodes[node].lane;
    const uint32_t lane = GetProgram().lanes[own] == LaneKind::GPU ? m_gpuLane : own;
    m_lanes[lane].nodes.push_back(node);
    if (m_lanes[lane].nodes.size() == 1)
    {
        RunLane(lane);
    }
}

/** Compute the first node of a lane. */
void
GraphRank::RunLane(uint32_t lane)
{
    const uint32_t node = m_lanes[lane].nodes.front();
    const uint64_t amount = GetProgram().nodes[node].amount;
    const bool isOnGpu = lane == m_gpuLane && m_gpu;
    const Time time = isOnGpu ? GetGpuTime(m_type, amount, m_model) : NanoSeconds(amount);
    const Time noisy = RoundSteps(m_factor * time.GetDouble());
    if (isOnGpu)
    {
        m_gpu->Submit(noisy,
                      MakeCallback(&GraphRank::EndOnGpu, this),
                      {GetRun().GetId(), Pass::FORWARD, GetRun().Number(GetOldest()) + 1, node},
                      GetRun().GetRemainingService(GetOldest()));
    }
    else
    {
        m_lanes[lane].end = Simulator::Schedule(noisy, &GraphRank::EndCompute, this, lane);
    }
}

void
GraphRank::EndOnGpu()
{
    EndCompute(m_gpuLane);
}

void
GraphRank::EndCompute(uint32_t lane)
{
    const uint32_t node = m_lanes[lane].nodes.front();
    m_lanes[lane].nodes.pop_front();
    if (!m_lanes[lane].nodes.empty())
    {
        RunLane(lane);
    }
    End(node);
    if (--GetNow().computing == 0)
    {
        GetRun().WorkerComputed(GetOldest());
        if (m_edges.communicating == 0)
        {
            Ask();
        }
    }
    Work();
}

/** Say that this rank has something to send, or is not going to send. */
void
GraphRank::Ask()
{
    if (!std::exchange(m_hasAsked, true))
    {
        GetRun().WorkerReady(GetOldest());
    }
}

void
GraphRank::Admit()
{
    m_isAdmitted = true;
    for (const uint32_t node : std::exchange(m_held, {}))
    {
        Communicate(node);
    }
    if (!IsHalted())
    {
        Work();
    }
}

void
GraphRank::Communicate(uint32_t node)
{
    Ask();
    if (IsHalted())
    {
        return;
    }
    if (!m_isAdmitted)
    {
        m_held.push_back(node);
        return;
    }
    const GraphNode& work = GetProgram().nodes[node];
    if (work.kind == GraphNode::Kind::COLLECTIVE)
    {
        BeginCollective(node);
    }
    else if (work.kind == GraphNode::Kind::RECEIVE)
    {
        Receive(node);
    }
    else
    {
        const uint32_t peer = m_own.peers[work.peer];
        m_byRank.at(peer)->Send(GetOldest(),
                                m_plan->messages.at({GetRank(), peer, work.tag}) +
                                    m_edges.instances[node],
                                Await({node, RankPlan::NO_ECHO}),
                                std::max<uint64_t>(work.amount, 1));
    }
}

void
GraphRank::Receive(uint32_t node)
{
    const GraphNode& work = GetProgram().nodes[node];
    const uint32_t slot = m_plan->messages.at({m_own.peers[work.peer], GetRank(), work.tag}) +
                          m_edges.instances[node];
    if (!GetNow().inboxes.emplace(slot, node).second) // the message is there
    {
        GetNow().inboxes.erase(slot);
        End(node);
    }
}

GraphRank::Running&
GraphRank::FindRunning(Iteration& iteration, uint32_t node)
{
    const auto [entry, isNew] = iteration.running.emplace(node, Running());
    Running& running = entry->second;
    if (isNew)
    {
        const GraphNode& work = GetProgram().nodes[node];
        const GraphPlan::Group& group = m_plan->groups[m_own.groups[work.peer]];
        running.all = group.plans.at({work.collective, work.amount}).get();
        running.plan = &running.all->ranks[m_positions[work.peer]];
        running.missing = (*running.plan)->needs;
        running.inbound = (*running.plan)->GetSlots();
        running.unsent = running.missing.size();
        running.outbound = running.inbound == 0 ? (*running.plan)->sends.size() : 0;
    }
    return running;
}

void
GraphRank::BeginCollective(uint32_t node)
{
    Running& running = FindRunning(GetNow(), node);
    running.hasBegun = true;
    for (uint32_t group = 0; group < running.missing.size(); ++group)
    {
        Satisfy(node, running, group);
    }
    CheckCollective(node, running);
}

/** Count down the sends of a collective that wait for a slot. */
void
GraphRank::Fill(uint32_t node, Running& running, uint32_t slot)
{
    const RankSteps& steps = *running.plan->steps;
    for (uint32_t i = slot == 0 ? 0 : steps.waiterEnds[slot - 1]; i < steps.waiterEnds[slot]; ++i)
    {
        Satisfy(node, running, steps.waiters[i]);
    }
}

void
GraphRank::Satisfy(uint32_t node, Running& running, uint32_t group)
{
    if (--running.missing[group] > 0)
    {
        return;
    }
    --running.unsent;
    const RankSteps& steps = *running.plan->steps;
    const uint32_t number = m_own.groups[GetProgram().nodes[node].peer];
    const GraphPlan::Group& how = m_plan->groups[number];
    const std::vector<uint32_t>& members = m_plan->graph->groups[number].ranks;
    const uint32_t first = how.firstSlot + m_edges.instances[node] * how.slots;
    for (uint32_t i = group == 0 ? 0 : steps.groupEnds[group - 1]; i < steps.groupEnds[group]; ++i)
    {
        const RankSteps::Send& send = steps.sends[i];
        const uint32_t channel = running.plan->channels[send.channel];
        const bool isAwaited = send.echo != RankPlan::NO_ECHO || steps.GetSlots() == 0;
        m_byRank.at(members[running.all->channels[channel].destination])
            ->Send(GetOldest(),
                   first + send.slot,
                   isAwaited ? Await({node, send.echo}) : RankPlan::NO_ECHO,
                   running.plan->GetBytes(send));
    }
}

void
GraphRank::CheckCollective(uint32_t node, Running& running)
{
    if (running.hasBegun && running.inbound == 0 && running.unsent == 0 && running.outbound == 0)
    {
        GetNow().running.erase(node);
        End(node);
    }
}

uint32_t
GraphRank::Await(const Awaited& awaited)
{
    if (m_tokens.empty())
    {
        m_awaited.push_back(awaited);
        return m_awaited.size() - 1;
    }
    const uint32_t token = m_tokens.back();
    m_tokens.pop_back();
    m_awaited[token] = awaited;
    return token;
}

void
GraphRank::Acknowledged(uint64_t /* iteration */, uint32_t token)
{
    if (IsHalted())
    {
        return;
    }
    const Awaited awaited = m_awaited[token];
    m_tokens.push_back(token);
    if (GetProgram().nodes[awaited.node].kind == GraphNode::Kind::SEND)
    {
        End(awaited.node);
    }
    else
    {
        Running& running = GetNow().running.at(awaited.node);
        running.outbound -= running.outbound > 0 ? 1 : 0;
        if (awaited.echo != RankPlan::NO_ECHO)
        {
            Fill(awaited.node, running, awaited.echo);
        }
        CheckCollective(awaited.node, running);
    }
    Work();
}

void
GraphRank::Arrive(uint64_t iteration, uint32_t slot)
{
    NS_LOG_FUNCTION(this << iteration << slot);
    if (IsHalted())
    {
        return;
    }
    Iteration& of = Find(iteration);
    if (slot >= GraphPlan::FIRST_MESSAGE)
    {
        const auto [inbox, isFirst] = of.inboxes.emplace(slot, HERE);
        if (isFirst)
        {
            return;
        }
        const uint32_t node = inbox->second;
        of.inboxes.erase(inbox);
        End(node);
    }
    else
    {
        const auto [firstSlot, local] = *std::prev(m_groups.upper_bound(slot));
        const GraphPlan::Group& group = m_plan->groups[m_own.groups[local]];
        const uint32_t node = m_edges.collectives[local][(slot - firstSlot) / group.slots];
        Running& running = FindRunning(of, node);
        --running.inbound;
        Fill(node, running, (slot - firstSlot) % group.slots);
        CheckCollective(node, running);
    }
    Work();
}

void
GraphRank::DoHalt()
{
    WorkerRank::DoHalt();
    m_gpu = nullptr;
    m_end.Cancel();
    for (Lane& lane : m_lanes)
    {
        lane.end.Cancel();
        lane.nodes.clear();
    }
    m_ready.clear();
    m_held.clear();
    m_byRank.clear();
    m_iterations.clear();
}

} // namespace ns3::ddl
