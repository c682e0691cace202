// SPDX-License-Identifier: GPL-2.0-only
// Traces whose jobs do not share ports, with leaps, beside a list scheduler that knows of each job
// its arrival, its GPUs and how long it runs, and of time nothing but arrivals and ends.
#include "ddl-simulation-fixture.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <iomanip>
#include <limits>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr double COMPUTE = 1.230007e-3; //!< forward and backward pass, s
constexpr double BYTES = 5e6;           //!< of the model
constexpr double RATE = 100e9 / 8;      //!< of a machine, bytes per second
constexpr int GPUS = 24;                //!< of the cluster, one per machine

struct ListedJob
{
    double submit{0};   //!< s
    double duration{0}; //!< s, as the trace has it
    int gpus{1};
    double iterations{0};
    double length{0}; //!< of its run, s
    double end{0};
};

/** \return iterations of a job by doc/workload.md: its duration over that of one alone */
double
CountIterations(const ListedJob& job)
{
    const double sent = 2 * (job.gpus - 1) * BYTES / job.gpus / RATE; // Ada-SRSF Table I
    return std::max(1.0, std::round(job.duration / (COMPUTE + sent)));
}

/** Start jobs in order, each when it fits; one that does not fit lets others pass, or not. */
class ListScheduler
{
  public:
    ListScheduler(std::vector<ListedJob>& jobs, bool isShortestFirst)
        : m_jobs(jobs),
          m_isShortestFirst(isShortestFirst)
    {
    }

    void Run()
    {
        for (std::size_t next = 0; next < m_jobs.size() || !m_ends.empty();)
        {
            const double arrival = next < m_jobs.size() ? m_jobs[next].submit : INFINITY;
            if (m_ends.empty() || arrival < m_ends.begin()->first)
            {
                m_now = arrival;
                m_waiting.push_back(&m_jobs[next++]);
            }
            else
            {
                m_now = m_ends.begin()->first;
                m_free += m_ends.begin()->second->gpus;
                m_ends.erase(m_ends.begin());
            }
            StartAll();
        }
    }

  private:
    void StartAll()
    {
        if (m_isShortestFirst)
        {
            std::stable_sort(m_waiting.begin(), m_waiting.end(), [](auto* a, auto* b) {
                return a->iterations < b->iterations; // computing alone counts
            });
        }
        std::vector<ListedJob*> left;
        for (ListedJob* const job : m_waiting)
        {
            const bool isBlocked = !m_isShortestFirst && !left.empty();
            if (isBlocked || job->gpus > m_free)
            {
                left.push_back(job);
                continue;
            }
            m_free -= job->gpus;
            job->end = m_now + job->length;
            m_ends.emplace(job->end, job);
        }
        m_waiting = left;
    }

    std::vector<ListedJob>& m_jobs;
    bool m_isShortestFirst;
    double m_now{0};
    int m_free{GPUS};
    std::vector<ListedJob*> m_waiting;
    std::multimap<double, ListedJob*> m_ends;
};

/** Jobs of one GPU: at any time, those with the least left run. */
void
RunShortestRemaining(std::vector<ListedJob>& jobs)
{
    std::vector<std::pair<double, ListedJob*>> present; // time left; ascending
    double now = 0;
    for (std::size_t next = 0; next < jobs.size() || !present.empty();)
    {
        const double arrival = next < jobs.size() ? jobs[next].submit : INFINITY;
        const double end = present.empty() ? INFINITY : now + present.front().first;
        const double passed = std::min(arrival, end) - now;
        for (std::size_t i = 0; i < present.size() && i < GPUS; ++i)
        {
            present[i].first -= passed;
        }
        now += passed;
        if (end <= arrival)
        {
            present.front().second->end = now;
            present.erase(present.begin());
        }
        else
        {
            present.emplace_back(jobs[next].length, &jobs[next]);
            ++next;
        }
        std::stable_sort(present.begin(), present.end(), [](const auto& a, const auto& b) {
            return a.first < b.first;
        });
    }
}

class ListScheduleTest : public SimulationFixture
{
  protected:
    /** \return jobs by arrival: two and a half times as much work as the GPUs can do meanwhile */
    static std::vector<ListedJob> Draw(uint32_t seed, const std::vector<int>& sizes)
    {
        std::mt19937 random(seed);
        std::vector<ListedJob> jobs(300);
        int second = 0;
        for (ListedJob& job : jobs)
        {
            job.submit = second;
            second += std::uniform_int_distribution<int>(0, 30)(random);
            const double power = std::uniform_real_distribution<double>(1.5, 3.3)(random);
            job.duration = std::round(std::pow(10, power) * 1000) / 1000;
            job.gpus = sizes[random() % sizes.size()];
            job.iterations = CountIterations(job);
        }
        return jobs;
    }

