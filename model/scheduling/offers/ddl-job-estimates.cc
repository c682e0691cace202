// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-estimates.h"

#include "ns3/ddl-compute-usage.h"
#include "ns3/ddl-job-service.h"

#include <algorithm>
#include <cmath>

namespace ns3::ddl
{

JobEstimates::JobEstimates(Ptr<Estimator> estimator,
                           const JobOracle* oracle,
                           DataRate rate,
                           uint64_t largestGpu)
    : m_estimator(estimator),
      m_oracle(oracle),
      m_rate(rate),
      m_largestGpu(largestGpu)
{
}

bool
JobEstimates::IsAsked() const
{
    return m_estimator && m_estimator->IsAsked();
}

/** What a job would use alone, each rank on a machine of its own. */
EstimateQuestion
JobEstimates::MakeQuestion(const JobRecord& job) const
{
    const JobSpec& spec = *job.spec;
    return {spec,
            CountIterations(job.group->GetSpec()),
            ComputeUsage(spec,
                         {spec.model.input + spec.model.forward + spec.model.backward,
                          GetUncontendedTime(spec, m_rate),
                          1,
                          0})};
}

void
JobEstimates::Estimate(GroupRecord& group) const
{
    if (!IsAsked())
    {
        return;
    }
    for (JobRecord& job : group.GetJobs())
    {
        const auto usage = m_estimator->Estimate(MakeQuestion(job));
        JobEstimate estimate{usage.value_or(MakeDefaultUsage()), usage.has_value(), 0};
        const bool isSure = group.GetSpec().plain && !job.spec->placement; // fits an empty cluster
        if (m_largestGpu > 0 && isSure && job.spec->model.gpuMemory > 0)
        {
            const double bytes = Get(estimate.usage.worker, UsageLabel::GPU_MEMORY);
            estimate.gpuMemory = static_cast<uint64_t>(
                std::clamp(std::ceil(bytes), 1.0, static_cast<double>(m_largestGpu)));
        }
        job.estimate = estimate;
    }
}

JobEstimates::Lesson
JobEstimates::Learn(const GroupRecord& group, const std::vector<JobId>& jobs) const
{
    Lesson lesson;
    for (const JobRecord& record : group.GetJobs())
    {
        const JobSpec& job = *record.spec;
        const bool isLeaving = std::find(jobs.begin(), jobs.end(), job.id) != jobs.end();
        auto used = isLeaving && IsAsked() ? m_oracle->GetUsage(job.id) : std::nullopt;
        const std::optional<JobEstimate>& expected = record.estimate;
        if (!used || !expected)
        {
            continue;
        }
        // What it needs, whatever it was given.
        const auto memory = static_cast<double>(job.model.gpuMemory);
        Get(used->worker, UsageLabel::GPU_MEMORY) = memory;
        Get(used->server, UsageLabel::GPU_MEMORY) =
            job.servers > 0 && job.serverGpus > 0 ? memory : 0;
        lesson.records.push_back(
            {job.id,
             job.servers > 0,
             expected->isPredicted ? std::make_optional(expected->usage) : std::nullopt,
             *used});
        lesson.isNew = m_estimator->Learn(MakeQuestion(record), *used) || lesson.isNew;
    }
    return lesson;
}

} // namespace ns3::ddl
