// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-forecast-trial.h"

#include "app/scenario/ddl-alone-scenario.h"

#include "ns3/ddl-cluster-simulation.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-job-observer.h"
#include "ns3/ddl-training-job.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <ctime>
#include <utility>

namespace ns3::ddl
{

namespace
{

/** CPU time between two calls of a listener. A choice: eight of them in a trial of two seconds. */
constexpr double TELL_SECONDS = 0.25;
/** If the network took long to build, its run still gets this part of its share of the time that is
 * left. A choice: the other half is for the end of the run, and what comes after it. */
constexpr double LATE_SHARE = 0.5;
constexpr double LEAST_ALARM = 1e-3; //!< least seconds of an alarm; 0 would stop its timer

using TrialClock = std::chrono::steady_clock;

double
CpuSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/** \return when a part of the time left until a deadline is over; none without a deadline */
TrialDeadline
FindPart(const TrialDeadline& deadline, double part)
{
    const auto now = TrialClock::now();
    return deadline ? std::make_optional(now + std::chrono::duration_cast<TrialClock::duration>(
                                                   part * (*deadline - now)))
                    : std::nullopt;
}

/** While an object of it lives, it interrupts the simulation once this process has used so much
 * more CPU time, and at a time on the wall clock. */
class TrialAlarm
{
  public:
    TrialAlarm(double cpuSeconds, const TrialDeadline& latest)
        : m_before(std::signal(SIGALRM, [](int) { ClusterSimulation::Interrupt(); }))
    {
        Start(CLOCK_PROCESS_CPUTIME_ID, cpuSeconds);
        if (latest)
        {
            Start(CLOCK_MONOTONIC,
                  std::chrono::duration<double>(*latest - TrialClock::now()).count());
        }
    }

    ~TrialAlarm()
    {
        for (timer_t timer : m_timers)
        {
            timer_delete(timer);
        }
        std::signal(SIGALRM, m_before);
    }

    TrialAlarm(const TrialAlarm&) = delete;
    TrialAlarm& operator=(const TrialAlarm&) = delete;

  private:
    void Start(clockid_t clock, double seconds)
    {
        sigevent event{};
        event.sigev_notify = SIGEV_SIGNAL;
        event.sigev_signo = SIGALRM;
        timer_t timer{};
        if (timer_create(clock, &event, &timer) != 0)
        {
            throw RunError(std::string("cannot make a timer: ") + std::strerror(errno));
        }
        m_timers.push_back(timer);
        const double given = std::max(LEAST_ALARM, seconds);
        itimerspec wanted{};
        wanted.it_value.tv_sec = static_cast<time_t>(given);
        wanted.it_value.tv_nsec = static_cast<long>(1e9 * (given - std::floor(given)));
        timer_settime(timer, 0, &wanted, nullptr);
    }

    void (*m_before)(int);
    std::vector<timer_t> m_timers;
};

/** Measures how far a run is, by the work of its jobs, and by its time if that is limited. */
class TrialMeter
{
  public:
    TrialMeter(const TrialRun& run, WorkTable& table, Ptr<JobObserver> observer)
        : m_run(run),
          m_table(table)
    {
        observer->TraceConnectWithoutContext("JobStart", MakeCallback(&TrialMeter::Keep, this));
    }

    /** Remember how far the run is. \param seconds CPU time so far */
    void Follow(double seconds, Time now)
    {
        m_course.emplace_back(seconds, std::max(GetDone(), GetTime(now)));
    }

