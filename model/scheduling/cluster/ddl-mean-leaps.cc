// SPDX-License-Identifier: GPL-2.0-only
// Leaps by the mean (leap.error): components of jobs that contend. The rest of Leaps stands in
// ddl-leaps.cc.
#include "ddl-leaps.h"

#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-job-manager.h"
#include "ns3/ddl-run-part.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlMeanLeaps");

namespace
{

constexpr double LEAST_LENGTH = 5; //!< shortest leap, in iterations of the slowest job

/** How much is seen before a leap. */
struct Caution
{
    uint64_t iterations; //!< fewest iterations of each job
    double gain;         //!< longest leap, in times watched for it, at first
    double growth;       //!< the same is so many times longer after each leap
};

constexpr Caution FLUID{IterationSeries::FIRST_CHECK, 20, 4};
/** With congestion control, two jobs meet in one way for a hundred iterations and then in another
 * one: with the numbers of FLUID, 11 % of jobs were outside of their interval, by up to 7 %. */
constexpr Caution PACKETS{4 * IterationSeries::FIRST_CHECK, 4, 2};

const Caution&
GetCaution(const Transport& transport)
{
    return transport.HasPackets() ? PACKETS : FLUID;
}

constexpr double SETTLING = 3; //!< iterations of the slowest job after a leap that do not count
constexpr double MOST_ERROR = 0.05; //!< largest half-width of a mean, as a part of it
/** Largest part of the time left that is leapt over first, if jobs have not met in all ways. Leaps
 * of that length go on until they were watched so many times, each time in another phase. */
constexpr double SMALL_PART = 0.01;
constexpr uint32_t SAMPLES = 8;
/** Standard deviation of the delay by others, as a part of it, between settings that differ by
 * nanoseconds: measured, see doc/leaps.md. */
constexpr double WAYS = 0.03;
constexpr double ENDS = 0.5;        //!< iterations that may be wrong where a leap begins or ends
constexpr double NORMAL_975 = 1.96; //!< 0.975 quantile of the normal distribution

} // namespace

std::optional<double>
Leaps::GetHalfWidth(JobId job) const
{
    const auto left = m_variances.find(job);
    const auto present = m_jobs.find(job);
    const double variance = left != m_variances.end() ? left->second
                            : present != m_jobs.end() ? GetVariance(present->second)
                                                      : 0;
    return variance > 0 ? std::make_optional(NORMAL_975 * std::sqrt(variance)) : std::nullopt;
}

Leaps::Counts&
Leaps::Counts::operator+=(const Counts& other)
{
    queues.resize(other.queues.size());
    for (std::size_t i = 0; i < other.queues.size(); ++i)
    {
        queues[i] += other.queues[i];
    }
    streams += other.streams;
    return *this;
}

std::vector<JobId>
Leaps::ListJobs(const Component& component)
{
    std::vector<JobId> jobs;
    for (const auto& [job, series] : component.series)
    {
        jobs.push_back(job);
    }
    return jobs;
}

/** A run has begun: the components that it joins become one. */
void
Leaps::Join(Sleeper& sleeper)
{
    const auto joined = std::make_shared<Component>();
    std::set<JobId> jobs{sleeper.run->GetId()};
    for (const JobId near : ListNear(sleeper))
    {
        if (const auto& component = m_jobs.at(near).component)
        {
            Restart(*component);
            const auto members = ListJobs(*component);
            jobs.insert(members.begin(), members.end());
        }
    }
    for (const JobId job : jobs)
    {
        m_jobs.at(job).unsure += job == sleeper.run->GetId() ? 0 : sleeper.variance;
        joined->series.emplace(job, IterationSeries());
        m_jobs.at(job).component = joined;
    }
    Restart(*joined);
}

/** Paths have changed: jobs are joined in other ways. */
void
Leaps::JoinAll()
{
    Component all;
    for (auto& [id, sleeper] : m_jobs)
    {
        if (sleeper.component)
        {
            Restart(*sleeper.component);
            all.series.emplace(id, IterationSeries());
        }
    }
    Split(all);
}

/** Jobs of a component may not be joined any more. */
void
Leaps::Split(Component& component)
{
    Restart(component);
    std::set<JobId> left;
    for (const JobId job : ListJobs(component))
    {
        m_jobs.at(job).component.reset();
        left.insert(job);
    }
    while (!left.empty())
    {
        const auto part = std::make_shared<Component>();
        std::vector<JobId> reached{left.extract(left.begin()).value()};
        while (!reached.empty())
        {
            Sleeper& sleeper = m_jobs.at(reached.back());
            reached.pop_back();
            part->series.emplace(sleeper.run->GetId(), IterationSeries());
            sleeper.component = part;
            for (const JobId near : ListNear(sleeper))
            {
                if (left.erase(near) > 0)
                {
                    reached.push_back(near);
                }
            }
        }
        Restart(*part);
    }
}

