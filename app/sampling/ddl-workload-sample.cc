// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-workload-sample.h"

#include "ns3/ddl-communication-pattern.h"
#include "ns3/ddl-training-job.h"

#include <optional>
#include <unordered_map>

namespace ns3::ddl
{

namespace
{

/** Most jobs of a generator or a trace in a sample. A choice: they are made and counted in a part
 * of the five seconds in which `ddl check` answers. */
constexpr uint64_t MOST_SAMPLE_JOBS = 10000;

/** Number of the jobs of one kind, and name of the first one. */
struct EmptyJobs
{
    std::size_t count{0};
    std::string first;

    void Add(const std::string& name)
    {
        first = count == 0 ? name : first;
        ++count;
    }

    /** \return text of the jobs: "3 jobs (the first: ...) " */
    std::string Describe() const
    {
        return std::to_string(count) + (count == 1 ? " job (" : " jobs (the first: ") + first +
               ") ";
    }
};

/** \return line of each traced job's row; 0 if the row does not give the time of an iteration */
std::unordered_map<uint32_t, uint64_t>
ListTracedIterations(const WorkloadSpec& workload)
{
    std::unordered_map<uint32_t, uint64_t> lines;
    if (workload.trace && !workload.generator && !workload.ratioForAll)
    {
        for (const TraceJob& row : workload.trace->jobs)
        {
            lines.emplace(workload.replay.firstJob - 1 + row.id,
                          GetTracedIteration(*workload.trace, row) ? row.line : 0);
        }
    }
    return lines;
}

bool
SendsNothing(const JobSpec& job)
{
    const PatternView view{job.workers, job.servers, job.model.bytes};
    const auto pattern = job.pattern.Create<CommunicationPattern>();
    return pattern->PlanRotated(view).empty() && pattern->Plan(view).empty();
}

} // namespace

WorkloadSample::WorkloadSample(const Scenario& scenario)
    : m_scenario(scenario),
      m_scaled(ApplyScale(scenario))
{
    m_factor = VisitSample(m_scaled, MOST_SAMPLE_JOBS, [this](const CojobSpec& group) {
        m_groups.push_back(group);
    });
}

std::size_t
WorkloadSample::CountJobs() const
{
    std::size_t jobs = 0;
    for (const CojobSpec& group : m_groups)
    {
        jobs += group.jobs.size();
    }
    return jobs;
}

bool
WorkloadSample::IsTrialPart() const
{
    const auto& generator = m_scaled.workload.generator;
    return m_factor > 1 && !(generator && generator->successors);
}

Scenario
WorkloadSample::MakeTrial() const
{
    Scenario trial = m_scaled;
    if (IsTrialPart())
    {
        trial.workload.groups = m_groups;
        trial.workload.generator.reset();
        trial.workload.trace.reset();
    }
    return trial;
}

std::vector<std::string>
FindEmptyJobs(const WorkloadSample& work)
{
    EmptyJobs empty;
    EmptyJobs tooShort;
    const WorkloadSpec& workload = work.GetScaled().workload;
    const bool areCoflows = workload.trace && !workload.trace->coflows.empty();
    std::optional<std::unordered_map<uint32_t, uint64_t>> lines; // made when a job needs them
    for (std::size_t i = 0; i < work.GetGroups().size(); ++i)
    {
        const bool isWritten = i < work.CountWritten();
        for (const JobSpec& job : work.GetGroups()[i].jobs)
        {
            const Time own = job.model.input + job.model.forward + job.model.backward;
            const bool hasGraph = TrainingJob::Of(job.kind)->CountWorkers(job).has_value();
            if (!own.IsZero() || hasGraph || (areCoflows && !isWritten))
            {
                continue;
            }
            if (SendsNothing(job))
            {
                empty.Add("job " + std::to_string(job.id.value) + ", " + job.model.name);
            }
            else if (!isWritten)
            {
                if (!lines)
                {
                    lines = ListTracedIterations(workload);
                }
                const auto line = lines->find(job.id.value);
                if (line != lines->end() && line->second > 0)
                {
                    tooShort.Add(workload.trace->name + ":" + std::to_string(line->second));
                }
            }
        }
    }
    const std::string of =
        work.GetFactor() > 1 ? "of the first " + std::to_string(work.CountJobs()) + " jobs: " : "";
    std::vector<std::string> sentences;
    if (empty.count > 0)
    {
        sentences.push_back(of + "an iteration of " + empty.Describe() +
                            "takes no time: it computes nothing and sends nothing (forward and "
                            "backward of the model; a duration beside iterations in a trace)");
    }
    if (tooShort.count > 0)
    {
        sentences.push_back(of + "an iteration of " + tooShort.Describe() +
                            "computes nothing: what is sent in it takes longer than duration / "
                            "iterations of the trace");
    }
    return sentences;
}

std::vector<std::string>
ListTraceFaults(const WorkloadSpec& workload)
{
    std::vector<std::string> sentences;
    if (workload.trace)
    {
        for (const auto& note : workload.trace->notes)
        {
            sentences.push_back(workload.trace->name + ": " + note);
        }
    }
    return sentences;
}

} // namespace ns3::ddl
