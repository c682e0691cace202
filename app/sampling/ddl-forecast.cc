// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-forecast.h"

#include "app/scenario/ddl-alone-scenario.h"
#include "app/scenario/ddl-scenario-writer.h"
#include "app/text/ddl-text-table.h"

#include "ns3/ddl-bucket-plan.h"
#include "ns3/ddl-cluster-simulation.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-job-observer.h"
#include "ns3/ddl-job-queue-policy.h"
#include "ns3/ddl-network-scheduler.h"
#include "ns3/ddl-rank-plan.h"
#include "ns3/ddl-round-scheduler.h"
#include "ns3/ddl-scenario.h"
#include "ns3/ddl-search-algorithm.h"
#include "ns3/ddl-training-job.h"
#include "ns3/ddl-transport.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <ctime>
#include <functional>
#include <iomanip>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <thread>
#include <utility>

namespace ns3::ddl
{

namespace
{

constexpr double BYTES_A_WORKER = 4096;  //!< bytes that cost as much as a worker's iteration
constexpr std::size_t MOST_JOBS = 200;   //!< most jobs of a trial that are told apart
constexpr double RUN_SHARE = 0.6;        //!< part of the time until a deadline for the run's trial
constexpr double ALONE_SHARE = 0.4;      //!< part of the time left then for an alone run's trial
constexpr double TELL_SECONDS = 0.25;    //!< CPU time between two calls of a listener
constexpr double PROCESS_SECONDS = 0.03; //!< CPU time of a program that starts, reads and writes

/** A job that was placed in a trial. */
struct PlacedJob
{
    JobSpec spec;
    Placement placement;
};

/** Measurements of the first part of a run, which forecast the cost of the whole run. */
struct Trial
{
    double buildSeconds{0}; //!< CPU time before the first event, and after the last
    double runSeconds{0};   //!< CPU time of the events of the part that was run
    double share{0};        //!< the part that was run, over the whole run, 0 to 1
    double halfSeconds{0};  //!< CPU time of its first half, in which jobs start
    double halfShare{0};    //!< the first half of the part, over the whole run
    double networkBytes{0}; //!< bytes over the network, one iteration per placed job
    double bytes{0};        //!< bytes of all messages, one iteration per placed job
    double packetHops{0};   //!< packets times links in the part that was run
    bool hasEnded{false};   //!< the run has come to its end in the trial
    bool isCut{false};      //!< the run ends before its work is done
    std::string reason;     //!< why the run ends, if the trial has come there
    double done{0};         //!< part of the work that was done
    double left{0};         //!< number of jobs that left
    std::vector<PlacedJob> jobs;

    /** \return CPU seconds of the whole run, if the rest costs what the part's second half does */
    double GetWhole() const
    {
        const double seconds = share > halfShare ? runSeconds - halfSeconds : runSeconds;
        const double part = share > halfShare ? share - halfShare : std::max(share, 1e-9);
        return buildSeconds + runSeconds + (hasEnded ? 0 : (1 - share) * seconds / part);
    }

    /** \return the part that is reached at the end of the run, of one reached in the trial */
    double GetAtEnd(double part) const
    {
        return isCut && share > 0 ? std::min(1.0, part / share) : 1;
    }
};

/**
 * The work of jobs, in a unit to which CPU time is about proportional: bytes if there are packets,
 * else messages, and in both cases a little for each iteration of each worker.
 */
class WorkTable
{
  public:
    /** \param hasPackets whether the transport has packets */
    explicit WorkTable(bool hasPackets)
        : m_hasPackets(hasPackets)
    {
    }

    /** The work of one iteration of a job. */
    struct Iteration
    {
        uint64_t bytes{0};    //!< bytes of all messages
        uint64_t messages{0}; //!< number of messages
        double work{0};       //!< work in the unit of the table
    };

