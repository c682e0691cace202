// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-scale.h"

#include "ddl-json-range.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace ddl
{

namespace
{

constexpr double MOST_ITERATIONS = 1e9; //!< of a stage

/** \return the product, rounded, between the two; only the types' limits are meant */
int64_t
Scaled(long double value, double factor, int64_t least, int64_t most)
{
    const long double product = value * factor;
    return product >= static_cast<long double>(most)
               ? most
               : std::max<int64_t>(least, std::llround(product));
}

Time
Scaled(Time time, double factor)
{
    // A factor of 1 must not cost a nanosecond by way of floating point.
    return factor == 1
               ? time
               : Time(Scaled(time.GetTimeStep(), factor, 0, GetLongestTime().GetTimeStep()));
}

uint64_t
ScaledBytes(uint64_t bytes, double factor)
{
    return factor == 1 ? bytes : Scaled(bytes, factor, 1, MAX_BYTES - 1);
}

} // namespace

void
ScaleGroup(CojobSpec& group, const ScaleSpec& scale)
{
    const double model = scale.model;
    const double iterations = scale.iterations;
    group.submit = Scaled(group.submit, model * iterations);
    for (auto& count : group.iterations)
    {
        count =
            static_cast<uint32_t>(std::clamp(std::round(count * iterations), 1.0, MOST_ITERATIONS));
    }
    for (auto& job : group.jobs)
    {
        job.model.bytes = ScaledBytes(job.model.bytes, model);
        job.model.forward = Scaled(job.model.forward, model);
        job.model.backward = Scaled(job.model.backward, model);
        if (job.curve)
        {
            job.curve->scale *= iterations;
        }
    }
}

Scenario
ApplyScale(const Scenario& scenario)
{
    Scenario scaled = scenario;
    const double model = scenario.scale.model;
    const double iterations = scenario.scale.iterations;
    for (auto& group : scaled.workload.groups)
    {
        ScaleGroup(group, scenario.scale);
    }
    scaled.workload.sourceScale.model *= model;
    scaled.workload.sourceScale.iterations *= iterations;
    for (auto& flow : scaled.workload.background)
    {
        flow.bytes = ScaledBytes(flow.bytes, model);
        flow.start = Scaled(flow.start, model * iterations);
        if (!flow.stop.IsZero()) // 0 stands for never
        {
            flow.stop =
                std::max(flow.start + NanoSeconds(1), Scaled(flow.stop, model * iterations));
        }
    }
    for (auto& event : scaled.cluster.links)
    {
        event.at = Scaled(event.at, model * iterations);
    }
    scaled.scheduling.period =
        std::max(NanoSeconds(1), Scaled(scenario.scheduling.period, model * iterations));
    scaled.scale = ScaleSpec{};
    return scaled;
}

} // namespace ddl
} // namespace ns3
