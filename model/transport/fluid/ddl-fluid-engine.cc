// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fluid-engine.h"

#include "ddl-fluid-stream.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlFluidEngine");

FluidEngine::Sharing::Sharing(FluidAllocator allocator)
    : allocator(std::move(allocator))
{
}

FluidEngine::FluidEngine(Ptr<Fabric> fabric, Options options)
    : m_options(options),
      m_network(fabric, options.wrapping)
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
    m_isStopped = true;
    m_links.clear();
    m_change.Cancel();
    m_due.Cancel();
    for (const auto& stream : m_backlogged)
    {
        if (stream)
        {
            stream->GetEntry().key = FluidStream::Entry::NONE; // it must not call back
        }
    }
    m_backlogged.clear();
    m_changed.clear();
}

/** Let a changed stream take part in the next Recompute, which is at this instant. */
void
FluidEngine::Note(Ptr<FluidStream> stream)
{
    FluidStream::Entry& entry = stream->GetEntry();
    if (m_isStopped)
    {
        return;
    }
    if (!entry.isChanged)
    {
        entry.isChanged = true;
        m_changed.push_back(stream);
    }
    if (m_change.IsExpired())
    {
        m_change = Simulator::ScheduleNow(&FluidEngine::Recompute, this);
    }
}

void
FluidEngine::NotifyBacklogged(Ptr<FluidStream> stream)
{
    FluidStream::Entry& entry = stream->GetEntry();
    if (entry.key == FluidStream::Entry::NONE && !m_isStopped)
    {
        entry.key = static_cast<uint32_t>(m_backlogged.size());
        if (m_freeKeys.empty())
        {
            m_backlogged.emplace_back();
        }
        else
        {
            entry.key = m_freeKeys.back();
            m_freeKeys.pop_back();
        }
        m_backlogged[entry.key] = stream;
        entry.order = m_order++;
    }
    Note(stream);
}

void
FluidEngine::NotifyRoute(Ptr<FluidStream> stream)
{
    stream->GetEntry().isMoved = true;
    Note(stream);
}

void
FluidEngine::NotifyChange(Ptr<FluidStream> stream)
{
    Note(stream);
}

void
FluidEngine::NotifyDue(FluidStream& stream)
{
    const FluidStream::Entry& entry = stream.GetEntry();
    if (entry.key != FluidStream::Entry::NONE && !m_isStopped)
    {
        m_agenda.Set(entry.key, stream.GetDue());
    }
}

/** Schedule the rerouting at the end of this event, as routes are not repaired yet. */
void
FluidEngine::NotifyLinkChange(bool up)
{
    NS_LOG_FUNCTION(this << up);
    m_linksChanged = true;
    if (m_change.IsExpired())
    {
        m_change = Simulator::ScheduleNow(&FluidEngine::Recompute, this);
    }
}

void
FluidEngine::Recompute()
{
    for (std::size_t key = 0; m_linksChanged && key < m_backlogged.size(); ++key)
    {
        if (m_backlogged[key])
        {
            m_backlogged[key]->Reroute();
            Note(m_backlogged[key]);
        }
    }
    m_linksChanged = false;
    for (std::size_t i = 0; i < m_changed.size(); ++i)
    {
        m_changed[i]->GetEntry().isChanged = false;
        Follow(*m_changed[i]);
    }
    m_changed.clear();
    for (std::size_t i = 0; i < m_changedSharings.size(); ++i)
    {
        UpdateSharing(m_changedSharings[i]);
    }
    m_changedSharings.clear();
    ++m_recomputations;
    ScheduleDue();
}

/** \return index of the sharing that computes the rate of a stream that begins */
uint32_t
FluidEngine::FindSharing(const FluidStream& stream)
{
    const JobId job = m_options.isolatesJobs ? stream.GetName().job : JobId();
    const auto known = m_sharingOf.find(job);
    if (known != m_sharingOf.end())
    {
        return known->second;
    }
    uint32_t sharing = static_cast<uint32_t>(m_sharings.size());
    if (m_freeSharings.empty())
    {
        m_sharings.emplace_back(
            FluidAllocator(m_network.ListPorts(), FluidContention(m_options.contentionCost)));
    }
    else
    {
        sharing = m_freeSharings.back();
        m_freeSharings.pop_back();
    }
    m_sharings[sharing].job = job;
    m_sharingOf[job] = sharing;
    return sharing;
}

/** Let a sharing's rates be computed in this Recompute. */
void
FluidEngine::NoteSharing(uint32_t sharing)
{
    if (!m_sharings[sharing].isChanged)
    {
        m_sharings[sharing].isChanged = true;
        m_changedSharings.push_back(sharing);
    }
}