/** Its jobs wake, if they sleep. */
void
Leaps::WakeUp(Component& component)
{
    if (!component.isAsleep)
    {
        return;
    }
    component.isAsleep = false;
    component.wake.Cancel();
    for (const JobId job : ListJobs(component))
    {
        Wake(job);
    }
    CreditPorts(component);
}

/** It has slept for as long as what was seen of it may count: see more of it. */
void
Leaps::Resume(Component& component)
{
    WakeUp(component);
    double longest = 0; // mean iteration, s
    for (auto& [job, series] : component.series)
    {
        series.Resume();
        longest = std::max(longest, series.GetMean().length);
    }
    component.awakeSince = Simulator::Now();
    component.settled = Simulator::Now() + Seconds(SETTLING * longest);
    component.before = Count(component.ports, ListJobs(component));
}

/** Something has changed: its jobs wake, and what was seen of them does not predict what comes. */
void
Leaps::Restart(Component& component)
{
    const Caution& caution = GetCaution(*m_parts.transport);
    WakeUp(component);
    for (auto& [job, series] : component.series)
    {
        series = IterationSeries(caution.iterations);
        Sleeper& sleeper = m_jobs.at(job);
        const double ofMean = std::exchange(sleeper.ofMean, 0);
        const double ofWays = std::exchange(sleeper.ofWays, 0);
        Spend(sleeper, ofMean * ofMean);
        sleeper.variance += ofWays * ofWays;
    }
    component.since = Simulator::Now();
    component.settled = component.since;
    component.awakeSince = component.since;
    component.watched = Time();
    component.gain = caution.gain;
    component.samples = 0;
    if (m_parts.transport->HasPackets())
    {
        std::set<Ptr<Port>> ports;
        for (const JobId job : ListJobs(component))
        {
            const auto& own = m_jobs.at(job).ports;
            ports.insert(own.begin(), own.end());
        }
        component.ports.assign(ports.begin(), ports.end());
        component.before = Count(component.ports, ListJobs(component));
        component.seen = Counts();
    }
}

/** Ports count what passed while the component slept: as much as before, for each second. */
void
Leaps::CreditPorts(const Component& component)
{
    const double slept = (Simulator::Now() - component.asleepSince).GetSeconds();
    const double times = slept / component.watched.GetSeconds();
    const auto scale = [times](uint64_t count) {
        return static_cast<uint64_t>(std::llround(static_cast<double>(count) * times));
    };
    Counts passed = component.seen;
    for (QueueCredit& queue : passed.queues)
    {
        queue = {scale(queue.packets),
                 scale(queue.bytes),
                 scale(queue.marked),
                 Seconds(queue.busy.GetSeconds() * times)};
    }
    passed.streams = {scale(passed.streams.dataPackets),
                      scale(passed.streams.retransmissions),
                      scale(passed.streams.timeouts),
                      scale(passed.streams.reordered)};
    Credit(component.ports, passed, 1);
}

void
Leaps::RestartAt(const std::set<JobId>& jobs)
{
    for (const JobId job : jobs)
    {
        if (const auto& component = m_jobs.at(job).component)
        {
            Restart(*component);
        }
    }
}

/** A job's traffic changes its queue: it contends in another way. */
void
Leaps::NotifyRemark(const RemarkRecord& remark)
{
    const auto known = m_jobs.find(remark.job);
    if (known != m_jobs.end() && known->second.component)
    {
        Component& component = *known->second.component;
        if (component.isAsleep || component.since < Simulator::Now())
        {
            Restart(component);
        }
    }
}

void
Leaps::NoteForMean(Sleeper& sleeper, const IterationRecord& record)
{
    Component& component = *sleeper.component;
    const Time since = std::exchange(sleeper.lastEnd, record.end);
    sleeper.done = record.iteration;
    if (component.isAsleep)
    {
        FallAsleepByMean(sleeper); // its stage goes on, or its state is saved
        return;
    }
    const bool isWhole = since >= component.settled && record.iteration > sleeper.stageBegin + 1 &&
                         !sleeper.run->IsCheckpoint(record.iteration - 1);
    const bool isDue =
        component.series.at(record.job)
            .Add(record.iteration,
                 record.end.GetSeconds(),
                 isWhole ? std::make_optional((record.end - since).GetSeconds()) : std::nullopt,
                 (record.end - record.computeEnd).GetSeconds());
    if (!isDue)
    {
        return;
    }
    const Outlook outlook = Foresee(component);
    NS_LOG_LOGIC("component of job " << record.job << ", " << component.series.size()
                                     << " jobs, since " << component.since.GetSeconds() << " s: "
                                     << (outlook.reason.empty() ? "sleeps" : outlook.reason));
    if (outlook.reason.empty())
    {
        Sleep(component, outlook);
    }
}

