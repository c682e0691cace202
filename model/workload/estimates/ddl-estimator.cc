// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-estimator.h"

#include "ns3/ddl-error.h"
#include "ns3/log.h"

#include <cmath>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlEstimator");
NS_OBJECT_ENSURE_REGISTERED(Estimator);

TypeId
Estimator::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::Estimator").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

std::optional<JobUsage>
Estimator::Estimate(const EstimateQuestion& question)
{
    NS_LOG_FUNCTION(this << question.job.id);
    const Stopwatch stopwatch(*this);
    const std::optional<JobUsage> usage = DoEstimate(question);
    for (const JobLabel& label : ListLabels(usage && question.job.servers > 0))
    {
        const double value =
            usage ? Get(label.isServer ? usage->server : usage->worker, label.label) : 0;
        if (!std::isfinite(value) || value < 0)
        {
            throw RunError(GetInstanceTypeId().GetName() + " estimates a " + label.name + " of " +
                           std::to_string(value) + ", which must be a number from 0 on");
        }
    }
    return usage;
}

bool
Estimator::Learn(const EstimateQuestion& question, const JobUsage& used)
{
    NS_LOG_FUNCTION(this << question.job.id);
    const Stopwatch stopwatch(*this);
    return DoLearn(question, used);
}

} // namespace ns3::ddl
