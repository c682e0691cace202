// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-compute-usage.h"

#include "ns3/ddl-rank-plan.h"

#include <algorithm>

namespace ns3::ddl
{

JobUsage
ComputeUsage(const JobSpec& job, const TrainingTimes& times)
{
    JobUsage usage;
    const auto plan = PlanJob(*job.pattern.Create<CommunicationPattern>(),
                              {job.workers, job.servers, job.model.bytes});
    for (const auto& channel : plan.channels)
    {
        const auto bytes = static_cast<double>(channel.bytes);
        RankUsage& source = channel.source < job.workers ? usage.worker : usage.server;
        RankUsage& target = channel.destination < job.workers ? usage.worker : usage.server;
        Get(source, UsageLabel::SEND_RATE) += bytes;
        Get(target, UsageLabel::RECEIVE_RATE) += bytes;
    }
    const double seconds = (times.compute + times.communication).GetSeconds();
    const auto iterations = static_cast<double>(times.iterations);
    for (RankUsage* rank : {&usage.worker, &usage.server})
    {
        const double ranks = rank == &usage.worker ? job.workers : std::max(job.servers, 1U);
        for (const UsageLabel label : {UsageLabel::SEND_RATE, UsageLabel::RECEIVE_RATE})
        {
            Get(*rank, label) = seconds > 0 ? Get(*rank, label) / ranks * iterations / seconds : 0;
        }
        const bool hasGpu = rank == &usage.worker || (job.servers > 0 && job.serverGpus > 0);
        Get(*rank, UsageLabel::GPU_MEMORY) = hasGpu ? static_cast<double>(job.model.gpuMemory) : 0;
    }
    const double tasks = times.compute.GetSeconds() - job.model.input.GetSeconds() * iterations;
    Get(usage.worker, UsageLabel::GPU_UTILISATION) =
        seconds > 0 ? std::clamp(tasks / seconds, 0.0, 1.0) : 0;
    Get(usage.worker, UsageLabel::GPU_UTILISATION_DEVIATION) = times.deviation;
    return usage;
}

} // namespace ns3::ddl
