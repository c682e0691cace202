// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-forecast-survey.h"

#include "ns3/ddl-bucket-plan.h"
#include "ns3/ddl-communication-pattern.h"
#include "ns3/ddl-rank-plan.h"
#include "ns3/ddl-search-algorithm.h"
#include "ns3/ddl-training-job.h"

#include <algorithm>
#include <numeric>
#include <sstream>

namespace ns3::ddl
{

namespace
{

/** Bytes on packets that cost as much CPU time as what a worker does in an iteration: events of
 * computing, of the job and of control messages. About three packets of 1460 bytes, which take
 * 6 us each with TCP (doc/performance.md). */
constexpr double BYTES_A_WORKER = 4096;

} // namespace

const WorkTable::Iteration&
WorkTable::Get(const JobSpec& job)
{
    std::ostringstream key;
    key << job.workers << ' ' << job.servers << ' ' << job.pattern;
    key << ' ' << job.kind << ' ' << job.graph.get() << ' ' << job.graphScale;
    const BucketPlan buckets(job.model, job.overlap);
    for (const uint64_t bytes : buckets.GetBytes())
    {
        key << ' ' << bytes;
    }
    const auto [known, isNew] = m_known.try_emplace(key.str());
    Iteration& iteration = known->second;
    if (isNew)
    {
        const auto own = TrainingJob::Of(job.kind)->PlanIteration(job);
        const JobPlan plan = own ? *own
                                 : PlanJob(*job.pattern.Create<CommunicationPattern>(),
                                           {job.workers, job.servers, job.model.bytes},
                                           buckets);
        iteration.bytes = plan.bytes;
        iteration.messages = plan.transfers;
        iteration.work = m_hasPackets
                             ? static_cast<double>(iteration.bytes) + BYTES_A_WORKER * job.workers
                             : static_cast<double>(iteration.messages) + job.workers;
    }
    return iteration;
}

void
WorkTotals::Add(const WorkTotals& other, double factor)
{
    for (const auto field : {&WorkTotals::cojobs,
                             &WorkTotals::jobs,
                             &WorkTotals::stages,
                             &WorkTotals::iterations,
                             &WorkTotals::bytes,
                             &WorkTotals::messages,
                             &WorkTotals::work,
                             &WorkTotals::cojobWork})
    {
        this->*field += factor * other.*field;
    }
}

WorkTotals
CountGroup(const CojobSpec& group, WorkTable& table, std::map<JobId, uint64_t>& iterations)
{
    WorkTotals totals;
    const auto last = PlanLastStages(group);
    totals.cojobs = group.plain ? 0 : 1;
    totals.jobs = group.jobs.size();
    totals.stages = *std::max_element(last.begin(), last.end());
    for (std::size_t i = 0; i < group.jobs.size(); ++i)
    {
        const uint64_t rounds = std::accumulate(group.iterations.begin(),
                                                group.iterations.begin() + last[i],
                                                uint64_t{0});
        const WorkTable::Iteration& once = table.Get(group.jobs[i]);
        totals.iterations += rounds;
        totals.bytes += static_cast<long double>(rounds) * once.bytes;
        totals.messages += static_cast<long double>(rounds) * once.messages;
        totals.work += rounds * once.work;
        iterations[group.jobs[i].id] = rounds;
    }
    totals.cojobWork = group.plain ? 0 : totals.work;
    return totals;
}

Survey
SurveyWorkload(const WorkloadSample& work, WorkTable& table)
{
    Survey survey;
    WorkTotals given; // totals of the generator's or the trace's groups
    long double most = 0;
    for (std::size_t i = 0; i < work.GetGroups().size(); ++i)
    {
        const CojobSpec& group = work.GetGroups()[i];
        const WorkTotals own = CountGroup(group, table, survey.iterations);
        (i < work.CountWritten() ? survey.totals : given).Add(own, 1);
        if (survey.examples.empty() || own.work > most)
        {
            most = own.work;
            survey.examples.resize(std::min<std::size_t>(survey.examples.size(), 1));
            survey.examples.push_back(group);
        }
    }
    survey.totals.Add(given, work.GetFactor());
    return survey;
}

} // namespace ns3::ddl
