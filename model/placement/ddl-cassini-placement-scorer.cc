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
class CassiniPlacementScorer : public PlacementScorer
{
  public:
    static TypeId GetTypeId()
    {
        using Self = CassiniPlacementScorer;
        static TypeId tid =
            TypeId("ns3::ddl::CassiniPlacementScorer")
                .SetParent<PlacementScorer>()
                .SetGroupName("Ddl")
                .AddConstructor<CassiniPlacementScorer>()
                .AddAttribute(
                    "Candidates",
                    "Number of places that are compared, the placement policy's own among "
                    "them",
                    UintegerValue(10),
                    MakeUintegerAccessor(&Self::m_candidates),
                    MakeUintegerChecker<uint32_t>(1, 1000))
                .AddAttribute("Angle",
                              "Degrees of an iteration between two shifts that are tried",
                              DoubleValue(5),
                              MakeDoubleAccessor(&Self::m_degrees),
                              MakeDoubleChecker<double>(1, 180))
                .AddAttribute("Stretch",
                              "Part by which iterations may be lengthened to fit a short circle",
                              DoubleValue(0.05),
                              MakeDoubleAccessor(&Self::m_stretch),
                              MakeDoubleChecker<double>(0, 1))
                .AddAttribute("Turns",
                              "Most iterations of the slowest job on a circle",
                              UintegerValue(8),
                              MakeUintegerAccessor(&Self::m_turns),
                              MakeUintegerChecker<uint32_t>(1, 64));
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
        const TimeShiftPlan plan = PlanTimeShifts(jobs, {m_degrees, m_stretch, m_turns});
        return plan.hasLoop ? std::nullopt : std::make_optional(plan.score);
    }

    uint32_t m_candidates;
    double m_degrees;
    double m_stretch;
    uint32_t m_turns;
};

NS_OBJECT_ENSURE_REGISTERED(CassiniPlacementScorer);
DDL_POLICY_SOURCE(CassiniPlacementScorer, "CASSINI, NSDI", 2024, "bytes and length of iterations");

} // namespace ns3::ddl
