// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-sample.h"

#include "ns3/ddl-cluster-simulation.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-fifo-job-queue-policy.h"
#include "ns3/ddl-first-fit-placement-policy.h"
#include "ns3/ddl-none-communication-gate.h"
#include "ns3/ddl-none-search-algorithm.h"
#include "ns3/ddl-policy.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ns3::ddl
{

namespace
{

constexpr double MOST_STRETCH = 50;    //!< most time of a sample, over its time on fluids
constexpr double MOST_EXCESS = 2;      //!< iterations of a sample with slow jobs, over the limit
constexpr double GATED_EXCESS = 1.5;   //!< iterations that end a sample at a gate, over its plan
constexpr double ALONE_EXCESS = 8;     //!< iterations of a job alone, over the limit
constexpr double LEAST_SLOW = 20;      //!< least period of a job left unmeasured, over the shortest
constexpr uint64_t ALONE_WARMUP = 100; //!< least warm-up of a job alone, iterations
constexpr double GOLDEN_RATIO = 0.6180339887498949;

double
ToSeconds(int64_t steps)
{
    return TimeStep(steps).GetSeconds();
}

/** \return compute time of the slowest worker per iteration, without jitter, s */
double
GetCompute(const SituationJob& job)
{
    return job.run->cost.compute.GetSeconds();
}

/** \return iterations of all jobs whose period is at most \p longest during \p longest */
double
CountWhile(double longest, const std::vector<double>& periods)
{
    double sum = 0;
    for (const double period : periods)
    {
        sum += period > 0 && period <= longest ? longest / period : 0;
    }
    return sum;
}

/**
 * \param periods seconds per iteration of each job; 0: the job does no iteration
 * \param most iterations that the sample may take
 * \return the job with the longest period, of those that a sample measures
 */
std::size_t
FindSlowest(const std::vector<double>& periods, double most)
{
    double shortest = std::numeric_limits<double>::infinity();
    for (const double period : periods)
    {
        shortest = period > 0 ? std::min(shortest, period) : shortest;
    }
    std::vector<std::size_t> order(periods.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&periods](std::size_t a, std::size_t b) {
        return periods[a] > periods[b];
    });
    const auto found = std::find_if(order.begin(), order.end(), [&](std::size_t job) {
        return periods[job] <= LEAST_SLOW * shortest ||
               2 * CountWhile(periods[job], periods) <= MOST_EXCESS * most;
    });
    return *found; // the fastest job always qualifies
}

/** \return a uniform random number from 0 to below 1, the same on all platforms */
double
DrawUniform(std::mt19937_64& random)
{
    return static_cast<double>(random() >> 11) * 0x1p-53;
}

/** \return the scenario without work, and without rules that act between situations */
Scenario
MakeSampleBase(const Scenario& scenario)
{
    Scenario base = scenario;
    base.workload.groups.clear();
    base = ApplyScale(base);
    base.description.clear();
    base.fidelity = Fidelity::PACKETS;
    base.sampling = SamplingSpec();
    base.leap.reset();
    base.workload.generator.reset();
    base.workload.trace.reset();
    base.workload.traceFile.clear();
    base.workload.traceHash.clear();
    base.workload.replay = ReplaySpec();
    base.workload.sourceScale = ScaleSpec();
    SchedulingSpec& scheduling = base.scheduling;
    scheduling.jobs = ObjectFactory();
    scheduling.jobs.SetTypeId(FifoJobQueuePolicy::GetTypeId());
    scheduling.placement = ObjectFactory();
    scheduling.placement.SetTypeId(FirstFitPlacementPolicy::GetTypeId());
    scheduling.lease = Time();
    scheduling.minRun = Time();
    scheduling.batchWindow = Time();
    scheduling.improve = Time();
    scheduling.switching = SwitchSpec();
    base.stop.time.reset();
    base.output = OutputSpec();
    base.output.alone = false;
    base.output.figures = false;
    base.output.tables = {"iterations"};
    return base;
}

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
          m_isGated(IsGated(scenario))
    {
        for (const SampleJob& job : plan.jobs)
        {
            m_jobs[job.job].plan = &job;
        }
        m_wanted = plan.jobs.size();
        m_most = plan.most;
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
            if (job.done < job.plan->warmup + job.plan->window)
            {
                if (m_measured > 0)
                {
                    AddPart(job, times);
                    continue;
                }
                throw RunError("job " + std::to_string(id.value) + " did " +
                               std::to_string(job.done) + " of " +
                               std::to_string(job.plan->warmup + job.plan->window) +
                               " iterations when the sample was given up");
            }
            const auto all = static_cast<double>(job.plan->window);
            const auto before = static_cast<double>(job.plan->window / 2);
            times.iteration[id] = (job.last - job.first).GetSeconds() / all;
            times.step[id] = before > 0 ? ((job.last - job.middle).GetSeconds() / (all - before) -
                                           (job.middle - job.first).GetSeconds() / before) *
                                              std::sqrt(before * (all - before)) / all
                                        : 0;
        }
        times.iterations = static_cast<double>(m_iterations);
        return times;
    }

  private:
    struct Metered;

    /** Add what a job did in its window by the time when the sample ended. */
    static void AddPart(const Metered& job, SampleTimes& times)
    {
        if (job.done > job.plan->warmup)
        {
            const auto iterations = static_cast<double>(job.done - job.plan->warmup);
            times.iteration[job.plan->job] = (job.last - job.first).GetSeconds() / iterations;
            times.step[job.plan->job] = 0; // the step is not known
        }
    }

    struct Metered
    {
        const SampleJob* plan{nullptr}; //!< the job's plan; null: it runs along unmeasured
        uint64_t done{0};
        std::map<uint64_t, Time> admitted; //!< when unfinished iterations began to send
        Time transfers;                    //!< transfer time of all finished iterations
        Time first;                        //!< Read() when the window begins
        Time middle;                       //!< Read() when half of the window has ended
        Time last;                         //!< Read() at the last iteration's end so far
    };

    /** \return true if the sample ends although some jobs are not measured yet */
    bool IsOver() const
    {
        return m_most > 0 && static_cast<double>(m_iterations) >= m_most && m_measured > 0;
    }

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
        if (m_measured == m_wanted || IsOver())
        {
            Simulator::Stop();
        }
    }

    void Measure(Metered& job)
    {
        const uint64_t end = job.plan->warmup + job.plan->window;
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
    return IsGated(scenario) || scenario.cluster.gpuMemory > 0;
}

