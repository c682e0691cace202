// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-bound-recorder.h"

#include "ns3/ddl-dual-bound.h"
#include "ns3/ddl-job-manager.h"
#include "ns3/simulator.h"

namespace ns3::ddl
{

void
BoundRecorder::Watch(Ptr<JobManager> manager,
                     Ptr<JobObserver> observer,
                     const std::vector<DataRate>& rates)
{
    m_rates = rates;
    manager->TraceConnectWithoutContext("CojobArrival",
                                        MakeCallback(&BoundRecorder::NotifyArrival, this));
    observer->TraceConnectWithoutContext("JobStart",
                                         MakeCallback(&BoundRecorder::NotifyJobStart, this));
    observer->TraceConnectWithoutContext("StageEnd",
                                         MakeCallback(&BoundRecorder::NotifyStageEnd, this));
    observer->TraceConnectWithoutContext("CojobEnd",
                                         MakeCallback(&BoundRecorder::NotifyCojobEnd, this));
}

void
BoundRecorder::Refuse(const std::string& reason)
{
    if (m_reason.empty())
    {
        m_reason = reason;
    }
}

void
BoundRecorder::NotifyArrival(const CojobSpec& cojob)
{
    if (cojob.plain)
    {
        return;
    }
    m_open.insert(cojob.id);
    if (!Simulator::Now().IsZero())
    {
        Refuse("cojob " + std::to_string(cojob.id.value) + " was not released at 0");
    }
}

void
BoundRecorder::NotifyJobStart(Ptr<Job> job)
{
    if (m_open.count(job->GetCojob()) == 0)
    {
        return; // a plain job
    }
    const ModelProfile& model = job->GetSpec().model;
    const std::string name = "job " + std::to_string(job->GetId().value);
    if (!job->GetRun().IsOnePhase())
    {
        Refuse("an iteration of " + name + " has more than one phase");
    }
    if (!(model.forward + model.backward).IsZero())
    {
        Refuse(name + " computes");
    }
    job->TraceConnectWithoutContext("StageEnd",
                                    MakeCallback(&BoundRecorder::NotifyJobStageEnd, this));
}

void
BoundRecorder::NotifyJobStageEnd(Ptr<const Job> job, uint32_t stage)
{
    AddPortLoads(job->GetHostBytes(),
                 job->GetStageIterationsDone(),
                 m_rates,
                 m_loads[{job->GetCojob(), stage}]);
}

void
BoundRecorder::NotifyStageEnd(const StageRecord& stage)
{
    if (m_open.count(stage.cojob) > 0)
    {
        m_sctSeconds += (stage.end - stage.release).GetSeconds();
    }
}

void
BoundRecorder::NotifyCojobEnd(CojobId cojob)
{
    m_open.erase(cojob);
}

SctCertificate
BoundRecorder::GetCertificate() const
{
    SctCertificate certificate;
    certificate.reason = !m_reason.empty() ? m_reason
                         : !m_open.empty() ? "work was left over"
                         : m_loads.empty() ? "there are no cojobs"
                                           : "";
    if (!certificate.reason.empty())
    {
        return certificate;
    }
    SchedulerView view;
    view.ports = 2 * m_rates.size();
    for (const auto& [key, loads] : m_loads)
    {
        UnitView unit;
        unit.cojob = key.first;
        unit.stage = key.second;
        const bool follows = !view.units.empty() && view.units.back().cojob == unit.cojob;
        unit.predecessor = follows ? static_cast<int32_t>(view.units.size()) - 1 : NO_PREDECESSOR;
        unit.load = ListPortLoads(loads);
        view.units.push_back(unit);
    }
    const double bound = ComputeSctBound(view).Get();
    certificate.reason = bound > 0 ? "" : "nothing was moved over the network";
    certificate.sctSeconds = m_sctSeconds;
    certificate.boundSeconds = bound;
    return certificate;
}

} // namespace ns3::ddl
