// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-trial.h"

#include "ns3/ddl-cluster-simulation.h"
#include "ns3/ddl-communication-pattern.h"

#include <algorithm>
#include <ctime>
#include <sstream>
#include <utility>

namespace ns3
{
namespace ddl
{

namespace
{

constexpr double BYTES_A_WORKER = 4096; //!< that cost about as much as an iteration of a worker

double
CpuSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/** Keeps the jobs of a run, to see how far they have come. */
class JobKeeper
{
  public:
    explicit JobKeeper(Ptr<JobManager> manager)
    {
        manager->TraceConnectWithoutContext("JobStart", MakeCallback(&JobKeeper::Keep, this));
    }

    /** \return work that was done */
    double Measure(WorkTable& table) const
    {
        double done = 0;
        for (const auto& job : m_jobs)
        {
            const auto total = static_cast<double>(job->GetIterationBytes());
            const bool isWithin = !job->IsStopped() && total > 0;
            const double left = isWithin ? static_cast<double>(job->GetIterationBytesLeft()) : 0;
            const double part = left > 0 ? 1 - left / total : 0;
            done += table.Get(job->GetSpec()).work * (job->GetIterationsDone() + part);
        }
        return done;
    }

    /** \param trial gets the bytes of the jobs that were placed */
    void CountBytes(Trial& trial) const
    {
        for (const auto& job : m_jobs)
        {
            trial.bytes += static_cast<double>(job->GetIterationBytes());
            for (const HostBytes& moved : job->GetHostBytes())
            {
                trial.networkBytes += static_cast<double>(moved.sent);
            }
        }
    }

  private:
    void Keep(Ptr<Job> job)
    {
        m_jobs.push_back(job);
    }

    std::vector<Ptr<Job>> m_jobs;
};

/** Without what is no part of a run's own cost. */
Scenario
Stripped(const Scenario& scenario)
{
    Scenario stripped = scenario;
    stripped.output = OutputSpec{};
    stripped.output.alone = false;
    stripped.output.figures = false;
    return stripped;
}

} // namespace

double
Trial::GetWhole() const
{
    const double seconds = share > halfShare ? runSeconds - halfSeconds : runSeconds;
    const double part = share > halfShare ? share - halfShare : std::max(share, 1e-9);
    return buildSeconds + runSeconds + (hasEnded ? 0 : (1 - share) * seconds / part);
}

WorkTable::WorkTable(bool hasPackets)
    : m_hasPackets(hasPackets)
{
}

const WorkTable::Iteration&
WorkTable::Get(const JobSpec& job)
{
    std::ostringstream key;
    key << job.workers << ' ' << job.servers << ' ' << job.model.bytes << ' ' << job.pattern;
    const auto [known, isNew] = m_known.try_emplace(key.str());
    Iteration& iteration = known->second;
    if (isNew)
    {
        const auto plan = job.pattern.Create<CommunicationPattern>()->Plan(
            {job.workers, job.servers, job.model.bytes});
        for (const auto& transfer : plan)
        {
            iteration.bytes += transfer.bytes;
        }
        iteration.messages = plan.size();
        iteration.work = m_hasPackets
                             ? static_cast<double>(iteration.bytes) + BYTES_A_WORKER * job.workers
                             : static_cast<double>(iteration.messages) + job.workers;
    }
    return iteration;
}

Trial
TryOut(const Scenario& scenario, double work, WorkTable& table, double budget)
{
    Trial trial;
    double mark = CpuSeconds();
    const auto lap = [&mark] {
        const double before = std::exchange(mark, CpuSeconds());
        return mark - before;
    };
    {
        ClusterSimulation simulation(Stripped(scenario));
        const JobKeeper jobs(simulation.GetJobManager());
        trial.buildSeconds = lap();
        const double start = mark;
        // A run that ends by the clock is over when that is, whatever is left to do.
        const auto getShare = [&](Time now) {
            const double done = work > 0 ? jobs.Measure(table) / work : 0;
            const auto& end = scenario.stop.time;
            const double time = end ? now.GetSeconds() / end->GetSeconds() : 0;
            return std::clamp(std::max(done, time), 0.0, 1.0);
        };
        simulation.SetReport([&](Time now, std::size_t, std::size_t) {
            const double seconds = CpuSeconds() - start;
            if (trial.halfSeconds == 0 && seconds > budget / 2)
            {
                trial.halfSeconds = seconds;
                trial.halfShare = getShare(now);
            }
            if (seconds > budget)
            {
                ClusterSimulation::Interrupt();
            }
        });
        const RunResult result = simulation.Run();
        trial.runSeconds = lap();
        trial.hasEnded = result.status != RunResult::Status::INTERRUPTED;
        trial.packetHops = result.network ? static_cast<double>(result.network->packetHops) : 0;
        trial.share = trial.hasEnded ? 1 : getShare(result.end);
        jobs.CountBytes(trial);
        mark = CpuSeconds();
    }
    trial.buildSeconds += lap();
    return trial;
}

} // namespace ddl
} // namespace ns3