/** \return whether nothing but the other jobs of its component decides how long its iterations
 * take, and all of that goes on as it was seen */
bool
Leaps::MayLeapByMean(const Sleeper& sleeper) const
{
    const RunSpec& run = *sleeper.run;
    if (run.isGated || run.reportsIterations || sleeper.state != State::AWAKE)
    {
        return false;
    }
    RunPart* const part =
        m_parts.agents.at(run.GetLeader().value)->FindRun(run.GetId(), run.number);
    if (!part || !part->FindLeap())
    {
        return false;
    }
    const auto gpus = ListGpus(run.placement);
    const bool isShared = std::any_of(gpus.begin(), gpus.end(), [this](const GpuId& gpu) {
        return m_holders.at(gpu).size() > 1;
    });
    return (m_parts.areTasksTimeless || !isShared) &&
           std::none_of(sleeper.ports.begin(), sleeper.ports.end(), [this](const auto& port) {
               return m_disturbed.count(PeekPointer(port)) > 0;
           });
}

/** \return seconds until the job ends if its iterations go on as they were seen to be */
double
Leaps::GetTimeLeft(const Sleeper& sleeper, const IterationSeries& series)
{
    const uint64_t left = sleeper.run->iterations - std::min(sleeper.run->iterations, sleeper.done);
    return static_cast<double>(left) * series.GetMean().length;
}

/**
 * How well the mean of a job must be known depends on how much of its completion time T may be
 * leapt over by it. The variance that (Error x T)^2 allows, less what leaps have spent before, is
 * for all the time that is left; the leaps of this situation may spend their part of it.
 *
 * \param length length of the leap, s
 */
bool
Leaps::IsKnown(const Sleeper& sleeper, const IterationSeries& series, double length) const
{
    const Component& component = *sleeper.component;
    const double passed = (Simulator::Now() - m_arrivals.at(sleeper.run->cojob)).GetSeconds();
    const double left = GetTimeLeft(sleeper, series);
    const double whole = m_error * (passed + left) / NORMAL_975; // s
    const Time watched = component.watched + Simulator::Now() - component.awakeSince;
    const double slept = (Simulator::Now() - component.since - watched).GetSeconds();
    const double part = std::min((slept + length) / (slept + left), 1.0);
    const double allowed = std::max(whole * whole - sleeper.spent, 0.0) * part; // s^2
    const auto& mean = series.GetMean();
    const double error =
        sleeper.ofMean + length * mean.greaterWidth / mean.length / NORMAL_975; // s
    return error <= std::sqrt(allowed) && mean.greaterWidth <= MOST_ERROR * mean.length;
}

/**
 * \param longest time until a job of the component ends, s
 * \return for how long what was seen of the ways in which its jobs meet stands for what comes
 */
Leaps::Outlook
Leaps::ForeseePhases(const Component& component, double longest) const
{
    const Time watched = component.watched + Simulator::Now() - component.awakeSince;
    const double most = watched.GetSeconds() * component.gain;
    Outlook outlook{"", std::min(longest, most), true};
    for (const auto& [job, series] : component.series)
    {
        for (const JobId near : ListNear(m_jobs.at(job)))
        {
            if (job < near)
            {
                const auto horizon = FindHorizon(series, component.series.at(near), longest);
                outlook.isMixed = outlook.isMixed && horizon.has_value();
                outlook.length = std::min(outlook.length, horizon.value_or(most));
            }
        }
    }
    outlook.isMixed = outlook.isMixed || component.samples >= SAMPLES;
    return outlook;
}

