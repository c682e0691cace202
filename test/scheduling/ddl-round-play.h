// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ROUND_PLAY_H
#define DDL_ROUND_PLAY_H

#include "ns3/ddl-round-ledger.h"
#include "ns3/string.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::ddl::test
{

/** What a model loses and how accurate it is after k rounds. */
struct PlayedCurve
{
    double b0{0.1}; //!< loss 1 / (b0 k + b1) + b2
    double b1{0.5};
    double b2{0.3};
    double accuracy{0.01}; //!< per round
};

/** A job, with the seconds of its tasks by type of GPU. */
struct PlayedJob
{
    uint32_t id;
    uint32_t tasks;
    uint64_t rounds;
    std::vector<double> seconds;
    Time arrival{};
    std::string name{};
    uint32_t search{0}; //!< 0: none
    std::optional<PlayedCurve> curve{};
};

struct PlayedTask
{
    uint32_t job;
    uint32_t gpu;
    Time begin;
    Time end;

    bool operator==(const PlayedTask& other) const
    {
        return std::tie(job, gpu, begin, end) ==
               std::tie(other.job, other.gpu, other.begin, other.end);
    }
};

inline RoundJob
MakeRoundJob(const PlayedJob& played)
{
    RoundJob job;
    job.id = JobId{played.id};
    job.name = played.name;
    job.tasks = played.tasks;
    job.rounds = played.rounds;
    if (played.search > 0)
    {
        job.search = CojobId{played.search};
    }
    for (const double seconds : played.seconds)
    {
        job.taskTime.push_back(Seconds(seconds));
    }
    return job;
}

/** A scheduler by its short name, and attributes as texts. */
inline Ptr<RoundScheduler>
MakeRoundScheduler(const std::string& name,
                   const std::map<std::string, std::string>& attributes = {})
{
    const auto scheduler = CreatePolicy<RoundScheduler>(name);
    for (const auto& [attribute, value] : attributes)
    {
        scheduler->SetAttribute(attribute, StringValue(value));
    }
    return scheduler;
}

/**
 * Plays jobs through a ledger on GPUs without a network: a task takes its time, and a switch. At
 * each instant tasks end in the order in which they began, then jobs arrive, then the scheduler is
 * asked once.
 */
class RoundPlay
{
  public:
    /** Each GPU is a type of its own. */
    RoundPlay(Ptr<RoundScheduler> scheduler, std::vector<PlayedJob> jobs, Time switching = {})
        : RoundPlay(scheduler, jobs, ListTypes(jobs.front().seconds.size()), switching)
    {
    }

    /** \param types of the GPUs */
    RoundPlay(Ptr<RoundScheduler> scheduler,
              std::vector<PlayedJob> jobs,
              std::vector<uint32_t> types,
              Time switching = {})
        : m_types(types),
          m_ledger(scheduler, m_types),
          m_jobs(std::move(jobs)),
          m_switching(switching)
    {
        std::vector<RoundJob> expected;
        for (const PlayedJob& job : m_jobs)
        {
            expected.push_back(MakeRoundJob(job));
        }
        m_ledger.Expect(expected);
        Play();
    }

    /** \return order of tasks by begin, then GPU, as "1 2 1" */
    std::string GetOrder() const
    {
        std::string order;
        for (const PlayedTask& task : tasks)
        {
            order += (order.empty() ? "" : " ") + std::to_string(task.job);
        }
        return order;
    }

    double GetMeanEnd() const
    {
        double sum = 0;
        for (const auto& end : ends)
        {
            sum += end.second.GetSeconds() / static_cast<double>(ends.size());
        }
        return sum;
    }

    /** \return time of all its tasks on GPUs */
    Time GetService(uint32_t job) const
    {
        Time sum;
        for (const PlayedTask& task : tasks)
        {
            sum += task.job == job ? task.end - task.begin : Time();
        }
        return sum;
    }

    const GpuGroups& GetGroups() const
    {
        return m_ledger.GetGroups();
    }

    std::vector<PlayedTask> tasks; //!< by begin
    std::map<uint32_t, Time> ends; //!< by job

  private:
    static std::vector<uint32_t> ListTypes(std::size_t gpus)
    {
        std::vector<uint32_t> types(gpus);
        for (uint32_t i = 0; i < gpus; ++i)
        {
            types[i] = i;
        }
        return types;
    }

    const PlayedJob& Find(uint32_t id) const
    {
        return *std::find_if(m_jobs.begin(), m_jobs.end(), [id](const PlayedJob& job) {
            return job.id == id;
        });
    }

    void Play()
    {
        std::set<Time> dates;
        for (const PlayedJob& job : m_jobs)
        {
            dates.insert(job.arrival);
        }
        while (!dates.empty())
        {
            const Time now = *dates.begin();
            dates.erase(dates.begin());
            EndTasks(now);
            for (const PlayedJob& job : m_jobs)
            {
                if (job.arrival == now && !m_left.count(job.id))
                {
                    m_left[job.id] = {job.rounds, job.tasks};
                    m_ledger.Arrive(now, MakeRoundJob(job));
                }
            }
            for (const RoundAssignment& assignment : m_ledger.Assign(now))
            {
                for (const uint32_t gpu : assignment.gpus)
                {
                    dates.insert(BeginTask(now, assignment.job.value, gpu));
                }
            }
        }
    }

    /** \return when it will end */
    Time BeginTask(Time now, uint32_t job, uint32_t gpu)
    {
        const auto last = m_lastOn.find(gpu);
        const bool isOther = last == m_lastOn.end() || last->second != job;
        m_lastOn[gpu] = job;
        const Time end =
            now + Seconds(Find(job).seconds[m_types[gpu]]) + (isOther ? m_switching : Time());
        tasks.push_back({job, gpu, now, end});
        m_running.push_back(tasks.back());
        return end;
    }

    void EndTasks(Time now)
    {
        for (std::size_t i = 0; i < m_running.size();)
        {
            if (m_running[i].end != now)
            {
                ++i;
                continue;
            }
            const PlayedTask task = m_running[i];
            m_running.erase(m_running.begin() + static_cast<std::ptrdiff_t>(i));
            m_ledger.EndTask(now, task.gpu);
            EndTaskOf(now, Find(task.job));
        }
    }

    void EndTaskOf(Time now, const PlayedJob& job)
    {
        auto& [rounds, left] = m_left.at(job.id);
        if (--left > 0)
        {
            return;
        }
        left = job.tasks;
        --rounds;
        std::optional<double> loss;
        std::optional<double> accuracy;
        if (job.curve)
        {
            const auto done = static_cast<double>(job.rounds - rounds);
            loss = 1 / (job.curve->b0 * done + job.curve->b1) + job.curve->b2;
            accuracy = job.curve->accuracy * done;
        }
        m_ledger.EndRound(now, JobId{job.id}, rounds == 0, loss, accuracy);
        if (rounds == 0)
        {
            ends[job.id] = now;
        }
    }

    std::vector<uint32_t> m_types;
    RoundLedger m_ledger;
    std::vector<PlayedJob> m_jobs;
    Time m_switching;
    std::map<uint32_t, std::pair<uint64_t, uint32_t>> m_left; //!< rounds; tasks of this round
    std::map<uint32_t, uint32_t> m_lastOn;                    //!< by GPU: job
    std::vector<PlayedTask> m_running;
};

} // namespace ns3::ddl::test

#endif // DDL_ROUND_PLAY_H