    /** \return the work of an iteration of a job; equal jobs are planned once */
    const Iteration& Get(const JobSpec& job)
    {
        std::ostringstream key;
        key << job.workers << ' ' << job.servers << ' ' << job.pattern;
        const BucketPlan buckets(job.model, job.overlap);
        for (const uint64_t bytes : buckets.GetBytes())
        {
            key << ' ' << bytes;
        }
        const auto [known, isNew] = m_known.try_emplace(key.str());
        Iteration& iteration = known->second;
        if (isNew)
        {
            const JobPlan plan = PlanJob(*job.pattern.Create<CommunicationPattern>(),
                                         {job.workers, job.servers, job.model.bytes},
                                         buckets);
            iteration.bytes = plan.bytes;
            iteration.messages = plan.transfers;
            iteration.work =
                m_hasPackets ? static_cast<double>(iteration.bytes) + BYTES_A_WORKER * job.workers
                             : static_cast<double>(iteration.messages) + job.workers;
        }
        return iteration;
    }

  private:
    bool m_hasPackets;
    std::map<std::string, Iteration> m_known;
};

double
CpuSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

using Clock = std::chrono::steady_clock;
using Deadline = std::optional<Clock::time_point>;

/** \return when a part of the time left until a deadline is over; none without a deadline */
Deadline
FindPart(const Deadline& deadline, double part)
{
    const auto now = Clock::now();
    return deadline ? std::make_optional(now + std::chrono::duration_cast<Clock::duration>(
                                                   part * (*deadline - now)))
                    : std::nullopt;
}

/** While an object of it lives, it interrupts the simulation once this process has used so much
 * more CPU time, and at a time on the wall clock. */
class TrialAlarm
{
  public:
    TrialAlarm(double cpuSeconds, const Deadline& latest)
        : m_before(std::signal(SIGALRM, [](int) { ClusterSimulation::Interrupt(); }))
    {
        Start(CLOCK_PROCESS_CPUTIME_ID, cpuSeconds);
        if (latest)
        {
            Start(CLOCK_MONOTONIC, std::chrono::duration<double>(*latest - Clock::now()).count());
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
        const double given = std::max(1e-3, seconds); // 0 would stop the timer
        itimerspec wanted{};
        wanted.it_value.tv_sec = static_cast<time_t>(given);
        wanted.it_value.tv_nsec = static_cast<long>(1e9 * (given - std::floor(given)));
        timer_settime(timer, 0, &wanted, nullptr);
    }

    void (*m_before)(int);
    std::vector<timer_t> m_timers;
};

/** Collects the jobs of a run, to measure their progress. */
class JobKeeper
{
  public:
    explicit JobKeeper(Ptr<JobObserver> observer)
    {
        observer->TraceConnectWithoutContext("JobStart", MakeCallback(&JobKeeper::Keep, this));
    }

    /** \return the work that the jobs have done, in the table's unit */
    double Measure(WorkTable& table) const
    {
        double done = 0;
        for (const auto& job : m_jobs)
        {
            const auto total = static_cast<double>(job->GetIterationBytes());
            const bool isWithin = job->IsRunning() && total > 0;
            const auto left = static_cast<double>(job->GetIterationBytesLeft());
            const double part = isWithin ? 1 - left / total : 0;
            done += table.Get(job->GetSpec()).work * (job->GetIterationsDone() + part);
        }
        return done;
    }

