// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CHECK_WORKLOAD_H
#define DDL_CHECK_WORKLOAD_H

#include "ns3/ddl-cluster-view.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-job-record.h"
#include "ns3/ddl-job-spec.h"
#include "ns3/ddl-placement-policy.h"

#include <set>
#include <vector>

namespace ns3::ddl
{

constexpr uint32_t MOST_ASKS = 1000; //!< questions to a policy that declines an empty cluster

/**
 * Finds groups that would wait for GPUs for ever: those for which the placement policy has no place
 * on the empty cluster. The policy is asked once per distinct demand.
 */
class FitCheck
{
  public:
    /** Says yes to everything until it is assigned another one. */
    FitCheck() = default;

    /**
     * \param cluster whose GPUs all count as free
     * \param policy that will place the groups; its random draws advance here, so use another
     *        instance than that of the run
     */
    FitCheck(ClusterView cluster, Ptr<PlacementPolicy> policy);

    /**
     * \return why the group would never start, and what helps; empty when it fits
     * \throws RunError when the policy's answer is wrong
     */
    std::vector<Diagnostic> Check(const CojobSpec& group);

  private:
    GroupAnswer Ask(const CojobSpec& group);
    std::string Explain(const CojobSpec& group, const GroupAnswer& answer);

    ClusterView m_cluster;
    Ptr<PlacementPolicy> m_policy;
    std::set<GroupDemand> m_fitting; //!< found to fit
};

/**
 * Find what would never run.
 *
 * \param cojobs the whole workload
 * \param fit check of the cluster and its placement policy
 * \param known groups that there are already; null: none
 * \return complaints: ids used twice, cojobs without jobs or stages, given placements that make no
 *         sense, cojobs that have no place on the empty cluster; empty when all is well
 */
std::vector<Diagnostic> CheckWorkload(const std::vector<CojobSpec>& cojobs,
                                      FitCheck& fit,
                                      const JobTable* known = nullptr);

} // namespace ns3::ddl

#endif // DDL_CHECK_WORKLOAD_H
