// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-sample-source.h"

#include "app/scenario/ddl-alone-scenario.h"
#include "ddl-draws.h"

#include "ns3/ddl-fifo-job-queue-policy.h"
#include "ns3/ddl-first-fit-placement-policy.h"
#include "ns3/ddl-graph-topology.h"
#include "ns3/ddl-none-search-algorithm.h"
#include "ns3/ddl-policy.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace ns3::ddl
{

namespace
{

constexpr double LEAST_ITERATIONS = 2; //!< fewest of a sampled job: a warm-up, a measured one
/** If a sample with LEAST_ITERATIONS of the slowest job takes more than this times its limit, the
 * slowest job may stay unmeasured. What pays for PILOT_WINDOWS samples of the limit pays for half
 * as many of twice its length: SAMPLE_GROUPS, the fewest that the jackknife can do with. */
constexpr double MOST_EXCESS = 2;
/** A job may stay unmeasured if it is so many times slower than the fastest one. A choice between
 * 1, equal jobs, and the hundreds by which those are slower that wait at a gate. */
constexpr double LEAST_SLOW = 20;
/** At a gate a sample ends when it has taken so many times its plan, once a job is measured.
 * Without that, one took 14 times its plan. A choice near 1, as the plan is what the budget pays
 * for. */
constexpr double GATED_EXCESS = 1.5;
/** Limit of a sample of a job alone over that of others: it is run once for all the samples of its
 * situation, and even the smallest pilot has as many (SAMPLE_GROUPS). */
constexpr double ALONE_EXCESS = 8;
/** Least warm-up of a job alone: workers of a ring on tcp took 80 iterations to settle, and equal
 * samples do not show that they have not. */
constexpr uint64_t ALONE_WARMUP = 100;
/** A job enters at the beginning of an iteration less than so many periods away from the cut. A job
 * that trains begins one at most a period away, on average; twice that is for those that vary. */
constexpr int64_t MOST_PERIODS_AWAY = 2;
/** Iterations that a job has left in a sample, over those that are measured and one more. No job is
 * to end within the sample; twice is for those that run along faster than on fluids. */
constexpr uint64_t LEAST_LEFT = 2;
/** Seconds after which a sample is given up, beyond those that follow from its iterations: few
 * short ones are over sooner than a timeout at their beginning, and may still be measured. */
constexpr double START_SECONDS = 1;
constexpr double ROUNDING = 1e-6; //!< a whole number of iterations may come out so much larger

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

/** \return the scenario without work, and without rules that act between situations */
Scenario
MakeSampleBase(const Scenario& scenario)
{
    Scenario base = WithoutOutput(ApplyScale(WithoutWork(scenario)));
    base.description.clear();
    base.fidelity = Fidelity::PACKETS;
    base.sampling = SamplingSpec();
    base.leap.reset();
    base.workload.generator.reset();
    base.workload.trace.reset();
    base.workload.traceFile.clear();
    base.workload.traceHash.clear();
    if (base.cluster.topology.shape.GetTypeId() == GraphTopology::GetTypeId())
    {
        // Samples stand elsewhere: the network is written out.
        base.cluster.topology.shape.Set("File", StringValue(""));
    }
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
    base.output.tables = {"iterations"};
    return base;
}

} // namespace

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
            weighed.parts.push_back(Measure(job, visit));
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
SampleSource::Measure(const SituationJob& job, const SituationVisit& visit) const
{
    const auto& spans = m_watch.GetIterations(job.job);
    const int64_t begin = visit.begin.GetTimeStep();
    const int64_t end = visit.end.GetTimeStep();
    Part part{&job};
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
        for (const Part& part : weighed.parts)
        {
            SituationShare& share = shares[part.job->strata.front()];
            share.situation = weighed.visit->situation->name;
            share.strata = part.job->strata;
            share.iterations += part.iterations;
            share.seconds += part.seconds;
            share.compute += part.iterations * GetCompute(*part.job);
            share.visits += part.iterations > 0 ? 1 : 0;
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
    std::mt19937_64 own(seed ^ (number + 1) * SEED_STEP);
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

/** \return number of a job's iterations that began before a moment */
std::size_t
SampleSource::CountBegun(JobId job, int64_t moment) const
{
    const auto& spans = m_watch.GetIterations(job);
    return std::partition_point(spans.begin(),
                                spans.end(),
                                [moment](const auto& span) { return span.start < moment; }) -
           spans.begin();
}

/** \return the beginning of the job's iteration that is nearest to a moment; the moment itself if
 * none is near, because the job was not training then */
int64_t
SampleSource::FindStart(const Part& part, int64_t near) const
{
    const auto& spans = m_watch.GetIterations(part.job->job);
    const std::size_t next = CountBegun(part.job->job, near);
    int64_t distance = MOST_PERIODS_AWAY * Seconds(part.GetPeriod()).GetTimeStep();
    int64_t start = near;
    for (std::size_t i = std::max<std::size_t>(1, next) - 1; i < spans.size() && i <= next; ++i)
    {
        if (std::abs(spans[i].start - near) < distance)
        {
            distance = std::abs(spans[i].start - near);
            start = spans[i].start;
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

/** \return iterations of all jobs whose period is at most \p longest during \p longest */
double
SampleSource::CountWhile(double longest, const std::vector<Part>& parts)
{
    double sum = 0;
    for (const Part& part : parts)
    {
        const double period = part.GetPeriod();
        sum += period > 0 && period <= longest ? longest / period : 0;
    }
    return sum;
}

/** \return the job with the longest period, of those that a sample of \p most iterations measures
 */
const SampleSource::Part&
SampleSource::FindSlowest(const std::vector<Part>& parts, double most)
{
    double shortest = std::numeric_limits<double>::infinity();
    for (const Part& part : parts)
    {
        shortest = part.iterations > 0 ? std::min(shortest, part.GetPeriod()) : shortest;
    }
    const Part* slowest = nullptr;
    for (const Part& part : parts)
    {
        const double period = part.GetPeriod();
        const bool isMeasured = period <= LEAST_SLOW * shortest || // always so of the fastest job
                                LEAST_ITERATIONS * CountWhile(period, parts) <= MOST_EXCESS * most;
        const bool isSlower = !slowest || period > slowest->GetPeriod();
        slowest = isMeasured && isSlower ? &part : slowest;
    }
    return *slowest;
}

SampleSource::Cutting
SampleSource::Cut(const Weighed& weighed, int64_t moment, const SampleLimits& limits) const
{
    const Part& slowest = FindSlowest(weighed.parts, limits.most);
    const double longest = slowest.GetPeriod();
    const bool repeats = Repeats(weighed);
    uint64_t warmup =
        repeats ? std::max<uint64_t>(ALONE_WARMUP, m_sampling.warmup) : m_sampling.warmup;
    const double allowed = repeats ? ALONE_EXCESS * limits.most : limits.most;
    // iterations of the slowest job
    const double possible = allowed / CountWhile(longest, weighed.parts);
    const auto usual = static_cast<double>(warmup + m_sampling.window);
    const double kept = std::min(1.0, possible / usual);
    if (limits.warmup > 0 && possible > usual)
    {
        const double age = ToSeconds(moment - weighed.visit->begin.GetTimeStep()) / longest;
        const double earlier = std::min({age,
                                         possible - static_cast<double>(m_sampling.window),
                                         static_cast<double>(limits.warmup)});
        warmup = std::max(warmup, static_cast<uint64_t>(earlier));
        moment -= Seconds(earlier * longest).GetTimeStep();
    }
    const int64_t cut = FindCut(slowest.job->job, moment);
    Cutting drawn;
    drawn.plan.situation = weighed.visit->situation->name;
    drawn.plan.cut = ToSeconds(cut);
    drawn.plan.repeats = repeats;
    for (const Part& part : weighed.parts)
    {
        if (part.iterations == 0 || part.GetPeriod() > longest)
        {
            continue; // the job did no iteration, or is too slow
        }
        const auto count = [&](uint64_t iterations) {
            const double ofSlowest = std::max(1.0, kept * static_cast<double>(iterations));
            return static_cast<uint64_t>(std::ceil(
                (iterations > 0 ? ofSlowest : 0) * longest / part.GetPeriod() - ROUNDING));
        };
        drawn.plan.jobs.push_back({part.job->job,
                                   count(warmup),
                                   std::max<uint64_t>(1, count(m_sampling.window)),
                                   part.iterations / weighed.seconds,
                                   HasOtherWaits(m_base) ? 0 : GetCompute(*part.job),
                                   part.job->strata});
    }
    drawn.plan.most = HasOtherWaits(m_base) ? GATED_EXCESS * drawn.plan.CountIterations() : 0;
    drawn.scenario = MakeScenario(weighed, cut, drawn.plan);
    return drawn;
}

Scenario
SampleSource::MakeScenario(const Weighed& weighed, int64_t cut, const SamplePlan& plan) const
{
    Scenario sample = m_base;
    const std::string& order = weighed.visit->situation->order;
    if (!order.empty())
    {
        sample.scheduling.network = ObjectFactory();
        sample.scheduling.network.SetTypeId(
            FindPolicy(NetworkScheduler::GetTypeId(), "fixed-order"));
        sample.scheduling.network.Set("Order", StringValue(order));
    }
    std::map<JobId, uint64_t> planned; // iterations by job; without those that run along
    uint64_t most = 0;                 // iterations that a job may do while the sample lasts
    for (const SampleJob& job : plan.jobs)
    {
        planned[job.job] = job.CountIterations();
        most = std::max(most, job.CountIterations());
    }
    std::vector<int64_t> starts;
    for (const Part& part : weighed.parts)
    {
        starts.push_back(planned.count(part.job->job) > 0 ? FindStart(part, cut) : cut);
    }
    const int64_t first = *std::min_element(starts.begin(), starts.end());
    double longest = 0;
    for (std::size_t i = 0; i < starts.size(); ++i)
    {
        const Part& part = weighed.parts[i];
        if (part.iterations == 0)
        {
            continue;
        }
        const auto measured = planned.find(part.job->job);
        const uint64_t counted = measured == planned.end() ? most : measured->second;
        const Time enters = TimeStep(starts[i] - first);
        const uint64_t done = CountBegun(part.job->job, cut);
        const uint64_t needed = LEAST_LEFT * (counted + 1);
        const uint64_t all = part.job->run->iterations;
        const uint64_t left = all > done ? all - done : 0;
        sample.workload.groups.push_back(
            MakePlainJob(KeepPlaced(part.job->run->job, part.job->run->placement),
                         enters,
                         {std::max(left, needed)}));
        if (measured != planned.end())
        {
            const double whole = part.GetPeriod() * static_cast<double>(counted + 1);
            longest = std::max(longest, enters.GetSeconds() + whole);
        }
    }
    sample.stop.time = Min(Seconds(longest * MOST_PACE) + Seconds(START_SECONDS), GetLongestTime());
    return sample;
}

} // namespace ns3::ddl
