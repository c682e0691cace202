// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-service.h"

#include <numeric>

namespace ns3::ddl
{

Time
Multiply(Time time, double times)
{
    const double steps = static_cast<double>(time.GetTimeStep()) * times;
    const double most = static_cast<double>(Time::Max().GetTimeStep()) / 2;
    return steps < most ? TimeStep(static_cast<uint64_t>(steps)) : Time::Max() / 2;
}

IterationCost
EstimateIteration(const JobSpec& job)
{
    return {job.model.forward + job.model.backward, Time(0), job.CountGpus()};
}

Time
GetRemainingService(const IterationCost& cost, uint64_t iterations)
{
    const Time both = cost.compute + cost.communication;
    return Multiply(both, static_cast<double>(iterations) * cost.gpus);
}

Time
GetComputeTime(const JobSpec& job, uint64_t iterations)
{
    const Time one = job.model.input + job.model.forward + job.model.backward;
    return Multiply(one, static_cast<double>(iterations));
}

uint64_t
CountIterations(const CojobSpec& cojob)
{
    return std::accumulate(cojob.iterations.begin(), cojob.iterations.end(), uint64_t{0});
}

} // namespace ns3::ddl
