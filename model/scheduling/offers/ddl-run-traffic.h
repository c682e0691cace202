// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RUN_TRAFFIC_H
#define DDL_RUN_TRAFFIC_H

#include "ns3/ddl-job-record.h"
#include "ns3/ddl-placement-scorer.h"
#include "ns3/ddl-training-job.h"

#include <vector>

namespace ns3::ddl
{

/** What the jobs of a table send, by the plans of their runs. */
class RunTraffic : public TrafficForecast
{
  public:
    RunTraffic() = default;

    /**
     * \param table of all jobs; outlives this object, as all that is given
     * \param cluster the machines
     * \param links of the cluster
     * \param plans of jobs that are alike
     */
    RunTraffic(const JobTable& table, Ptr<const Cluster> cluster, LinkMap links, PlanMemo& plans);

    std::vector<JobTraffic> ListPresent() const override;
    JobTraffic Foresee(JobId job, const Placement& placement) const override;

  private:
    const JobTable* m_table{nullptr};
    Ptr<const Cluster> m_cluster;
    LinkMap m_links;
    PlanMemo* m_plans{nullptr};
};

} // namespace ns3::ddl

#endif // DDL_RUN_TRAFFIC_H