double
SamplePlan::CountIterations() const
{
    double sum = 0;
    for (const SampleJob& job : jobs)
    {
        sum += static_cast<double>(job.warmup + job.window);
    }
    return sum;
}

SampleSource::SampleSource(const Scenario& scenario, const SituationWatch& watch)
    : m_base(MakeSampleBase(scenario)),
      m_sampling(scenario.sampling),
      m_hasJitter(scenario.workload.noise.jitter.IsTypeIdSet()),
      m_watch(watch)
{
    for (const SituationVisit& visit : watch.GetVisits())
    {
        Weighed weighed{&visit, {}, 0};
        for (const SituationJob& job : visit.situation->jobs)
        {
            weighed.parts.push_back(Measure(job.job, visit));
            weighed.seconds += weighed.parts.back().seconds;
        }
        if (weighed.seconds > 0)
        {
            m_visits.push_back(std::move(weighed));
        }
    }
    std::stable_sort(m_visits.begin(), m_visits.end(), [](const auto& a, const auto& b) {
        return a.visit->situation->name < b.visit->situation->name;
    });
    double sum = 0;
    for (const Weighed& weighed : m_visits)
    {
        sum += weighed.seconds;
        m_sums.push_back(sum);
    }
}

/** Measure a job in a visit. An iteration counts for the part that lies within the visit. It is
 * taken to begin when the one before has ended at all workers, although some may have begun it. */
