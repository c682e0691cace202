// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fluid-engine.h"

#include "ddl-fluid-stream.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlFluidEngine");

FluidEngine::FluidEngine(Ptr<Fabric> fabric, Options options)
    : m_options(options),
      m_network(fabric, options.wrapping),
      m_allocator(m_network.ListPorts()),
      m_contention(m_network.ListPorts(), options.contentionCost)
{
    for (uint32_t link = 0; link < fabric->GetLinks(); ++link)
    {
        m_links.push_back(fabric->GetLink(link));
        m_links.back()->TraceConnectWithoutContext(
            "Up",
            MakeCallback(&FluidEngine::NotifyLinkChange, this));
    }
}

FluidEngine::~FluidEngine()
{
    Stop();
}

void
FluidEngine::Stop()
{
    for (const auto& link : m_links)
    {
        link->TraceDisconnectWithoutContext("Up",
                                            MakeCallback(&FluidEngine::NotifyLinkChange, this));
    }
    m_links.clear();
    m_change.Cancel();
    m_due.Cancel();
    m_backlogged.clear();
}

void
FluidEngine::NotifyBacklogged(Ptr<FluidStream> stream)
{
    if (std::find(m_backlogged.begin(), m_backlogged.end(), stream) == m_backlogged.end())
    {
        m_backlogged.push_back(stream);
    }
    NotifyChange();
}

void
FluidEngine::NotifyChange()
{
    if (m_change.IsExpired())
    {
        m_change = Simulator::ScheduleNow(&FluidEngine::Recompute, this);
    }
}

/** Routes are not yet repaired: that has to wait for the end of this event. */
void
FluidEngine::NotifyLinkChange(bool up)
{
    NS_LOG_FUNCTION(this << up);
    m_linksChanged = true;
    NotifyChange();
}

void
FluidEngine::ForgetIdle()
{
    m_backlogged.erase(
        std::remove_if(m_backlogged.begin(),
                       m_backlogged.end(),
                       [](const Ptr<FluidStream>& stream) { return !stream->IsBacklogged(); }),
        m_backlogged.end());
}

void
FluidEngine::Recompute()
{
    ForgetIdle();
    m_paths.clear();
    for (const auto& stream : m_backlogged)
    {
        if (m_linksChanged)
        {
            stream->Reroute();
        }
        if (!stream->GetPath().empty())
        {
            m_paths.push_back(&stream->GetPath());
        }
    }
    m_linksChanged = false;
    m_contention.Apply(m_paths, m_allocator);
    const std::vector<double>& rates = m_allocator.Allocate(m_paths);
    std::size_t next = 0;
    for (const auto& stream : m_backlogged)
    {
        stream->SetRate(stream->GetPath().empty() ? 0 : rates[next++]);
    }
    ++m_recomputations;
    ScheduleDue();
}

void
FluidEngine::ScheduleDue()
{
    int64_t due = FluidProgress::NEVER;
    for (const auto& stream : m_backlogged)
    {
        due = std::min(due, stream->GetDue());
    }
    m_due.Cancel();
    if (due != FluidProgress::NEVER)
    {
        m_due = Simulator::Schedule(TimeStep(static_cast<uint64_t>(due)) - Simulator::Now(),
                                    &FluidEngine::ServeDue,
                                    this);
    }
}

void
FluidEngine::ServeDue()
{
    const int64_t now = Simulator::Now().GetTimeStep();
    bool isIdle = false;
    for (const auto& stream : m_backlogged)
    {
        if (stream->GetDue() <= now)
        {
            stream->Advance();
            isIdle |= !stream->IsBacklogged();
        }
    }
    isIdle ? NotifyChange() : ScheduleDue();
}

QueueTraffic
FluidEngine::GetTraffic(Ptr<Port> port, uint32_t queue)
{
    if (m_advanced != Simulator::Now()) // else nothing has moved since
    {
        m_advanced = Simulator::Now();
        for (const auto& stream : m_backlogged)
        {
            stream->Advance();
        }
    }
    return m_network.GetTraffic(port, queue);
}

} // namespace ns3::ddl
