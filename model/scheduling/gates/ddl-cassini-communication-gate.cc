// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-communication-gate.h"

#include "ns3/ddl-policy-source.h"
#include "ns3/ddl-time-shifts.h"
#include "ns3/double.h"

#include <algorithm>
#include <cmath>

namespace ns3::ddl
{

/**
 * CASSINI (NSDI 2024), its agents: jobs that share a link send in turn, because each starts its
 * iterations with a shift of its own (PlanTimeShifts).
 *
 * Time runs on the circle of a component by the starts of its first job, which never waits. Another
 * job that comes late to its place on the circle, by up to Drift of its iteration, starts at once;
 * so far off it counts as aligned. One that is early waits for its place, and one that is later
 * waits for its place in the next iteration: less than an iteration in any case.
 *
 * Shifts are planned anew when a job appears or leaves, and when an iteration has turned out to be
 * more than Drift shorter than planned.
 */
class CassiniCommunicationGate : public CommunicationGate, public CircleRules
{
  public:
    static TypeId GetTypeId()
    {
        using Self = CassiniCommunicationGate;
        static TypeId tid = CircleRules::AddAttributes(
            TypeId("ns3::ddl::CassiniCommunicationGate")
                .SetParent<CommunicationGate>()
                .SetGroupName("Ddl")
                .AddConstructor<Self>()
                .AddAttribute("Drift",
                              "Part of its iteration by which a job may be late before it waits "
                              "for its place in the next one",
                              DoubleValue(0.05),
                              MakeDoubleAccessor(&Self::m_drift),
                              MakeDoubleChecker<double>(0, 1)));
        return tid;
    }

    std::string GetSummary() const override
    {
        return "jobs that share a link start at places of a common circle, so that they send in "
               "turn (CASSINI)";
    }

    bool WantsTraffic() const override
    {
        return true;
    }

  private:
    GateAnswer DoMayStart(const GateView& view) override
    {
        const CommunicationTask& task = view.GetTask();
        const auto found =
            std::find_if(view.jobs.begin(), view.jobs.end(), [&task](const GateJob& job) {
                return job.traffic->job == task.job;
            });
        if (task.gpu || found == view.jobs.end())
        {
            return true;
        }
        if (!IsPlanned(view))
        {
            MakePlan(view);
        }
        const TimeShift& own = m_plan.jobs[found - view.jobs.begin()];
        const GateJob& root = view.jobs[own.root];
        if (root.traffic->job == task.job || !root.lastStart)
        {
            return true;
        }
        const TimeShift& first = m_plan.jobs[own.root];
        const auto turn = static_cast<int64_t>(root.starts % first.iterations);
        const int64_t place =
            turn * first.iteration.GetTimeStep() + (view.now - *root.lastStart).GetTimeStep();
        const int64_t iteration = own.iteration.GetTimeStep();
        const int64_t past = (place - own.shift.GetTimeStep()) % iteration;
        const int64_t late = past < 0 ? past + iteration : past;
        return static_cast<double>(late) <= m_drift * static_cast<double>(iteration)
                   ? GateAnswer(true)
                   : GateAnswer::At(view.now + TimeStep(static_cast<uint64_t>(iteration - late)));
    }

    /** \return whether the plan is for these jobs, and for iterations of about these lengths */
    bool IsPlanned(const GateView& view) const
    {
        return std::equal(view.jobs.begin(),
                          view.jobs.end(),
                          m_planned.begin(),
                          m_planned.end(),
                          [this](const GateJob& job, const auto& planned) {
                              return job.traffic == planned || (job.traffic->job == planned->job &&
                                                                IsAlike(*job.traffic, *planned));
                          });
    }

    bool IsAlike(const JobTraffic& a, const JobTraffic& b) const
    {
        const double most = m_drift * b.iteration.GetSeconds();
        return std::abs(a.iteration.GetSeconds() - b.iteration.GetSeconds()) <= most &&
               std::abs(a.up.GetSeconds() - b.up.GetSeconds()) <= most &&
               a.links.size() == b.links.size() &&
               std::equal(
                   a.links.begin(),
                   a.links.end(),
                   b.links.begin(),
                   [](const LinkDemand& x, const LinkDemand& y) { return x.link == y.link; });
    }

    void MakePlan(const GateView& view)
    {
        std::vector<JobTraffic> jobs;
        m_planned.clear();
        for (const GateJob& job : view.jobs)
        {
            jobs.push_back(*job.traffic);
            m_planned.push_back(job.traffic);
        }
        m_plan = PlanTimeShifts(jobs, *this);
    }

    double m_drift;
    std::vector<std::shared_ptr<const JobTraffic>> m_planned; //!< the jobs of the plan
    TimeShiftPlan m_plan;
};

NS_OBJECT_ENSURE_REGISTERED(CassiniCommunicationGate);
DDL_POLICY_SOURCE(CassiniCommunicationGate,
                  "CASSINI, NSDI",
                  2024,
                  "bytes and length of iterations");

} // namespace ns3::ddl
