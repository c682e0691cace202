// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-sample.h"

#include "ns3/ddl-cluster-simulation.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-iteration-log.h"
#include "ns3/ddl-job-observer.h"
#include "ns3/ddl-none-communication-gate.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>

namespace ns3::ddl
{

namespace
{

bool
IsGated(const Scenario& scenario)
{
    return scenario.scheduling.gate.GetTypeId() != NoneCommunicationGate::GetTypeId();
}

/** Watches the iterations of a sample, and ends the run when all jobs are measured. */
class SampleMeter
{
  public:
    SampleMeter(Ptr<TrainingCluster> cluster, const SamplePlan& plan, const Scenario& scenario)
        : m_hasOtherWaits(HasOtherWaits(scenario)),
          m_isGated(IsGated(scenario)),
          m_wanted(plan.jobs.size()),
          m_most(plan.most)
    {
        for (const SampleJob& job : plan.jobs)
        {
            m_jobs[job.job].plan = &job;
        }
        cluster->GetJobObserver()->TraceConnectWithoutContext(
            "JobStart",
            MakeCallback(&SampleMeter::NotifyJobStart, this));
    }

    SampleMeter(const SampleMeter&) = delete;
    SampleMeter& operator=(const SampleMeter&) = delete;

    SampleTimes GetTimes() const
    {
        SampleTimes times;
        for (const auto& [id, job] : m_jobs)
        {
            if (!job.plan)
            {
                continue;
            }
            const uint64_t wanted = job.plan->CountIterations();
            if (job.done < wanted && m_measured == 0)
            {
                throw RunError("job " + std::to_string(id.value) + " did " +
                               std::to_string(job.done) + " of " + std::to_string(wanted) +
                               " iterations when the sample was given up");
            }
            if (job.done > job.plan->warmup)
            {
                const uint64_t measured = std::min(job.done, wanted) - job.plan->warmup;
                times.iteration[id] =
                    (job.last - job.first).GetSeconds() / static_cast<double>(measured);
                times.step[id] = job.done < wanted ? 0 : job.GetStep(); // 0: it is not known
            }
        }
        times.iterations = static_cast<double>(m_iterations);
        return times;
    }

  private:
    struct Metered
    {
        const SampleJob* plan{nullptr}; //!< the job's plan; null: it runs along unmeasured
        uint64_t done{0};
        std::map<uint64_t, Time> admitted; //!< when unfinished iterations began to send
        Time transfers;                    //!< transfer time of all finished iterations
        Time first;                        //!< Read() when the window begins
        Time middle;                       //!< Read() when half of the window has ended
        Time last;                         //!< Read() at the last iteration's end so far

        /** \return WindowRow::dearStep of a job that is measured */
        double GetStep() const
        {
            const auto all = static_cast<double>(plan->window);
            const auto before = static_cast<double>(plan->window / 2);
            return before > 0 ? ((last - middle).GetSeconds() / (all - before) -
                                 (middle - first).GetSeconds() / before) *
                                    std::sqrt(before * (all - before)) / all
                              : 0;
        }
    };

    /** \return the time that windows are measured in: simulated time, or transfer time */
    Time Read(const Metered& metered) const
    {
        return m_hasOtherWaits ? metered.transfers : Simulator::Now();
    }

    void NotifyJobStart(Ptr<Job> job)
    {
        Metered& metered = m_jobs[job->GetId()];
        metered.first = Read(metered);
        job->TraceConnectWithoutContext("IterationEnd",
                                        MakeCallback(&SampleMeter::NotifyIteration, this));
        if (m_isGated)
        {
            job->TraceConnectWithoutContext("CoflowStart",
                                            MakeCallback(&SampleMeter::NotifyAdmitted, this));
        }
    }

    void NotifyAdmitted(Ptr<const Job> job, uint64_t iteration)
    {
        m_jobs.at(job->GetId()).admitted[iteration] = Simulator::Now();
    }

    void NotifyIteration(const IterationRecord& record)
    {
        Metered& job = m_jobs.at(record.job);
        ++m_iterations;
        ++job.done;
        const auto admitted = job.admitted.find(record.iteration);
        const bool isKnown = admitted != job.admitted.end();
        job.transfers += record.end - (isKnown ? admitted->second : record.computeEnd);
        job.admitted.erase(job.admitted.begin(), job.admitted.upper_bound(record.iteration));
        if (job.plan)
        {
            Measure(job);
        }
        const bool isOver =
            m_most > 0 && static_cast<double>(m_iterations) >= m_most && m_measured > 0;
        if (m_measured == m_wanted || isOver)
        {
            Simulator::Stop();
        }
    }

    void Measure(Metered& job)
    {
        const uint64_t end = job.plan->CountIterations();
        job.first = job.done == job.plan->warmup ? Read(job) : job.first;
        job.middle = job.done == job.plan->warmup + job.plan->window / 2 ? Read(job) : job.middle;
        job.last = job.done <= end ? Read(job) : job.last;
        m_measured += job.done == end ? 1 : 0;
    }

    bool m_hasOtherWaits;
    bool m_isGated;
    std::map<JobId, Metered> m_jobs;
    std::size_t m_wanted;
    std::size_t m_measured{0};
    uint64_t m_iterations{0};
    double m_most; //!< SamplePlan::most
};

} // namespace

bool
HasOtherWaits(const Scenario& scenario)
{
    return IsGated(scenario) || GetLargestGpuMemory(scenario.cluster) > 0;
}

double
SamplePlan::CountIterations() const
{
    double sum = 0;
    for (const SampleJob& job : jobs)
    {
        sum += static_cast<double>(job.CountIterations());
    }
    return sum;
}

SampleTimes
RunSample(const Scenario& scenario, const SamplePlan& plan)
{
    ClusterSimulation simulation(scenario);
    SampleMeter meter(simulation.GetTrainingCluster(), plan, scenario);
    const RunResult result = simulation.Run();
    if (result.status == RunResult::Status::INTERRUPTED)
    {
        throw RunError("interrupted");
    }
    SampleTimes times = meter.GetTimes();
    times.end = result.end.GetSeconds();
    times.cpu = result.cpuSeconds;
    return times;
}

} // namespace ns3::ddl
