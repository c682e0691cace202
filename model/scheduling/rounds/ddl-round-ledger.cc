// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-round-ledger.h"

#include "ns3/abort.h"
#include "ns3/ddl-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <string>
#include <tuple>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlRoundLedger");

namespace
{

constexpr std::size_t MOST_LOSSES = 64; //!< most losses per job; beyond it every second goes

/** \return the median, or the mean of the two in the middle. \param times not empty */
Ratio
FindMedian(std::vector<Ratio> times)
{
    std::sort(times.begin(), times.end());
    const std::size_t half = times.size() / 2;
    return times.size() % 2 ? times[half] : (times[half - 1] + times[half]) * Ratio(1, 2);
}

} // namespace

RoundLedger::RoundLedger(Ptr<RoundScheduler> scheduler, const std::vector<uint32_t>& types)
    : m_scheduler(scheduler)
{
    for (const uint32_t type : types)
    {
        m_gpus.push_back({type});
    }
}

void
RoundLedger::Expect(const std::vector<RoundJob>& jobs)
{
    for (const RoundJob& job : jobs)
    {
        AddModel(job);
    }
    if (jobs.empty())
    {
        return;
    }
    m_groups = m_scheduler->Group(m_gpus, m_taskTimes);
    std::vector<Ratio> times;
    for (const RoundJob& job : jobs)
    {
        times.push_back(FindRoundTime(job).nanoseconds);
    }
    m_median = FindMedian(times);
}

RoundTime
RoundLedger::FindRoundTime(const RoundJob& job) const
{
    std::vector<uint64_t> gpusOf(job.taskTime.size(), 0);
    for (const RoundGpu& gpu : m_gpus)
    {
        ++gpusOf.at(gpu.type);
    }
    Ratio speed; // sum of all GPUs' speeds, tasks per nanosecond
    double rounded = 0;
    for (std::size_t type = 0; type < gpusOf.size(); ++type)
    {
        if (gpusOf[type] > 0)
        {
            const auto time = static_cast<uint64_t>(job.taskTime[type].GetNanoSeconds());
            speed = speed + Ratio(gpusOf[type], time);
            rounded += static_cast<double>(gpusOf[type]) / static_cast<double>(time);
        }
    }
    const uint64_t product = uint64_t{job.tasks} * m_groups.size();
    return {Ratio(product) / speed, static_cast<double>(product) / rounded / 1e9};
}

void
RoundLedger::Arrive(Time now, RoundJob job)
{
    NS_LOG_FUNCTION(this << now << job.id.value);
    if (m_scheduler->NeedsAllAtOnce() && job.tasks > m_gpus.size())
    {
        throw InputError("job " + std::to_string(job.id.value) + ": " +
                         m_scheduler->GetInstanceTypeId().GetName() + " runs the " +
                         std::to_string(job.tasks) + " tasks of a round at once, and there are " +
                         std::to_string(m_gpus.size()) + " GPUs");
    }
    if (AddModel(job))
    {
        m_groups = m_scheduler->Group(m_gpus, m_taskTimes);
    }
    if (!m_scheduler->IsClairvoyant())
    {
        job.rounds = UNKNOWN_ROUNDS;
    }
    m_changed = now;
    job.arrival = now;
    job.queued = now;
    job.open = job.tasks;
    job.roundTime = FindRoundTime(job);
    m_median = m_median.value_or(job.roundTime.nanoseconds);
    const auto place =
        std::upper_bound(m_jobs.begin(), m_jobs.end(), job, [](const auto& a, const auto& b) {
            return std::tie(a.arrival, a.id) < std::tie(b.arrival, b.id);
        });
    RoundJob& live = *m_jobs.insert(place, std::move(job));
    Predict(now, live);
}

/** Record the model of a job. \return whether the job is the first of its model */
bool
RoundLedger::AddModel(const RoundJob& job)
{
    const auto& known = m_taskTimes;
    const bool isNew = std::find(known.begin(), known.end(), job.taskTime) == known.end();
    if (isNew)
    {
        m_taskTimes.push_back(job.taskTime);
    }
    return isNew;
}

