// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-pace-control.h"

#include "ns3/ddl-agent.h"

#include <algorithm>
#include <cmath>

namespace ns3::ddl
{

namespace
{

/** Gain of an iteration behind. A pace 1 % smaller may make an iteration 30 % shorter (beats), so
 * it is well below 1, which would correct all of it at once if lengths followed the pace. */
constexpr double PROPORTIONAL = 0.3;
/** Gain of the sum, a tenth of the other: a constant error is corrected by the sum in about ten
 * iterations, too slowly to take part in what happens from one iteration to the next. */
constexpr double INTEGRAL = 0.03;
/** Most iterations behind that count at once: they change the pace by a factor of e^1.5 = 4.5. */
constexpr double MOST_BEHIND = 5;
/** Bound of the sum, since a length may be out of reach: it changes the pace by e^3 = 20, which is
 * enough to reach LEAST_PACE from 1. */
constexpr double MOST_SUM = 100;

} // namespace

StreamPacer::StreamPacer(Ptr<TrainingCluster> cluster)
{
    for (const auto& agent : cluster->GetParts().agents)
    {
        agent->TraceConnectWithoutContext("StreamOpened",
                                          MakeCallback(&StreamPacer::NotifyStream, this));
    }
}

void
StreamPacer::NotifyStream(JobId job, Ptr<SendingStream> stream)
{
    if (const auto fluid = DynamicCast<FluidStream>(stream))
    {
        m_streams[job].push_back(fluid);
        const auto pace = m_paces.find(job);
        if (pace != m_paces.end())
        {
            fluid->SetPace(pace->second);
        }
    }
}

void
StreamPacer::Set(JobId job, double pace)
{
    const auto [known, isNew] = m_paces.emplace(job, pace);
    if (!isNew && known->second == pace)
    {
        return;
    }
    known->second = pace;
    for (const auto& stream : m_streams[job])
    {
        stream->SetPace(pace);
    }
}

void
StreamPacer::Forget(JobId job)
{
    m_streams.erase(job);
}

void
StreamPacer::Clear()
{
    m_streams.clear();
}

IterationControl::IterationControl(const JobPace& wanted)
    : m_wanted(wanted)
{
}

std::optional<double>
IterationControl::Follow(Time end)
{
    if (!m_wanted.iteration)
    {
        return std::nullopt;
    }
    if (!m_first)
    {
        m_first = end.GetSeconds(); // not counted: it began in another situation
        return std::nullopt;
    }
    ++m_iterations;
    const double due = *m_first + static_cast<double>(m_iterations) * *m_wanted.iteration;
    const double behind =
        std::clamp((end.GetSeconds() - due) / *m_wanted.iteration, -MOST_BEHIND, MOST_BEHIND);
    m_sum = std::clamp(m_sum + behind, -MOST_SUM, MOST_SUM);
    const double pace = m_wanted.pace * std::exp(-PROPORTIONAL * behind - INTEGRAL * m_sum);
    return std::clamp(pace, LEAST_PACE, MOST_PACE);
}

} // namespace ns3::ddl