SampleSource::Part
SampleSource::Measure(JobId job, const SituationVisit& visit) const
{
    const auto& spans = m_watch.GetIterations(job);
    const int64_t begin = visit.begin.GetTimeStep();
    const int64_t end = visit.end.GetTimeStep();
    Part part;
    auto span = std::partition_point(spans.begin(), spans.end(), [begin](const auto& each) {
        return each.end <= begin;
    });
    int64_t before = span == spans.begin() ? 0 : std::prev(span)->end;
    for (; span != spans.end() && std::max(span->start, before) < end; ++span)
    {
        const int64_t start = std::max(span->start, before);
        before = span->end;
        const int64_t inside = std::min(span->end, end) - std::max(start, begin);
        const auto length = static_cast<double>(span->end - start);
        if (inside > 0)
        {
            const double share = static_cast<double>(inside) / length;
            part.iterations += share;
            part.seconds += ToSeconds(inside);
        }
    }
    return part;
}

std::vector<SituationShare>
SampleSource::ListShares() const
{
    std::map<std::string, SituationShare> shares; // shares by job in its situation
    for (const Weighed& weighed : m_visits)
    {
        const auto& jobs = weighed.visit->situation->jobs;
        for (std::size_t i = 0; i < jobs.size(); ++i)
        {
            SituationShare& share = shares[jobs[i].strata.front()];
            share.situation = weighed.visit->situation->name;
            share.strata = jobs[i].strata;
            share.iterations += weighed.parts[i].iterations;
            share.seconds += weighed.parts[i].seconds;
            share.compute += weighed.parts[i].iterations * GetCompute(jobs[i]);
            share.visits += weighed.parts[i].iterations > 0 ? 1 : 0;
        }
    }
    std::vector<SituationShare> list;
    for (auto& [name, share] : shares)
    {
        list.push_back(std::move(share));
    }
    return list;
}

std::optional<SampleSource::Drawn>
SampleSource::Draw(uint64_t number,
                   uint64_t seed,
                   const SampleLimits& limits,
                   uint32_t others) const
{
    if (m_visits.empty())
    {
        return std::nullopt;
    }
    std::mt19937_64 common(seed);
    std::mt19937_64 own(seed ^ (number + 1) * 0x9e3779b97f4a7c15ULL);
    const double place = DrawUniform(common) + static_cast<double>(number) * GOLDEN_RATIO;
    const double fraction = place - std::floor(place);
    const double drawn = fraction * m_sums.back();
    const auto index = std::upper_bound(m_sums.begin(), m_sums.end() - 1, drawn) - m_sums.begin();
    const SituationVisit& visit = *m_visits[index].visit;
    const double length = (visit.end - visit.begin).GetDouble();
    double within = DrawUniform(own);
    const auto cut = [&] {
        const auto after = static_cast<int64_t>(std::floor(within * length));
        return Cut(m_visits[index], visit.begin.GetTimeStep() + after, limits);
    };
    Drawn sample{cut(), {}};
    sample.plan.place = fraction;
    for (uint32_t i = 0; i < others && !Repeats(m_visits[index]); ++i)
    {
        within += GOLDEN_RATIO;
        within -= std::floor(within);
        sample.others.push_back(cut());
    }
    return sample;
}

/** \return true if all iterations are alike: a job is alone, and no times are random */
bool
SampleSource::Repeats(const Weighed& weighed) const
{
    return weighed.parts.size() == 1 && !m_hasJitter;
}

std::vector<SampleSource::Cutting>
SampleSource::DrawEach(const std::function<bool(const std::string&)>& isKnown,
                       double share,
                       const SampleLimits& limits) const
{
    struct Found
    {
        double seconds{0};
        const Weighed* longest{nullptr};
    };

    std::map<std::string, Found> situations;
    double left = 0;
    for (const Weighed& weighed : m_visits)
    {
        const auto& jobs = weighed.visit->situation->jobs;
        if (std::none_of(jobs.begin(), jobs.end(), [&isKnown](const SituationJob& job) {
                return isKnown(job.strata.front());
            }))
        {
            Found& found = situations[weighed.visit->situation->name];
            const bool isLonger = !found.longest || weighed.seconds > found.longest->seconds;
            found.longest = isLonger ? &weighed : found.longest;
            found.seconds += weighed.seconds;
            left += share * weighed.seconds;
        }
    }
    std::vector<Found> sorted;
    for (const auto& [name, found] : situations)
    {
        sorted.push_back(found);
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return a.seconds > b.seconds;
    });
    std::vector<Cutting> drawn;
    for (auto found = sorted.begin(); found != sorted.end() && left > 0; ++found)
    {
        const SituationVisit& visit = *found->longest->visit;
        const Time middle = (visit.begin + visit.end) / 2;
        drawn.push_back(Cut(*found->longest, middle.GetTimeStep(), limits));
        left -= found->seconds;
    }
    return drawn;
}

