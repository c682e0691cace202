// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-placement-scorer.h"
#include "ddl-time-shifts.h"

#include "ns3/ddl-policy-source.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

namespace ns3::ddl
{

/**
 * CASSINI (NSDI 2024), Algorithm 2: of several candidates, the place where jobs are most compatible
 * with those that they share links with. A candidate whose affinity graph has a loop is discarded.
 */
class CassiniPlacementScorer : public PlacementScorer, public CircleRules
{
  public:
    static TypeId GetTypeId()
    {
        using Self = CassiniPlacementScorer;
        static TypeId tid = CircleRules::AddAttributes(
            TypeId("ns3::ddl::CassiniPlacementScorer")
                .SetParent<PlacementScorer>()
                .SetGroupName("Ddl")
                .AddConstructor<Self>()
                .AddAttribute("Candidates",
                              "Number of places that are compared, the placement policy's own "
                              "among them",
                              UintegerValue(10),
                              MakeUintegerAccessor(&Self::m_candidates),
                              MakeUintegerChecker<uint32_t>(1, 1000)));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "of several places, the one where jobs that share links can best send in turn "
               "(CASSINI Algorithm 2)";
    }

    uint32_t CountCandidates() const override
    {
        return m_candidates;
    }

  private:
    std::optional<double> DoScore(const std::vector<JobTraffic>& present,
                                  const JobTraffic& job) override
    {
        std::vector<JobTraffic> jobs = present;
        jobs.push_back(job);
        const TimeShiftPlan plan = PlanTimeShifts(jobs, *this);
        return plan.hasLoop ? std::nullopt : std::make_optional(plan.score);
    }

    uint32_t m_candidates;
};

NS_OBJECT_ENSURE_REGISTERED(CassiniPlacementScorer);
DDL_POLICY_SOURCE(CassiniPlacementScorer, "CASSINI, NSDI", 2024, "bytes and length of iterations");

} // namespace ns3::ddl
