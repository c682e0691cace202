// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-pause-meter.h"

#include <utility>

namespace ns3::ddl
{

PauseMeter::PauseMeter(Signal signal)
    : m_signal(std::move(signal))
{
}

void
PauseMeter::SetLimits(uint32_t ingress, const Limits& limits)
{
    if (ingress >= m_ingress.size())
    {
        m_ingress.resize(ingress + 1);
    }
    m_ingress[ingress].limits = limits;
}

bool
PauseMeter::Admit(uint32_t ingress, uint32_t queue, uint32_t bytes)
{
    Ingress& in = m_ingress[ingress];
    Count& count = in.queues[queue];
    if (count.bytes + bytes > in.limits.threshold + in.limits.headroom)
    {
        return false;
    }
    count.bytes += bytes;
    if (!count.paused && count.bytes > in.limits.threshold)
    {
        count.paused = true;
        m_signal(ingress, queue, true);
    }
    return true;
}

void
PauseMeter::Release(uint32_t ingress, uint32_t queue, uint32_t bytes)
{
    Ingress& in = m_ingress[ingress];
    Count& count = in.queues[queue];
    count.bytes -= bytes;
    if (count.paused && count.bytes + in.limits.hysteresis <= in.limits.threshold)
    {
        count.paused = false;
        m_signal(ingress, queue, false);
    }
}

void
PauseMeter::Reset(uint32_t ingress)
{
    for (auto& count : m_ingress[ingress].queues)
    {
        count.paused = false;
    }
}

uint64_t
PauseMeter::GetBytes(uint32_t ingress, uint32_t queue) const
{
    return m_ingress.at(ingress).queues.at(queue).bytes;
}

} // namespace ns3::ddl