void
RoundLedger::Predict(Time now, RoundJob& job)
{
    if (job.predicted == 0)
    {
        job.predicted = m_scheduler->Predict(GetView(now), job);
    }
    const uint32_t queue = m_scheduler->FindQueue(GetView(now), job);
    if (queue != job.queue)
    {
        job.queue = queue;
        job.queued = now;
    }
}

std::vector<RoundAssignment>
RoundLedger::Assign(Time now)
{
    const auto answer = m_scheduler->Assign(GetView(now));
    for (const RoundAssignment& assignment : answer)
    {
        RoundJob& job = Find(assignment.job);
        if (job.open == job.tasks)
        {
            m_begun[job.id] = now;
            job.gpus.clear();
        }
        for (const uint32_t gpu : assignment.gpus)
        {
            TakeFrom(gpu, job.id);
            m_gpus[gpu] = {m_gpus[gpu].type, false, now, job.id};
            if (std::find(job.gpus.begin(), job.gpus.end(), gpu) == job.gpus.end())
            {
                job.gpus.push_back(gpu);
            }
        }
        job.open -= static_cast<uint32_t>(assignment.gpus.size());
    }
    return answer;
}

/** A gang job other than \p but that holds this GPU between its rounds loses all its GPUs. */
void
RoundLedger::TakeFrom(uint32_t gpu, JobId but)
{
    if (!m_scheduler->IsGang())
    {
        return;
    }
    for (RoundJob& job : m_jobs)
    {
        if (job.id != but && std::find(job.gpus.begin(), job.gpus.end(), gpu) != job.gpus.end())
        {
            job.gpus.clear();
        }
    }
}

void
RoundLedger::EndTask(Time now, uint32_t gpu)
{
    RoundGpu& ended = m_gpus.at(gpu);
    NS_ABORT_MSG_IF(ended.idle, "GPU " << gpu << " has no task that could end");
    if (!m_scheduler->IsGang())
    {
        Find(ended.job).attained += now - ended.since;
    }
    ended.idle = true;
    ended.since = now;
}

void
RoundLedger::EndRound(Time now,
                      JobId id,
                      bool isLast,
                      std::optional<double> loss,
                      std::optional<double> accuracy)
{
    NS_LOG_FUNCTION(this << now << id.value << isLast);
    RoundJob& job = Find(id);
    const bool isRunning = std::any_of(m_gpus.begin(), m_gpus.end(), [id](const RoundGpu& gpu) {
        return !gpu.idle && gpu.job == id;
    });
    NS_ABORT_MSG_IF(job.open > 0 || isRunning,
                    "a round of job " << id.value << " ends with tasks left");
    ++job.done;
    job.predicted -= job.predicted > 0;
    job.open = job.tasks;
    if (m_scheduler->IsGang())
    {
        job.attained += (now - m_begun.at(id)) * static_cast<int64_t>(job.gpus.size());
    }
    if (isLast)
    {
        m_changed = now;
        if (!job.name.empty())
        {
            m_past.push_back({job.name, job.done});
        }
        m_begun.erase(id);
        m_jobs.erase(m_jobs.begin() + (&job - m_jobs.data()));
        return;
    }
    job.accuracy = accuracy;
    if (loss)
    {
        job.losses.push_back({job.done, *loss});
    }
    if (job.losses.size() > MOST_LOSSES)
    {
        for (std::size_t i = 1; 2 * i < job.losses.size(); ++i)
        {
            job.losses[i] = job.losses[2 * i];
        }
        job.losses.resize((job.losses.size() + 1) / 2);
    }
    Predict(now, job);
}

RoundView
RoundLedger::GetView(Time now)
{
    static const Ratio UNKNOWN;
    return {now, m_gpus, m_groups, m_jobs, m_past, m_median ? *m_median : UNKNOWN, m_changed};
}

const RoundJob&
RoundLedger::Get(JobId job) const
{
    return const_cast<RoundLedger*>(this)->Find(job);
}

RoundJob&
RoundLedger::Find(JobId id)
{
    const auto job = std::find_if(m_jobs.begin(), m_jobs.end(), [id](const RoundJob& candidate) {
        return candidate.id == id;
    });
    NS_ABORT_MSG_IF(job == m_jobs.end(), "no live job has the number " << id.value);
    return *job;
}

} // namespace ns3::ddl
