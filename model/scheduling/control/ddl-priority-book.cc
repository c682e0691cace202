// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-priority-book.h"

#include <algorithm>

namespace ns3::ddl
{

UnitKey
GetUnitKey(UnitKind kind, CojobId cojob, uint32_t stage, JobId job, uint64_t iteration)
{
    switch (kind)
    {
    case UnitKind::STAGE:
        return {cojob, stage, JobId{0}, 0};
    case UnitKind::JOB:
        return {cojob, 0, job, 0};
    case UnitKind::COFLOW:
        return {cojob, 0, job, iteration};
    }
    return {};
}

uint32_t
PriorityBook::GetServer(HostId host) const
{
    return m_servers.empty() ? host.value : m_servers.at(host.value);
}

void
PriorityBook::SetOrder(const SchedulerView& view, const UnitOrder& order, UnitKind kind)
{
    m_places.clear();
    m_lastPlace = 0;
    for (const auto& group : order)
    {
        ++m_lastPlace;
        for (const uint32_t index : group)
        {
            const UnitView& unit = view.units[index];
            const UnitKey key = GetUnitKey(kind, unit.cojob, unit.stage, unit.job, unit.iteration);
            m_places.insert_or_assign(m_places.end(), key, m_lastPlace); // often in order of keys
        }
    }
}

uint32_t
PriorityBook::GetPlace(const UnitKey& unit)
{
    const auto [position, isNew] = m_places.try_emplace(unit, m_lastPlace + 1);
    m_lastPlace += isNew ? 1 : 0;
    return position->second;
}

PriorityBook::Changes
PriorityBook::Update(const std::vector<PresentJob>& jobs, uint32_t last)
{
    Changes changes;
    for (const auto& [record, priority] : Assign(jobs, last))
    {
        uint32_t& told = record->live->told[priority.host]; // 0, which is no priority, when new
        if (std::exchange(told, priority.priority) == priority.priority)
        {
            continue;
        }
        for (const HostId machine : record->run->ListPeers(priority.host))
        {
            changes[machine].push_back(priority);
        }
    }
    return changes;
}

/** Give each unit its place. */
void
PriorityBook::AssignLevels(Priorities& priorities)
{
    for (auto& [server, places] : priorities)
    {
        for (auto& [place, priority] : places)
        {
            priority = place;
        }
    }
}

/** Number the units of each server. */
void
PriorityBook::AssignLocal(Priorities& priorities)
{
    for (auto& [server, places] : priorities)
    {
        uint32_t next = 0;
        for (auto& [place, priority] : places)
        {
            priority = ++next;
        }
    }
}

/** Put each unit, wherever it is, behind all earlier ones with which it shares a server. */
void
PriorityBook::AssignCommon(Priorities& priorities)
{
    std::map<uint32_t, std::vector<uint32_t>> serversOf; // servers by place
    for (const auto& [server, places] : priorities)
    {
        for (const auto& [place, priority] : places)
        {
            serversOf[place].push_back(server);
        }
    }
    std::map<uint32_t, uint32_t> lastAt; // the last priority given at each server
    for (const auto& [place, servers] : serversOf)
    {
        uint32_t ahead = 0;
        for (const uint32_t server : servers)
        {
            ahead = std::max(ahead, lastAt[server]);
        }
        for (const uint32_t server : servers)
        {
            lastAt[server] = priorities[server][place] = ahead + 1;
        }
    }
}

/** \return the priority of each job at each of its machines, by job, then machine */
std::vector<std::pair<JobRecord*, JobPriority>>
PriorityBook::Assign(const std::vector<PresentJob>& jobs, uint32_t last)
{
    Priorities priorities;
    for (const auto& job : jobs)
    {
        const uint32_t place = GetPlace(job.unit);
        for (const HostId host : job.hosts)
        {
            priorities[GetServer(host)][place] = 0;
        }
    }
    const auto assign = m_areLevels ? AssignLevels : m_isCommon ? AssignCommon : AssignLocal;
    assign(priorities);
    std::vector<std::pair<JobRecord*, JobPriority>> all;
    for (const auto& job : jobs)
    {
        const uint32_t place = GetPlace(job.unit);
        for (const HostId host : job.hosts)
        {
            const uint32_t priority = priorities[GetServer(host)][place];
            m_most = std::max(m_most, priority);
            const JobId id = job.record->GetId();
            all.emplace_back(job.record,
                             JobPriority{id, job.stage, host, std::min(priority, last)});
        }
    }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
        return std::tie(a.second.job, a.second.host) < std::tie(b.second.job, b.second.host);
    });
    return all;
}

} // namespace ns3::ddl