    /** \param trial gets the jobs that were placed, and their bytes per iteration */
    void Describe(Trial& trial) const
    {
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

    std::vector<Ptr<Job>> m_jobs;
};

/** \return the scenario without outputs that are no part of a run's own cost */
Scenario
Stripped(const Scenario& scenario)
{
    Scenario stripped = scenario;
    stripped.output = OutputSpec{};
    stripped.output.alone = false;
    stripped.output.figures = false;
    return stripped;
}

/** A run whose beginning is tried. */
struct TrialRun
{
    Scenario scenario;   //!< a valid scenario; alone runs, figures and captures are left out
    bool isWhole{true};  //!< the scenario has all of the work
    double work{0};      //!< work of all jobs, also those that the scenario lacks
    double budget{0};    //!< CPU seconds after the network was built
    Deadline deadline{}; //!< time by which all trials must be over
    double part{1};      //!< part of the time until the deadline that the trial may take
};

/**
 * Run the beginning of a scenario in this process, within the budget and the deadline of \p run.
 *
 * \param table work table for the scenario's transport
 * \param listener gets what the trial has measured so far; may be empty
 * \throws what the run itself would throw
 */
Trial
TryOut(const TrialRun& run, WorkTable& table, const std::function<void(const Trial&)>& listener)
{
    const Deadline latest = FindPart(run.deadline, run.part);
    Trial trial;
    double mark = CpuSeconds();
    const auto lap = [&mark] {
        const double before = std::exchange(mark, CpuSeconds());
        return mark - before;
    };
    {
        ClusterSimulation simulation(Stripped(run.scenario));
        const JobKeeper jobs(simulation.GetTrainingCluster()->GetJobObserver());
        trial.buildSeconds = lap();
        const double start = mark;
        double told = 0; // CPU seconds at which the listener was called last
        const auto getDone = [&] {
            return std::min(1.0, run.work > 0 ? jobs.Measure(table) / run.work : 0);
        };
        // A run that has a stop time is over at that time, whatever is left to do.
        const auto getTime = [&run](Time now) {
            const auto& end = run.scenario.stop.time;
            return std::min(1.0, end ? now.GetSeconds() / end->GetSeconds() : 0);
        };
        std::vector<std::pair<double, double>> course; // CPU seconds, and part of the run
        const auto note = [&](Trial& at, double seconds, Time now) {
            at.runSeconds = seconds;
            at.done = getDone();
            at.share = std::max(at.done, getTime(now));
            at.isCut = getTime(now) > at.done;
            for (const auto& [earlier, share] : course)
            {
                if (earlier <= seconds / 2)
                {
                    at.halfSeconds = earlier;
                    at.halfShare = share;
                }
            }
            jobs.Describe(at);
        };
        simulation.SetReport([&](Time now, std::size_t, std::size_t) {
            const double seconds = CpuSeconds() - start;
            course.emplace_back(seconds, std::max(getDone(), getTime(now)));
            if (listener && seconds - told >= TELL_SECONDS)
            {
                Trial soFar = trial;
                note(soFar, seconds, now);
                listener(soFar);
                told = seconds;
            }
        });
        RunResult result;
        {
            // If the network took long to build, the run still gets half of the remaining time.
            const Deadline half = FindPart(run.deadline, 0.5 * run.part);
            const TrialAlarm alarm(run.budget, latest ? std::max(latest, half) : latest);
            result = simulation.Run();
        }
        note(trial, lap(), result.end);
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

/** \return the number, rounded down, at most 2^64 - 1 */
uint64_t
Saturate(long double number)
{
    return number < static_cast<long double>(std::numeric_limits<uint64_t>::max())
               ? static_cast<uint64_t>(number)
               : std::numeric_limits<uint64_t>::max();
}

bool
HasPackets(const Scenario& scenario)
{
    return ChooseTransport(scenario).Create<Transport>()->HasPackets();
}

/** Sums over a workload; real numbers, since parts of it may be scaled up. */
struct Totals
{
    long double cojobs{0};
    long double jobs{0};
    long double stages{0};
    long double iterations{0};
    long double bytes{0};
    long double messages{0};
    long double work{0};      //!< work in the unit of the WorkTable
    long double cojobWork{0}; //!< work of cojobs, which also run alone as a whole

    /** Add other totals, multiplied by a factor. */
    void Add(const Totals& other, double factor)
    {
        for (const auto field : {&Totals::cojobs,
                                 &Totals::jobs,
                                 &Totals::stages,
                                 &Totals::iterations,
                                 &Totals::bytes,
                                 &Totals::messages,
                                 &Totals::work,
                                 &Totals::cojobWork})
        {
            this->*field += factor * other.*field;
        }
    }
};

/** Totals of a workload, and some of its groups to try alone. */
struct Survey
{
    Totals totals;
    bool isSampled{false};
    std::vector<CojobSpec> examples;        //!< the first group, and the one with the most work
    std::map<JobId, uint64_t> iterations{}; //!< number of iterations of each counted job
};

/** \return totals of a group. \param iterations gets the number of iterations of each job */
Totals
CountGroup(const CojobSpec& group, WorkTable& table, std::map<JobId, uint64_t>& iterations)
{
    Totals totals;
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
    Totals given; // totals of the generator's or the trace's groups
    long double most = 0;
    for (std::size_t i = 0; i < work.GetGroups().size(); ++i)
    {
        const CojobSpec& group = work.GetGroups()[i];
        const Totals own = CountGroup(group, table, survey.iterations);
        (i < work.CountWritten() ? survey.totals : given).Add(own, 1);
        if (survey.examples.empty() || own.work > most)
        {
            most = own.work;
            survey.examples.resize(std::min<std::size_t>(survey.examples.size(), 1));
            survey.examples.push_back(group);
        }
    }
    survey.totals.Add(given, work.GetFactor());
    survey.isSampled = work.GetFactor() > 1;
    return survey;
}

/**
 * \param placed the first jobs of the run
 * \return number of alone runs that all jobs need. Equal jobs share a run; jobs after the trial are
 *         assumed to need new runs as often as those of its second half
 */
double
CountJobRuns(const Scenario& scenario, const Survey& survey, const std::vector<PlacedJob>& placed)
{
    const JobsAlone maker(scenario);
    const std::size_t count = std::min(placed.size(), MOST_JOBS);
    std::set<std::string> different;
    std::size_t inFirstHalf = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto& [job, placement] = placed[i];
        const auto found = survey.iterations.find(job.id);
        const uint64_t iterations = found == survey.iterations.end() ? 1 : found->second;
        different.insert(FormatScenario(maker.Make(job, placement, iterations)));
        inFirstHalf = i < count / 2 ? different.size() : inFirstHalf;
    }
    const double rest = static_cast<double>(survey.totals.jobs) - static_cast<double>(count);
    const double news = count == 0 ? 1
                                   : static_cast<double>(different.size() - inFirstHalf) /
                                         static_cast<double>(count - count / 2);
    return static_cast<double>(different.size()) + std::max(0.0, rest) * news;
}

/**
 * Forecast the alone runs: one for each cojob, and one for each of its jobs.
 *
 * \param run trial of the scenario itself
 * \return CPU seconds of all runs alone; none if their trials did no work
 */
std::optional<double>
ForecastAlone(const Scenario& scenario,
              const Survey& survey,
              const Trial& run,
              WorkTable& table,
              const TrialBudget& budget)
{
    long double build = 0;
    long double seconds = 0;
    long double work = 0;
    for (const CojobSpec& group : survey.examples)
    {
        std::map<JobId, uint64_t> ignored;
        const auto own = static_cast<double>(CountGroup(group, table, ignored).work);
        const Trial trial = TryOut(
            {MakeAlone(scenario, group), true, own, budget.alone, budget.deadline, ALONE_SHARE},
            table,
            {});
        build += (trial.buildSeconds + PROCESS_SECONDS) / survey.examples.size();
        seconds += trial.runSeconds;
        work += own * trial.share;
    }
    if (work == 0 && survey.totals.work > 0)
    {
        return std::nullopt;
    }
    const long double price = work > 0 ? seconds / work : 0;
    const Totals& all = survey.totals;
    const double runs = CountJobRuns(scenario, survey, run.jobs);
    const double leaving = run.GetAtEnd(run.left / static_cast<double>(all.jobs));
    return static_cast<double>((all.cojobs + runs) * build +
                               (all.work * runs / all.jobs + all.cojobWork) * price) *
           leaving;
}

/** Complete a forecast by what a trial of the run shows. */
void
TakeTrial(const Trial& trial, const Scenario& scenario, CostForecast& costs)
{
    costs.share = trial.share;
    costs.done = trial.GetAtEnd(trial.done);
    if (trial.isCut)
    {
        costs.stop = !trial.reason.empty() ? trial.reason
                     : scenario.stop.time  ? "the simulated time is up (stop.time)"
                                           : "nothing more happens";
    }
    if (!trial.jobs.empty())
    {
        costs.networkShare = trial.bytes > 0 ? trial.networkBytes / trial.bytes : 0;
    }
    if (trial.share > 0)
    {
        costs.cpuSeconds = PROCESS_SECONDS + trial.GetWhole();
        costs.packetHops = trial.packetHops / trial.share;
    }
    else
    {
        costs.unseen.emplace_back(
            "what the run and the runs alone cost: in its time, the trial did no work of jobs");
    }
}

/** \return false if a path is that of a key that only other transports have */
bool
TransportHas(TypeId transport, const std::string& path)
{
    const std::string section = "transport.";
    std::string key = path.substr(0, section.size()) == section ? path.substr(section.size()) : "";
    if (key.empty() || key == "kind" || key == "mtu") // keys that are no attributes of the class
    {
        return true;
    }
    key[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(key[0])));
    TypeId::AttributeInformation ignored;
    return transport.LookupAttributeByName(key, &ignored);
}

/** Keys of queues that hold packets. Shared clusters set them for scenarios of all transports, so
 * only those that are set for one run count as idle. */
const std::set<std::string> PACKET_KEYS = {"cluster.ports.limit",
                                           "cluster.ports.ecnThreshold",
                                           "cluster.ports.sharedBuffer",
                                           "cluster.hosts.ecnThreshold"};

/** \return text of a duration: "0.3 s", "12 minutes", "3.1 hours" */
std::string
FormatDuration(double seconds)
{
    return seconds < 90     ? FormatNumber(seconds, seconds < 1 ? 3 : 2) + " s"
           : seconds < 5400 ? FormatNumber(seconds / 60, 2) + " minutes"
                            : FormatNumber(seconds / 3600, 2) + " hours";
}

std::string
DescribeTraffic(const Forecast& forecast, const CostForecast& costs)
{
    const double bytes = static_cast<double>(forecast.bytes) * costs.done;
    const auto messages = static_cast<double>(forecast.messages) * costs.done;
    std::string text = costs.done < 1 ? "until the run ends about " : "";
    text += FormatNumber(bytes / 1e6) + " MB in " +
            std::to_string(costs.done < 1 ? Saturate(std::ceil(messages)) : forecast.messages) +
            " messages";
    if (!costs.networkShare)
    {
        return text + "; how much of it crosses the network is not known";
    }
    text += std::string(", of which ") + (forecast.usesRounds ? "at most " : "") +
            FormatNumber(bytes * *costs.networkShare / 1e6) + " MB cross the network";
    if (!forecast.hasPackets)
    {
        return text + " as fluids, no packets";
    }
    return costs.packetHops > 0
               ? text + ", about " + FormatNumber(costs.packetHops, 2) + " packet-hops"
           : costs.share == 1 ? text + ", no packet"
                              : text;
}

/** \return a text on the cost of the run, and of the alone runs, as far as they are known */
std::string
DescribeCosts(const CostForecast& costs)
{
    if (!costs.cpuSeconds)
    {
        return "not known";
    }
    const double percent = 100 * costs.share;
    const std::string by = " (by a trial of " +
                           (percent < 0.1 ? "less than 0.1" : FormatNumber(percent, 2)) +
                           " % of the work)";
    const std::string run = FormatDuration(*costs.cpuSeconds) + " of CPU time for the run, ";
    if (!costs.aloneCpuSeconds)
    {
        return run + "not known for the runs alone" + by;
    }
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    return run + FormatDuration(*costs.aloneCpuSeconds) + " for the runs alone: " +
           FormatDuration(*costs.cpuSeconds + *costs.aloneCpuSeconds / cores) + " on " +
           std::to_string(cores) + " cores" + by;
}

/** \return " in 4 servers and 2 racks" if some chassis have several hosts, else "" */
std::string
DescribeServers(const Forecast& forecast)
{
    return forecast.servers == forecast.hosts
               ? ""
               : " in " + std::to_string(forecast.servers) + " servers and " +
                     std::to_string(forecast.racks) + " racks";
}

/** \return "leaf 2:1, ...": for each level of switches, the ratio of bandwidth below to above */
std::string
DescribeUplinks(const Forecast& forecast)
{
    std::ostringstream text;
    text << std::setprecision(3);
    for (const Oversubscription& level : forecast.uplinks)
    {
        text << (text.tellp() > 0 ? ", " : "") << level.level << " " << level.ratio << ":1";
    }
    return text.str();
}

/** \return true if packets are simulated, in the run itself or in its samples */
bool
SimulatesPackets(const Scenario& scenario)
{
    return HasPackets(scenario) || scenario.fidelity == Fidelity::SAMPLED;
}

bool
IsUsual(const ReplaySpec& replay)
{
    const ReplaySpec usual;
    return replay.models.size() == usual.models.size() && replay.servers == usual.servers &&
           replay.search.GetTypeId() == usual.search.GetTypeId() && replay.limit == usual.limit &&
           replay.load == usual.load && replay.skipTooLarge == usual.skipTooLarge &&
           replay.fold == usual.fold;
}

bool
IsUsual(const SamplingSpec& sampling)
{
    const SamplingSpec usual;
    return sampling.error == usual.error && sampling.budget == usual.budget &&
           sampling.warmup == usual.warmup && sampling.window == usual.window &&
           sampling.seed == usual.seed;
}

/** Adds a sentence on a key that has no effect, if \p isIdle. */
using IdleNote = std::function<void(bool isIdle, const std::string& key, const std::string& why)>;

/** \return names of the network schedulers that use weights of jobs */
std::vector<std::string>
ListWeighing()
{
    std::vector<std::string> names = ListPolicies(NetworkScheduler::GetTypeId());
    names.erase(std::remove_if(names.begin(),
                               names.end(),
                               [](const std::string& name) {
                                   return !CreatePolicy<NetworkScheduler>(name)->UsesWeights();
                               }),
                names.end());
    return names;
}

/** \param note adds a sentence. \param givesWay some job may lose its GPUs before it is done */
void
NoteIdleValuesOfJobs(const WorkloadSample& work, bool givesWay, const IdleNote& note)
{
    const Scenario& scenario = work.GetScenario();
    bool isWeighted = false;
    bool isNamed = false;  // some job has a name or a user
    bool isKept = false;   // some job is not preemptible
    bool isSerial = false; // some job sends its buckets one after the other
    bool isCut = false;    // some such job has more than one bucket
    for (const CojobSpec& group : work.GetGroups())
    {
        for (const JobSpec& job : group.jobs)
        {
            isWeighted = isWeighted || job.weight != 1;
            isNamed = isNamed || !job.user.empty() || !job.name.empty();
            isKept = isKept || !job.preemptible;
            isSerial = isSerial || job.overlap.serial;
            isCut =
                isCut || (job.overlap.serial && BucketPlan(job.model, job.overlap).GetCount() > 1);
        }
    }
    const auto network = scenario.scheduling.network.Create<NetworkScheduler>();
    note(isWeighted && !UsesRounds(scenario) && !network->UsesWeights(),
         "weight of jobs, but for weighted_jct_s,",
         GetShortName(NetworkScheduler::GetTypeId(), network->GetInstanceTypeId()) +
             " does not look at it (those that do: " + JoinNames(ListWeighing()) + ")");
    const std::string rounds =
        GetShortName(RoundScheduler::GetTypeId(), scenario.scheduling.rounds.GetTypeId());
    note(isNamed && !(UsesRounds(scenario) && rounds == "hlas-p") &&
             !(scenario.workload.generator && scenario.workload.generator->repeats > 0),
         "user and name of jobs",
         "hlas-p alone looks at them, and generated jobs do not repeat those of their users");
    note(scenario.workload.generator && scenario.workload.generator->repeats > 0 &&
             scenario.workload.generator->users == 0,
         "repeats",
         "nobody is known who could repeat jobs (users)");
    note(isKept && !givesWay,
         "preemptible of jobs",
         "no job gives way or moves (scheduler.lease, a preemptive scheduler.jobs, "
         "scheduler.improve)");
    note(
        isSerial && !isCut,
        "overlap.order",
        "gradients are sent in one bucket (overlap.buckets, overlap.bucketSize, layers of models)");
}

/** \return sentences on values that have an effect only together with others that are not set */
std::vector<std::string>
FindIdleValues(const WorkloadSample& work)
{
    const Scenario& scenario = work.GetScenario();
    std::vector<std::string> idle;
    const auto note = [&idle](bool isIdle, const std::string& key, const std::string& why) {
        if (isIdle)
        {
            idle.push_back(key + " changes nothing: " + why);
        }
    };
    const SchedulingSpec& scheduling = scenario.scheduling;
    const SchedulingSpec usual;
    const bool givesWay = !scheduling.lease.IsZero() || !scheduling.improve.IsZero() ||
                          scheduling.jobs.Create<JobQueuePolicy>()->IsPreemptive();
    note(!scheduling.minRun.IsZero() && !givesWay,
         "scheduler.minRun",
         "no job gives way or moves (scheduler.lease, a preemptive scheduler.jobs, "
         "scheduler.improve)");
    note(scheduling.detection != usual.detection && scenario.cluster.failures.empty(),
         "scheduler.detection",
         "no server fails (cluster.failures)");
    note(scheduling.rounds.GetTypeId() != Scenario().scheduling.rounds.GetTypeId() &&
             !UsesRounds(scenario),
         "scheduler.rounds",
         "no job is made of tasks (tasks)");
    const PortSpec& ports = scenario.cluster.ports;
    note(ports.alpha != PortSpec().alpha && ports.sharedBuffer == 0,
         "cluster.ports.alpha",
         "queues share no buffer (cluster.ports.sharedBuffer)");
    note(ports.pfcThreshold != PortSpec().pfcThreshold && !ports.pfc,
         "cluster.ports.pfcThreshold",
         "nobody is paused (cluster.ports.pfc)");
    note(ports.pfc && !SimulatesPackets(scenario), "cluster.ports.pfc", "fluids are not paused");
    note(scheduling.tasks.GetTypeId() != Scenario().scheduling.tasks.GetTypeId() &&
             scenario.cluster.gpuMemory == 0,
         "scheduler.tasks",
         "a GPU is held by one job at a time (cluster.hosts.gpuMemory)");
    note(!IsUsual(scenario.workload.replay) && scenario.workload.traceFile.empty(),
         "workload.replay",
         "no trace is replayed (workload.trace)");
    note(!IsUsual(scenario.sampling) && scenario.fidelity != Fidelity::SAMPLED,
         "sampling",
         "no run is sampled (fidelity)");
    NoteIdleValuesOfJobs(work, givesWay, note);
    return idle;
}

} // namespace

Forecast
MakeForecast(const WorkloadSample& work)
{
    const Scenario& scenario = work.GetScaled();
    const TopologySpec& topology = scenario.cluster.topology;
    Forecast forecast;
    forecast.hosts = static_cast<uint32_t>(CountHosts(topology));
    const std::vector<Place> places = ListPlaces(topology);
    forecast.servers = 1 + places.back().server;
    forecast.racks = 1 + places.back().rack;
    forecast.uplinks = ListOversubscriptions(topology);
    forecast.switches = CountSwitches(topology);
    forecast.cables = static_cast<uint32_t>(ListCables(topology).size());
    forecast.gpus = static_cast<uint32_t>(CountGpus(scenario.cluster));
    forecast.hasPackets = HasPackets(scenario);
    forecast.usesRounds = UsesRounds(scenario);
    WorkTable table(forecast.hasPackets);
    const Survey survey = SurveyWorkload(work, table);
    forecast.isSampled = survey.isSampled;
    forecast.cojobs = Saturate(survey.totals.cojobs);
    forecast.jobs = Saturate(survey.totals.jobs);
    forecast.stages = Saturate(survey.totals.stages);
    forecast.iterations = Saturate(survey.totals.iterations);
    forecast.bytes = Saturate(survey.totals.bytes);
    forecast.messages = Saturate(survey.totals.messages);
    return forecast;
}

CostForecast
TryCosts(const WorkloadSample& work, const TrialBudget& budget, const CostListener& listener)
{
    const Scenario& scenario = work.GetScaled();
    CostForecast costs;
    const auto tell = [&listener](CostForecast soFar, const std::string& unseen) {
        if (listener)
        {
            soFar.unseen.push_back(unseen);
            listener(soFar);
        }
    };
    if (work.IsTrialPart())
    {
        costs.unseen.push_back("the trial had the first " +
                               std::to_string(work.GetGroups().size()) +
                               " arrivals only; what it costs that more jobs wait is not in it");
    }
    if (scenario.fidelity == Fidelity::SAMPLED)
    {
        costs.unseen.emplace_back("what the samples on packets cost");
    }
    tell(costs, "the trial did not end in time: the network was still being built");
    WorkTable table(HasPackets(scenario));
    const Survey survey = SurveyWorkload(work, table);
    const auto all = static_cast<double>(survey.totals.work);
    const Trial trial = TryOut(
        {work.MakeTrial(), !work.IsTrialPart(), all, budget.run, budget.deadline, RUN_SHARE},
        table,
        [&](const Trial& soFar) {
            CostForecast known = costs;
            TakeTrial(soFar, scenario, known);
            tell(known,
                 "the trial did not end in time: what came behind this part of the run took long, "
                 "perhaps within one event (a policy that plans), or at the end of the run");
        });
    TakeTrial(trial, scenario, costs);
    if (!scenario.output.alone)
    {
        costs.aloneCpuSeconds = 0;
        return costs;
    }
    tell(costs, "the trial of the runs alone did not end in time");
    if (!costs.cpuSeconds)
    {
        return costs; // TakeTrial has noted the reason
    }
    costs.aloneCpuSeconds = ForecastAlone(scenario, survey, trial, table, budget);
    if (!costs.aloneCpuSeconds)
    {
        costs.unseen.emplace_back(
            "what the runs alone cost: in their time, their trials did no work of jobs");
    }
    return costs;
}

std::vector<std::string>
FindIdleSettings(const WorkloadSample& work, const std::vector<std::string>& settings)
{
    const Scenario& scenario = work.GetScenario();
    std::vector<std::string> idle;
    for (std::size_t i = 0; i < settings.size(); ++i)
    {
        const std::string path = settings[i].substr(0, settings[i].find('='));
        if (!TransportHas(scenario.transport.GetTypeId(), path))
        {
            idle.push_back(path + " changes nothing: the transport " +
                           GetShortName(Transport::GetTypeId(), scenario.transport.GetTypeId()) +
                           " has no such key");
        }
        if (!SimulatesPackets(scenario) && PACKET_KEYS.count(path) > 0)
        {
            idle.push_back(path + " changes nothing: fluids fill no queue");
        }
        for (std::size_t later = i + 1; later < settings.size(); ++later)
        {
            const std::string other = settings[later].substr(0, settings[later].find('='));
            if (path == other || path.compare(0, other.size() + 1, other + ".") == 0)
            {
                idle.push_back("--set=" + settings[i] +
                               " is overridden by --set=" + settings[later] + " after it");
                break;
            }
        }
    }
    const auto network =
        GetShortName(NetworkScheduler::GetTypeId(), scenario.scheduling.network.GetTypeId());
    const auto scheduler = scenario.scheduling.network.Create<NetworkScheduler>();
    if (scenario.scheduling.period != SchedulingSpec().period &&
        scheduler->GetTrigger() != NetworkScheduler::Trigger::PERIOD)
    {
        idle.push_back("scheduler.period changes nothing: " + network +
                       " does not run by the clock");
    }
    if (scenario.scheduling.controlAcks && !SimulatesPackets(scenario))
    {
        idle.push_back("scheduler.acks changes nothing: fluids have no acknowledgements");
    }
    if (scenario.scheduling.commonPriorities &&
        scheduler->GetTrigger() == NetworkScheduler::Trigger::NEVER)
    {
        idle.push_back("scheduler.priorities changes nothing: " + network + " orders nothing");
    }
    for (std::string& value : FindIdleValues(work))
    {
        idle.push_back(std::move(value));
    }
    return idle;
}

void
PrintForecast(std::ostream& os,
              const Scenario& scenario,
              const Forecast& forecast,
              const CostForecast& costs)
{
    const char* about = forecast.isSampled ? "about " : "";
    os << scenario.name << (scenario.description.empty() ? "" : ": ") << scenario.description
       << "\n"
       << "topology: "
       << GetShortName(Topology::GetTypeId(), scenario.cluster.topology.shape.GetTypeId()) << ", "
       << forecast.hosts << " hosts with " << forecast.gpus << " GPUs" << DescribeServers(forecast)
       << ", " << forecast.switches << " switches, " << forecast.cables << " links\n";
    if (!forecast.uplinks.empty())
    {
        os << "uplinks:  " << DescribeUplinks(forecast)
           << " (oversubscription: rates below a switch to rates above it)\n";
    }
    os << "work:     " << about << forecast.cojobs << " cojobs, " << forecast.jobs << " jobs, "
       << forecast.stages << " stages, " << forecast.iterations << " iterations of jobs\n"
       << "traffic:  " << about << DescribeTraffic(forecast, costs) << "\n"
       << (costs.stop.empty() ? "" : "end:      with work left: " + costs.stop + "\n")
       << "scale:    model " << FormatNumber(scenario.scale.model) << ", iterations "
       << FormatNumber(scenario.scale.iterations) << " (applied above)\n"
       << "expected: " << DescribeCosts(costs) << "\n";
    for (const std::string& sentence : costs.unseen)
    {
        os << "unseen:   " << sentence << "\n";
    }
}

} // namespace ns3::ddl
