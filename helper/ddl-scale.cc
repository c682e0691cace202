// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-scale.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace ddl
{

namespace
{

Time
Scaled(Time time, double factor)
{
    // A factor of 1 must not cost a nanosecond by way of floating point.
    return factor == 1 ? time
                       : Time(std::llround(static_cast<long double>(time.GetTimeStep()) * factor));
}

} // namespace

Scenario
ApplyScale(const Scenario& scenario)
{
    Scenario scaled = scenario;
    const double model = scenario.scale.model;
    const double iterations = scenario.scale.iterations;
    for (auto& group : scaled.workload.groups)
    {
        group.submit = Scaled(group.submit, model * iterations);
        for (auto& count : group.iterations)
        {
            count = static_cast<uint32_t>(std::max(1.0, std::round(count * iterations)));
        }
        for (auto& job : group.jobs)
        {
            job.model.bytes =
                std::max<uint64_t>(1,
                                   std::llround(static_cast<long double>(job.model.bytes) * model));
            job.model.forward = Scaled(job.model.forward, model);
            job.model.backward = Scaled(job.model.backward, model);
        }
    }
    scaled.scheduling.period =
        std::max(NanoSeconds(1), Scaled(scenario.scheduling.period, model * iterations));
    scaled.scale = ScaleSpec{};
    return scaled;
}

} // namespace ddl
} // namespace ns3