void
FluidEngine::UpdateSharing(uint32_t sharing)
{
    Sharing& changed = m_sharings[sharing];
    changed.isChanged = false;
    for (const FluidAllocator::Stream stream : changed.allocator.Update())
    {
        changed.flowing[stream]->SetRate(changed.allocator.GetRate(stream));
    }
    if (changed.streams == 0) // the sharing is free for another job
    {
        m_sharingOf.erase(changed.job);
        m_freeSharings.push_back(sharing);
    }
}

/** Tell the allocator whether a stream has something to send, and by which path. */
void
FluidEngine::Follow(FluidStream& stream)
{
    FluidStream::Entry& entry = stream.GetEntry();
    const bool wants = stream.IsBacklogged() && !stream.GetPath().empty();
    const bool has = entry.rate != FluidStream::Entry::NONE;
    if (wants && !has)
    {
        entry.sharing = FindSharing(stream);
        Sharing& sharing = m_sharings[entry.sharing];
        entry.rate = sharing.allocator.Add(stream.GetPath());
        sharing.flowing.resize(std::max<std::size_t>(sharing.flowing.size(), entry.rate + 1));
        sharing.flowing[entry.rate] = &stream;
        ++sharing.streams;
        NoteSharing(entry.sharing);
    }
    else if (wants && entry.isMoved)
    {
        m_sharings[entry.sharing].allocator.Move(entry.rate, stream.GetPath());
        NoteSharing(entry.sharing);
    }
    else if (!wants && has)
    {
        Sharing& sharing = m_sharings[entry.sharing];
        sharing.allocator.Remove(entry.rate);
        --sharing.streams;
        NoteSharing(entry.sharing);
        entry.rate = FluidStream::Entry::NONE;
        stream.SetRate(0);
    }
    entry.isMoved = false;
    if (!stream.IsBacklogged())
    {
        Forget(stream);
    }
}

void
FluidEngine::Forget(FluidStream& stream)
{
    FluidStream::Entry& entry = stream.GetEntry();
    if (entry.key != FluidStream::Entry::NONE)
    {
        m_agenda.Set(entry.key, FluidAgenda::NEVER);
        m_backlogged[entry.key] = nullptr; // m_changed still holds it
        m_freeKeys.push_back(entry.key);
        entry.key = FluidStream::Entry::NONE;
    }
}

void
FluidEngine::ScheduleDue()
{
    const int64_t due = m_agenda.GetFirstDue();
    m_due.Cancel();
    if (due != FluidAgenda::NEVER)
    {
        m_due = Simulator::Schedule(TimeStep(static_cast<uint64_t>(due)) - Simulator::Now(),
                                    &FluidEngine::ServeDue,
                                    this);
    }
}

void
FluidEngine::ServeDue()
{
    AdvanceDue();
    if (m_change.IsExpired()) // else Recompute schedules it
    {
        ScheduleDue();
    }
}

/** Put messages that have left by now in transit, in the order in which their streams became
 * backlogged. */
void
FluidEngine::AdvanceDue()
{
    const int64_t now = Simulator::Now().GetTimeStep();
    m_leaving.clear();
    while (m_agenda.GetFirstDue() <= now)
    {
        const uint32_t key = m_agenda.GetFirst();
        m_leaving.push_back(m_backlogged[key]);
        m_agenda.Set(key, FluidAgenda::NEVER);
    }
    std::sort(m_leaving.begin(), m_leaving.end(), [](const auto& a, const auto& b) {
        return a->GetEntry().order < b->GetEntry().order;
    });
    for (const auto& stream : m_leaving)
    {
        stream->Advance();
    }
    m_leaving.clear();
}

uint64_t
FluidEngine::GetComputed() const
{
    uint64_t computed = 0;
    for (const Sharing& sharing : m_sharings)
    {
        computed += sharing.allocator.GetComputed();
    }
    return computed;
}

uint64_t
FluidEngine::GetCompromises() const
{
    uint64_t compromises = 0;
    for (const Sharing& sharing : m_sharings)
    {
        compromises += sharing.allocator.GetCompromises();
    }
    return compromises;
}

QueueTraffic
FluidEngine::GetTraffic(Ptr<Port> port, uint32_t queue)
{
    if (m_advanced != Simulator::Now()) // else nothing has moved since
    {
        m_advanced = Simulator::Now();
        AdvanceDue();
        for (const auto& stream : m_backlogged)
        {
            if (stream)
            {
                stream->Advance();
            }
        }
    }
    return m_network.GetTraffic(port, queue);
}

} // namespace ns3::ddl