    /** \param trial gets what was measured, and the jobs that were placed */
    void Describe(double seconds, Time now, Trial& trial) const
    {
        trial.runSeconds = seconds;
        trial.done = GetDone();
        trial.share = std::max(trial.done, GetTime(now));
        trial.isCut = GetTime(now) > trial.done;
        for (const auto& [earlier, share] : m_course)
        {
            if (earlier <= seconds / 2)
            {
                trial.halfSeconds = earlier;
                trial.halfShare = share;
            }
        }
        for (const auto& job : m_jobs)
        {
            trial.jobs.push_back({job->GetSpec(), job->GetPlacement()});
            trial.bytes += static_cast<double>(job->GetIterationBytes());
            for (const HostBytes& moved : job->GetHostBytes())
            {
                // With rounds only the NIC of the job's server is known.
                const bool isServer = TrainingJob::Of(job->GetSpec().kind)->UsesRounds();
                trial.networkBytes +=
                    static_cast<double>(moved.sent + (isServer ? moved.received : 0));
            }
        }
    }

  private:
    void Keep(Ptr<Job> job)
    {
        m_jobs.push_back(job);
    }

    /** \return the part of the work that is done, 0 to 1 */
    double GetDone() const
    {
        double done = 0;
        for (const auto& job : m_jobs)
        {
            const auto total = static_cast<double>(job->GetIterationBytes());
            const bool isWithin = job->IsRunning() && total > 0;
            const auto left = static_cast<double>(job->GetIterationBytesLeft());
            const double part = isWithin ? 1 - left / total : 0;
            done += m_table.Get(job->GetSpec()).work * (job->GetIterationsDone() + part);
        }
        return std::min(1.0, m_run.work > 0 ? done / m_run.work : 0);
    }

    /** \return the part of the time until the run's stop time; 0: it has none. The run is over at
     * that time, whatever is left to do */
    double GetTime(Time now) const
    {
        const auto& end = m_run.scenario.stop.time;
        return std::min(1.0, end ? now.GetSeconds() / end->GetSeconds() : 0);
    }

    const TrialRun& m_run;
    WorkTable& m_table;
    std::vector<Ptr<Job>> m_jobs;
    std::vector<std::pair<double, double>> m_course; //!< CPU seconds, and part of the run
};

} // namespace

Trial
TryOut(const TrialRun& run, WorkTable& table, const std::function<void(const Trial&)>& listener)
{
    const TrialDeadline latest = FindPart(run.deadline, run.part);
    Trial trial;
    double mark = CpuSeconds();
    const auto lap = [&mark] {
        const double before = std::exchange(mark, CpuSeconds());
        return mark - before;
    };
    {
        ClusterSimulation simulation(WithoutOutput(run.scenario));
        TrialMeter meter(run, table, simulation.GetTrainingCluster()->GetJobObserver());
        trial.buildSeconds = lap();
        const double start = mark;
        double told = 0; // CPU seconds at which the listener was called last
        simulation.SetReport([&](Time now, std::size_t, std::size_t) {
            const double seconds = CpuSeconds() - start;
            meter.Follow(seconds, now);
            if (listener && seconds - told >= TELL_SECONDS)
            {
                Trial soFar = trial;
                meter.Describe(seconds, now, soFar);
                listener(soFar);
                told = seconds;
            }
        });
        RunResult result;
        {
            const TrialDeadline half = FindPart(run.deadline, LATE_SHARE * run.part);
            const TrialAlarm alarm(run.budget, latest ? std::max(latest, half) : latest);
            result = simulation.Run();
        }
        meter.Describe(lap(), result.end, trial);
        const bool isOver = result.status == RunResult::Status::DONE;
        trial.hasEnded =
            result.status != RunResult::Status::INTERRUPTED && (run.isWhole || !isOver);
        trial.packetHops = result.network ? static_cast<double>(result.network->packetHops) : 0;
        if (trial.hasEnded)
        {
            trial.reason = result.reason;
            trial.isCut = !isOver;
            trial.share = 1;
        }
        trial.left = static_cast<double>(result.jobs.size());
        if (listener)
        {
            listener(trial); // tell it now: large networks take long to end
        }
        mark = CpuSeconds();
    }
    trial.buildSeconds += lap();
    return trial;
}

} // namespace ns3::ddl
