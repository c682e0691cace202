// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-run-traffic.h"

#include "ns3/ddl-cluster.h"

#include <utility>

namespace ns3::ddl
{

RunTraffic::RunTraffic(const JobTable& table,
                       Ptr<const Cluster> cluster,
                       LinkMap links,
                       PlanMemo& plans)
    : m_table(&table),
      m_cluster(cluster),
      m_links(std::move(links)),
      m_plans(&plans)
{
}

std::vector<JobTraffic>
RunTraffic::ListPresent() const
{
    std::vector<JobTraffic> present;
    for (const GroupRecord* group : m_table->GetHolders())
    {
        for (const JobRecord& job : group->GetJobs())
        {
            if (job.HoldsGpus())
            {
                present.push_back(ForeseeTraffic(*job.run, m_links));
            }
        }
    }
    return present;
}

JobTraffic
RunTraffic::Foresee(JobId id, const Placement& placement) const
{
    const JobRecord& job = m_table->GetJob(id);
    const RunSpec run =
        TrainingJob::Of(job.spec->kind)
            ->MakeRun(*job.spec, job.group->GetId(), placement, *m_cluster, *m_plans);
    return ForeseeTraffic(run, m_links);
}

} // namespace ns3::ddl