    /** \return result of a trace in Philly's format */
    RunResult Replay(const std::vector<ListedJob>& jobs, const std::string& queue)
    {
        std::ostringstream trace;
        trace << "timestamp,duration,num_gpus\n";
        for (const ListedJob& job : jobs)
        {
            const int at = static_cast<int>(job.submit); // less than a day
            trace << "2017-10-03 " << std::setfill('0') << std::setw(2) << at / 3600 << ":"
                  << std::setw(2) << at / 60 % 60 << ":" << std::setw(2) << at % 60 << ","
                  << std::fixed << std::setprecision(3) << job.duration << "," << job.gpus << "\n";
        }
        Write("t.csv", trace.str());
        return Run(R"({"name": "s",
            "cluster": {"topology": {"kind": "single-switch", "hosts": )" +
                   std::to_string(GPUS) + R"(, "hostRate": "100Gbps"}, "hosts": {"gpus": 1}},
            "transport": {"kind": "fluid", "isolated": true},
            "scheduler": {"control": "direct", "placement": "first-fit", "jobs": )" +
                   queue + R"(}, "leap": {"guard": 0, "memo": true},
            "workload": {"trace": "t.csv", "replay": {"models": [{"name": "m", "bytes": "5MB",
                "forward": "410007ns", "backward": "820us"}]}}})");
    }

    /** Set the length of each run: its iterations, each as long as in a run of a single job. */
    void SetLengths(std::vector<ListedJob>& jobs)
    {
        std::map<int, double> iteration; // by GPUs
        for (ListedJob& job : jobs)
        {
            const auto [known, isNew] = iteration.try_emplace(job.gpus);
            if (isNew)
            {
                ListedJob alone = job;
                alone.submit = 0;
                alone.duration = 20;
                const JobRow row = RowOf(Replay({alone}, R"("fifo")"), 1);
                EXPECT_EQ(row.iterations, CountIterations(alone));
                known->second = row.GetJct() / static_cast<double>(row.iterations);
            }
            job.length = job.iterations * known->second;
        }
    }

    /** \return mean JCT, s. \param jobs with their ends by the list scheduler */
    static double Compare(const RunResult& result, const std::vector<ListedJob>& jobs)
    {
        EXPECT_EQ(result.status, RunResult::Status::DONE);
        double sum = 0;
        for (std::size_t i = 0; i < jobs.size(); ++i)
        {
            const JobRow row = RowOf(result, i + 1);
            const double expected = jobs[i].end - jobs[i].submit;
            // Times are in ns: that of an iteration may be off by a millionth.
            EXPECT_NEAR(row.iterations, jobs[i].iterations, 1 + 2e-6 * jobs[i].iterations) << i + 1;
            EXPECT_NEAR(row.GetJct(), expected, 1e-3 * expected) << "job " << i + 1;
            sum += expected;
        }
        return sum / static_cast<double>(jobs.size());
    }

    static constexpr const char* PREEMPTIVE = R"({"type": "srtf", "Preemptive": true})";
};

TEST_F(ListScheduleTest, JobsOfSeveralSizes)
{
    for (const uint32_t seed : {1, 2, 3, 4})
    {
        SCOPED_TRACE(seed);
        std::vector<ListedJob> jobs = Draw(seed, {1, 1, 1, 1, 2, 3, 4, 8, 16});
        SetLengths(jobs);
        ListScheduler(jobs, false).Run();
        const double inOrder = Compare(Replay(jobs, R"("fifo")"), jobs);
        ListScheduler(jobs, true).Run();
        const double shortest = Compare(Replay(jobs, R"("srtf")"), jobs);
        EXPECT_LT(shortest, 0.7 * inOrder); // so the order matters
    }
}

TEST_F(ListScheduleTest, JobsOfOneGpuArePreempted)
{
    for (const uint32_t seed : {5, 6, 7, 8})
    {
        SCOPED_TRACE(seed);
        std::vector<ListedJob> jobs = Draw(seed, {1});
        for (ListedJob& job : jobs)
        {
            job.submit = std::floor(job.submit / 3); // as much work as jobs of several sizes have
        }
        SetLengths(jobs);
        ListScheduler(jobs, true).Run();
        const double toTheEnd = Compare(Replay(jobs, R"("srtf")"), jobs);
        RunShortestRemaining(jobs);
        const RunResult result = Replay(jobs, PREEMPTIVE);
        EXPECT_LT(Compare(result, jobs), 0.98 * toTheEnd);
        EXPECT_GT(result.runTotals.preemptions, 20U);
    }
}

} // namespace