/** \return the beginning of an iteration that is nearest to a moment and less than two periods
 * away; the moment itself if there is none, because the job was not training then */
int64_t
SampleSource::FindStart(JobId job, int64_t near, double period) const
{
    const auto& spans = m_watch.GetIterations(job);
    const auto next = std::partition_point(spans.begin(), spans.end(), [near](const auto& each) {
        return each.start < near;
    });
    int64_t distance = 2 * Seconds(period).GetTimeStep();
    int64_t start = near;
    for (auto span = next == spans.begin() ? next : std::prev(next);
         span != spans.end() && span <= next;
         ++span)
    {
        if (std::abs(span->start - near) < distance)
        {
            distance = std::abs(span->start - near);
            start = span->start;
        }
    }
    return start;
}

/** \return the beginning of the iteration that a job is in at a moment, or of its next one */
int64_t
SampleSource::FindCut(JobId slowest, int64_t moment) const
{
    const auto& spans = m_watch.GetIterations(slowest);
    const auto span = std::partition_point(spans.begin(), spans.end(), [moment](const auto& each) {
        return each.end <= moment;
    });
    return span == spans.end() ? moment : span->start;
}

SampleSource::Cutting
SampleSource::Cut(const Weighed& weighed, int64_t moment, const SampleLimits& limits) const
{
    const auto& jobs = weighed.visit->situation->jobs;
    std::vector<double> periods;
    for (const Part& part : weighed.parts)
    {
        periods.push_back(part.iterations > 0 ? part.seconds / part.iterations : 0);
    }
    const std::size_t slowest = FindSlowest(periods, limits.most);
    const double longest = periods[slowest];
    const bool repeats = Repeats(weighed);
    uint64_t warmup =
        repeats ? std::max<uint64_t>(ALONE_WARMUP, m_sampling.warmup) : m_sampling.warmup;
    const double allowed = repeats ? ALONE_EXCESS * limits.most : limits.most; // it is run once
    const double possible = allowed / CountWhile(longest, periods); // iterations of the slowest job
    const auto usual = static_cast<double>(warmup + m_sampling.window);
    const double kept = std::min(1.0, possible / usual);
    if (limits.warmup > 0 && possible > usual)
    {
        const double age =
            ToSeconds(moment - weighed.visit->begin.GetTimeStep()) / longest; // in iterations
        const double earlier = std::min({age,
                                         possible - static_cast<double>(m_sampling.window),
                                         static_cast<double>(limits.warmup)});
        warmup = std::max(warmup, static_cast<uint64_t>(earlier));
        moment -= Seconds(earlier * longest).GetTimeStep();
    }
    const int64_t cut = FindCut(jobs[slowest].job, moment);
    Cutting drawn;
    drawn.plan.situation = weighed.visit->situation->name;
    drawn.plan.cut = ToSeconds(cut);
    drawn.plan.repeats = repeats;
    for (std::size_t i = 0; i < jobs.size(); ++i)
    {
        if (periods[i] == 0 || periods[i] > longest)
        {
            continue; // the job did no iteration, or is too slow
        }
        const Part& part = weighed.parts[i];
        SampleJob job;
        job.job = jobs[i].job;
        const auto count = [&](uint64_t iterations) {
            const double ofSlowest = std::max(1.0, kept * static_cast<double>(iterations));
            return static_cast<uint64_t>(
                std::ceil((iterations > 0 ? ofSlowest : 0) * longest / periods[i] - 1e-6));
        };
        job.warmup = count(warmup);
        job.window = std::max<uint64_t>(1, count(m_sampling.window));
        job.weight = part.iterations / weighed.seconds;
        job.compute = HasOtherWaits(m_base) ? 0 : GetCompute(jobs[i]);
        job.strata = jobs[i].strata;
        drawn.plan.jobs.push_back(job);
    }
    drawn.plan.most = HasOtherWaits(m_base) ? GATED_EXCESS * drawn.plan.CountIterations() : 0;
    drawn.scenario = MakeScenario(weighed, cut, drawn.plan);
    return drawn;
}

