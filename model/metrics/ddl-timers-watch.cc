// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-timers-watch.h"

namespace ns3::ddl
{

bool
TimersWatch::Note(const TimersRecord& timers)
{
    const auto [entry, isFirst] =
        m_curves.emplace(timers.gpus, Curve{timers.time, timers, TimersMean()});
    Curve& curve = entry->second;
    const bool isNew = isFirst || !(curve.last.timers == timers.timers);
    const double held = (timers.time - curve.last.time).GetSeconds();
    curve.sum.machine += curve.last.timers.machine.GetSeconds() * held;
    curve.sum.rack += curve.last.timers.rack.GetSeconds() * held;
    curve.last = timers;
    return isNew;
}

std::map<uint32_t, TimersMean>
TimersWatch::GetMeans() const
{
    std::map<uint32_t, TimersMean> means;
    for (const auto& [gpus, curve] : m_curves)
    {
        const DelayTimers& last = curve.last.timers;
        const double time = (curve.last.time - curve.first).GetSeconds();
        means[gpus] = time > 0 ? TimersMean{curve.sum.machine / time, curve.sum.rack / time}
                               : TimersMean{last.machine.GetSeconds(), last.rack.GetSeconds()};
    }
    return means;
}

} // namespace ns3::ddl
