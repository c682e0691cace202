// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-iteration-log.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cmath>

namespace ns3::ddl
{

IterationLog::IterationLog(uint32_t workers)
    : m_workers(workers)
{
}

IterationLog::Entry&
IterationLog::At(uint64_t iteration)
{
    NS_ABORT_MSG_IF(iteration < m_done || iteration - m_done >= m_open.size(),
                    "iteration " << iteration << " is not open");
    return m_open[iteration - m_done];
}

void
IterationLog::Begin(uint64_t iteration, Time now)
{
    if (iteration - m_done == m_open.size())
    {
        m_open.push_back({now, std::nullopt, now, 0, 0});
    }
    At(iteration); // fails if an iteration before it has not begun
}

uint32_t
IterationLog::Ready(uint64_t iteration, Time now)
{
    Entry& entry = At(iteration);
    entry.firstReady = entry.firstReady.value_or(now);
    return ++entry.ready;
}

uint64_t
IterationLog::GetUnfinished() const
{
    const auto first = std::find_if(m_open.begin(), m_open.end(), [](const Entry& entry) {
        return entry.finished == 0;
    });
    return m_done + (first - m_open.begin());
}

void
IterationLog::GoBackTo(uint64_t iteration)
{
    NS_ABORT_MSG_IF(iteration > m_done || !m_open.empty(),
                    "iterations to " << iteration << " are not done");
    m_done = iteration;
}

IterationLog::Entry
IterationLog::Skip(uint64_t count, Time period, Time end, std::optional<Time> communication)
{
    NS_ABORT_MSG_IF(m_open.size() != 1, "a leap with " << m_open.size() << " iterations open");
    Entry& open = m_open.front();
    const Entry first = open;
    const Time length = TimeStep(period.GetTimeStep() * count);
    m_done += count;
    m_compute += TimeStep((first.computeEnd - first.start).GetTimeStep() * count);
    const Time each = communication.value_or(end - first.computeEnd);
    m_communication += TimeStep(each.GetTimeStep() * count);
    NoteShare(first, first.computeEnd + each, count);
    open.start += length;
    open.computeEnd += length;
    if (open.firstReady)
    {
        *open.firstReady += length;
    }
    return first;
}

std::optional<IterationLog::Entry>
IterationLog::Finish(uint64_t iteration, Time now)
{
    if (++At(iteration).finished < m_workers)
    {
        return std::nullopt;
    }
    NS_ABORT_MSG_IF(iteration != m_done, "iteration " << iteration << " is over before " << m_done);
    const Entry entry = m_open.front();
    m_open.pop_front();
    ++m_done;
    m_compute += entry.computeEnd - entry.start;
    m_communication += now - entry.computeEnd;
    NoteShare(entry, now, 1);
    return entry;
}

/** Add `count` equal values to mean and squares by Welford's recurrence (Chan et al.). */
void
IterationLog::NoteShare(const Entry& entry, Time end, uint64_t count)
{
    const double length = (end - entry.start).GetDouble();
    const double share = length > 0 ? (entry.computeEnd - entry.start).GetDouble() / length : 0;
    const auto more = static_cast<double>(count);
    const double difference = share - m_share;
    const double all = m_counted + more;
    m_share += difference * more / all;
    m_squares += difference * difference * m_counted * more / all;
    m_counted = all;
}

double
IterationLog::GetShareDeviation() const
{
    return m_counted > 0 ? std::sqrt(m_squares / m_counted) : 0;
}

} // namespace ns3::ddl