/** \return whether and for how long the jobs of a component may sleep from now on */
Leaps::Outlook
Leaps::Foresee(const Component& component) const
{
    double longest = std::numeric_limits<double>::infinity(); // until the first job ends, s
    double slowest = 0;                                       // mean iteration, s
    for (const auto& [job, series] : component.series)
    {
        if (!series.IsSteady())
        {
            return {"a job's iterations are not steady"};
        }
        if (!MayLeapByMean(m_jobs.at(job)))
        {
            return {"more than other jobs decides how long iterations take"};
        }
        longest = std::min(longest, GetTimeLeft(m_jobs.at(job), series));
        slowest = std::max(slowest, series.GetMean().length);
    }
    if (longest < LEAST_LENGTH * slowest)
    {
        return {"a job is about to end"};
    }
    const Outlook outlook = ForeseePhases(component, longest);
    const bool isSmall = outlook.length <= std::max(SMALL_PART * longest, LEAST_LENGTH * slowest);
    if (!outlook.isMixed && !isSmall && component.samples == 0)
    {
        return {"two jobs have not met in all ways"};
    }
    for (const auto& [job, series] : component.series)
    {
        if (!IsKnown(m_jobs.at(job), series, outlook.length))
        {
            return {"a job's mean iteration is not known"};
        }
    }
    return outlook;
}

void
Leaps::Sleep(Component& component, const Outlook& outlook)
{
    const Time now = Simulator::Now();
    component.isAsleep = true;
    component.asleepSince = now;
    component.watched += now - component.awakeSince;
    component.gain *= outlook.isMixed ? GetCaution(*m_parts.transport).growth : 1;
    ++component.samples;
    component.seen += CountSince(component.before, component.ports, ListJobs(component));
    component.wake =
        Simulator::Schedule(Seconds(outlook.length), &Leaps::Resume, this, std::ref(component));
    for (const auto& [job, series] : component.series)
    {
        NoteChangeError(m_jobs.at(job), series.GetMean().length);
        FallAsleepByMean(m_jobs.at(job));
    }
}

/** Changes of its contention came at uncertain times: until each it was as fast as before, and from
 * then on as now. \param mean its mean iteration now, s */
void
Leaps::NoteChangeError(Sleeper& sleeper, double mean)
{
    const double change = sleeper.lastMean > 0 ? 1 - mean / sleeper.lastMean : 0;
    sleeper.variance += change * change * std::exchange(sleeper.unsure, 0);
    sleeper.lastMean = mean;
}

/** Its workers stop at the end of the first iteration that none of them has finished, if that is
 * neither the last one of its stage nor followed by a checkpoint. */
void
Leaps::FallAsleepByMean(Sleeper& sleeper)
{
    sleeper.iteration = sleeper.job->GetLog().GetUnfinished();
    if (!sleeper.isRevoked && sleeper.iteration < sleeper.job->GetStageEnd() &&
        CountAhead(sleeper) > 0)
    {
        sleeper.isByMean = true;
        FallAsleep(sleeper, std::nullopt);
    }
}

/** Its workers are held: from the end of the last iteration that was simulated before, iterations
 * have their mean length. Other jobs that were held first made its last one short. */
void
Leaps::PlanByMean(Sleeper& sleeper)
{
    const auto& mean = sleeper.component->series.at(sleeper.run->GetId()).GetMean();
    const Time now = Simulator::Now();
    const Time period = Max(Seconds(mean.length), TimeStep(1));
    const auto later = static_cast<int64_t>(sleeper.iteration + 1 - sleeper.done);
    const Time delay = Max(sleeper.lastEnd + TimeStep(period.GetTimeStep() * later) - now, Time());
    sleeper.ahead = {CountAhead(sleeper), now + delay, period, delay};
    Plan(sleeper);
}

/**
 * The time of a job that skips iterations by their mean has an error: of the mean, which is the
 * same one in all leaps of a situation, so that these errors add up; of the sum of the iterations
 * around their mean; and where the leap begins and ends, and others are held or wait, of part of an
 * iteration. Besides, jobs that contend may settle into one way of meeting or another, by
 * nanoseconds at the change before: by WAYS of what others delay it, as a standard deviation, which
 * is measured (doc/leaps.md).
 */
void
Leaps::NoteError(Sleeper& sleeper, double skipped)
{
    const auto& mean = sleeper.component->series.at(sleeper.run->GetId()).GetMean();
    sleeper.ofMean += skipped * mean.deviation;
    sleeper.ofWays += skipped * WAYS * mean.spread;
    const double ofEach = mean.deviation * mean.deviation * mean.count; // variance, s^2
    const double ofEnds = ENDS * mean.length;
    Spend(sleeper, skipped * ofEach + ofEnds * ofEnds);
}

void
Leaps::Spend(Sleeper& sleeper, double variance)
{
    sleeper.spent += variance;
    sleeper.variance += variance;
}

/** \return variance of a job's present time, s^2 */
double
Leaps::GetVariance(const Sleeper& sleeper)
{
    return sleeper.variance + sleeper.ofMean * sleeper.ofMean + sleeper.ofWays * sleeper.ofWays;
}

} // namespace ns3::ddl