Scenario
SampleSource::MakeScenario(const Weighed& weighed, int64_t cut, const SamplePlan& plan) const
{
    Scenario sample = m_base;
    const Situation& situation = *weighed.visit->situation;
    if (!situation.order.empty())
    {
        sample.scheduling.network = ObjectFactory();
        sample.scheduling.network.SetTypeId(
            FindPolicy(NetworkScheduler::GetTypeId(), "fixed-order"));
        sample.scheduling.network.Set("Order", StringValue(situation.order));
    }
    const auto findPlan = [&plan](JobId job) -> const SampleJob* {
        const auto found = std::find_if(plan.jobs.begin(),
                                        plan.jobs.end(),
                                        [job](const auto& each) { return each.job == job; });
        return found == plan.jobs.end() ? nullptr : &*found;
    };
    std::map<JobId, int64_t> starts;
    std::optional<int64_t> first;
    for (std::size_t i = 0; i < situation.jobs.size(); ++i)
    {
        const Part& part = weighed.parts[i];
        const JobId job = situation.jobs[i].job;
        starts[job] = findPlan(job) ? FindStart(job, cut, part.seconds / part.iterations) : cut;
        first = std::min(first.value_or(starts[job]), starts[job]);
    }
    uint64_t most = 0; // iterations that a job may do while the sample lasts
    for (const SampleJob& job : plan.jobs)
    {
        most = std::max(most, job.warmup + job.window);
    }
    double longest = 0;
    for (std::size_t i = 0; i < situation.jobs.size(); ++i)
    {
        const SituationJob& each = situation.jobs[i];
        if (weighed.parts[i].iterations == 0)
        {
            continue;
        }
        const SampleJob* planned = findPlan(each.job);
        const uint64_t measured = planned ? planned->warmup + planned->window : most;
        const double period = weighed.parts[i].seconds / weighed.parts[i].iterations;
        const Time enters = TimeStep(starts.at(each.job) - *first);
        const auto& spans = m_watch.GetIterations(each.job);
        const auto done =
            std::partition_point(spans.begin(),
                                 spans.end(),
                                 [cut](const auto& span) { return span.start < cut; }) -
            spans.begin();
        const uint64_t needed = 2 * measured + 2;
        const uint64_t all = each.run->iterations;
        const uint64_t left = all > static_cast<uint64_t>(done) ? all - done : 0;
        JobSpec job = each.run->job;
        job.placement = each.run->placement;
        job.accuracy.clear();
        job.curve.reset();
        job.stopAfter = NEVER_STOPPED;
        sample.workload.groups.push_back(MakePlainJob(job, enters, {std::max(left, needed)}));
        if (planned)
        {
            longest =
                std::max(longest, enters.GetSeconds() + period * static_cast<double>(measured + 1));
        }
    }
    sample.stop.time = Min(Seconds(longest * MOST_STRETCH) + Seconds(1), GetLongestTime());
    return sample;
}

SampleTimes
RunSample(const Scenario& scenario, const SamplePlan& plan)
{
    ClusterSimulation simulation(scenario);
    SampleTimes times;
    {
        SampleMeter meter(simulation.GetTrainingCluster(), plan, scenario);
        const RunResult result = simulation.Run();
        if (result.status == RunResult::Status::INTERRUPTED)
        {
            throw RunError("interrupted");
        }
        times = meter.GetTimes();
        times.end = result.end.GetSeconds();
        times.cpu = result.cpuSeconds;
    }
    return times;
}

} // namespace ns3::ddl
