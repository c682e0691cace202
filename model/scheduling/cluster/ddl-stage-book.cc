// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-stage-book.h"

#include "ns3/abort.h"

namespace ns3::ddl
{

StageBook::StageBook(CojobId cojob, Time release)
{
    m_record.cojob = cojob;
    m_record.release = release;
}

void
StageBook::Begin(uint32_t stage, const std::vector<Participant>& jobs)
{
    NS_ABORT_MSG_IF(!m_in.empty(),
                    "cojob " << m_record.cojob << " is still in stage " << m_record.stage);
    m_stage = stage;
    m_record.stage = stage;
    m_record.jobs = jobs.size();
    m_record.start = Time();
    m_record.end = Time();
    m_record.bytes = 0;
    m_started = false;
    for (const auto& participant : jobs)
    {
        m_in[participant.job] = participant.bytesBefore;
    }
}

std::optional<StageRecord>
StageBook::NoteStart(Time now)
{
    if (m_started)
    {
        return std::nullopt;
    }
    m_started = true;
    m_record.start = now;
    StageRecord record = m_record;
    record.bytes = 0;
    return record;
}

std::optional<StageRecord>
StageBook::NoteEnd(JobId job, uint64_t bytes, Time now)
{
    const auto in = m_in.find(job);
    NS_ABORT_MSG_IF(in == m_in.end(), "job " << job << " is not in a stage");
    m_record.bytes += bytes - in->second;
    m_in.erase(in);
    if (!m_in.empty())
    {
        return std::nullopt;
    }
    m_record.end = now;
    return m_record;
}

bool
StageBook::IsIn(JobId job) const
{
    return m_in.count(job) > 0;
}

} // namespace ns3::ddl
