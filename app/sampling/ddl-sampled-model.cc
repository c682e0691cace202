// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-sampled-model.h"

#include "ddl-draws.h"

#include "ns3/ddl-content-hash.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

namespace ns3::ddl
{

namespace
{

/** Least part of an iteration that counts as network time, so that ratios stay finite where random
 * compute times seem to fill all of a window. A choice: less would hardly change the iteration. */
constexpr double LEAST_NETWORK = 0.02;
/** Least error of a metric, relative: no sample sees the iterations in which situations begin and
 * end. In the sampling study, 53 of 60 intervals held without it, 59 with it. */
constexpr double LEAST_ERROR = 1e-4;

/** \return index of the stratum of a job in situations with about as many jobs */
std::size_t
GetKind(const std::vector<std::string>& strata)
{
    return std::min<std::size_t>(1, strata.size() - 1);
}

/** \return a normal random number of mean 0 and variance 1 (Box and Muller), equal everywhere */
double
DrawNormal(std::mt19937_64& random)
{
    const double first = DrawUniform(random) + 0x1p-53; // above 0
    const double second = DrawUniform(random);
    return std::sqrt(-2 * std::log(first)) * std::cos(2 * M_PI * second);
}

/** \return compute time in an iteration, less than all of it */
double
LimitCompute(double compute, double iteration)
{
    return std::min(compute, iteration * (1 - LEAST_NETWORK));
}

/** \return what the measured samples showed, in the order of their places on the line of moments */
std::vector<Window>
MakeWindows(const std::vector<Sample>& samples)
{
    std::vector<const Sample*> sorted;
    for (const Sample& sample : samples)
    {
        if (sample.IsMeasured())
        {
            sorted.push_back(&sample);
        }
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const Sample* a, const Sample* b) {
        return a->plan.place < b->plan.place;
    });
    std::vector<Window> windows;
    for (const Sample* sample : sorted)
    {
        const auto& [packets, fluid, mean] = sample->result;
        Window window;
        for (const SampleJob& job : sample->plan.jobs)
        {
            if (!sample->HasMeasured(job.job))
            {
                continue;
            }
            const double dear = packets.iteration.at(job.job);
            const double cheap = fluid.iteration.at(job.job);
            const double expected = mean.at(job.job);
            // Computing takes the same time on packets and on fluids.
            const double compute = LimitCompute(job.compute, std::min({dear, cheap, expected}));
            window.push_back({job.strata,
                              job.weight,
                              dear - compute,
                              cheap - compute,
                              expected - compute,
                              packets.step.at(job.job),
                              fluid.step.at(job.job),
                              static_cast<double>(job.window),
                              sample->plan.isLong});
        }
        windows.push_back(window);
    }
    return windows;
}

/** \return number of jobs in a situation, from its name (Situation::name) */
double
CountContenders(const std::string& situation)
{
    std::istringstream words(situation.substr(0, situation.find('|')));
    return static_cast<double>(std::distance(std::istream_iterator<std::string>(words),
                                             std::istream_iterator<std::string>()));
}

} // namespace

double
Timeline::Sum(double SituationShare::*member) const
{
    double sum = 0;
    for (const SituationShare& share : shares)
    {
        sum += share.*member;
    }
    return sum;
}

const Sample&
SamplingRecord::FindFirst(const Sample& sample) const
{
    return *std::find_if(samples.begin(), samples.end(), [&sample](const Sample& other) {
        return &other == &sample || other.Equals(sample);
    });
}

double
SamplingRecord::GetPacketShare() const
{
    double sum = 0;
    for (const Sample& sample : samples)
    {
        sum += sample.result.packets.iterations;
    }
    const double all = last.Sum(&SituationShare::iterations);
    return all > 0 ? sum / all : 0;
}

double
SamplingRecord::EstimatePacketsCpu() const
{
    double cost = 0; // sum over samples of CPU seconds per second of jobs
    double counted = 0;
    for (const Sample& sample : samples)
    {
        const SampleTimes& run = FindFirst(sample).result.packets; // the equal one that was run
        if (!sample.plan.isLong && run.end > 0)
        {
            cost += run.cpu / (run.end * CountContenders(sample.plan.situation));
            ++counted;
        }
    }
    return counted > 0 ? cost / counted * last.Sum(&SituationShare::seconds) : 0;
}

SampledModel
SampledModel::Make(const SamplingRecord& record, bool hasOtherWaits)
{
    SampledModel model;
    model.SetRatios(RatioEstimator(MakeWindows(record.samples)));
    for (const Sample& probe : record.probes)
    {
        for (const SampleJob& job : probe.plan.jobs)
        {
            const auto iteration = probe.result.fluid.iteration.find(job.job);
            if (iteration != probe.result.fluid.iteration.end())
            {
                model.SetFluid(job.strata.front(), iteration->second, job.compute);
            }
        }
    }
    std::map<std::string, double> ofKind;
    for (const SituationShare& share : record.last.shares)
    {
        model.SetIterations(share.strata.front(),
                            share.iterations / std::max(1.0, double(share.visits)));
        if (model.m_ratios->Find(share.strata).isPooled)
        {
            ofKind[share.strata[GetKind(share.strata)]] += share.iterations;
        }
    }
    for (const auto& [kind, iterations] : ofKind)
    {
        model.SetIterations(kind, iterations);
    }
    for (const SituationShare& share : record.first.shares)
    {
        if (share.iterations > 0 && !hasOtherWaits)
        {
            model.SetFluid(share.strata.front(),
                           share.seconds / share.iterations,
                           share.compute / share.iterations);
        }
    }
    return model;
}

void
SampledModel::SetRatios(const RatioEstimator& ratios)
{
    m_ratios = ratios;
}

void
SampledModel::SetFluid(const std::string& stratum, double iteration, double compute)
{
    m_fluid[stratum] = {iteration, LimitCompute(compute, iteration)};
}

void
SampledModel::SetIterations(const std::string& stratum, double iterations)
{
    m_iterations[stratum] = iterations;
}

SampledModel
SampledModel::LeaveOut(uint32_t group) const
{
    SampledModel replicate = *this;
    replicate.m_group = group;
    return replicate;
}

SampledModel
SampledModel::DrawOnce(uint64_t seed) const
{
    SampledModel replicate = *this;
    replicate.m_seed = seed;
    return replicate;
}

double
SampledModel::DrawFactor(const std::vector<std::string>& strata) const
{
    const auto stratum = m_ratios->Find(strata);
    const std::string& name = strata[stratum.isPooled ? GetKind(strata) : 0];
    const auto known = m_iterations.find(name);
    const double iterations = known == m_iterations.end() ? 1 : std::max(1.0, known->second);
    const uint64_t draw = stratum.isPooled ? std::stoull(HashText(name), nullptr, 16) : ++m_draws;
    std::mt19937_64 random(*m_seed * SEED_STEP + draw);
    return std::exp(std::sqrt(stratum.lasting + stratum.passing / iterations) * DrawNormal(random));
}

double
SampledModel::GetRatio(const std::vector<std::string>& strata) const
{
    const double full = m_ratios->Find(strata).ratio;
    const double ratio =
        m_group
            ? StretchRatio(full, m_ratios->GetRatioWithout(strata, *m_group), m_ratios->GetGroups())
            : full;
    return std::clamp(ratio * (m_seed ? DrawFactor(strata) : 1), LEAST_PACE, MOST_PACE);
}

JobPace
SampledModel::Get(const std::vector<std::string>& strata) const
{
    if (!m_ratios)
    {
        return {};
    }
    JobPace wanted{GetRatio(strata), std::nullopt};
    const auto fluid = m_fluid.find(strata.front());
    if (fluid != m_fluid.end())
    {
        const double network = fluid->second.iteration - fluid->second.compute;
        wanted.iteration = fluid->second.compute + wanted.pace * network;
    }
    return wanted;
}

/** \return seconds of all iterations of a timeline together */
double
SampledModel::Predict(const Timeline& timeline) const
{
    double seconds = 0;
    for (const SituationShare& share : timeline.shares)
    {
        const JobPace wanted = Get(share.strata);
        seconds += wanted.iteration ? share.iterations * *wanted.iteration
                                    : share.compute + (share.seconds - share.compute) * wanted.pace;
    }
    return seconds;
}

double
SampledModel::PredictError(const Timeline& timeline) const
{
    const double full = Predict(timeline);
    const uint32_t groups = m_ratios->GetGroups();
    std::vector<double> replicates;
    for (uint32_t group = 0; group < groups; ++group)
    {
        replicates.push_back(LeaveOut(group).Predict(timeline));
    }
    return GetHalfWidth({{StretchedVariance(full, replicates), groups - 1.0}}) / full;
}

double
CompareTimelines(const Timeline& before, const Timeline& after)
{
    std::map<std::string, double> shares;
    const auto add = [&shares](const Timeline& timeline, double sign) {
        const double all = timeline.Sum(&SituationShare::seconds);
        for (const SituationShare& share : timeline.shares)
        {
            shares[share.strata.front()] += sign * share.seconds / all;
        }
    };
    add(before, -1);
    add(after, 1);
    double difference = 0;
    for (const auto& [name, share] : shares)
    {
        difference += std::abs(share) / 2;
    }
    return difference;
}

MetricError
EstimateError(double full, const MetricReplicates& replicates, uint32_t groups)
{
    // The draws are compared with a number that is not estimated from them.
    const VarianceEstimate sampled{StretchedVariance(full, replicates.sampling), groups - 1.0};
    const VarianceEstimate random{StretchedVariance(full, replicates.seed),
                                  static_cast<double>(groups)};
    return {GetHalfWidth({sampled}),
            GetHalfWidth({random}),
            std::max(GetHalfWidth({sampled, random}), LEAST_ERROR * std::abs(full))};
}

std::vector<SampleRow>
ListRows(const std::vector<Sample>& samples, const SampledModel& model, uint64_t firstRun)
{
    std::vector<SampleRow> rows;
    for (const Sample& sample : samples)
    {
        const auto& [packets, fluid, expected] = sample.result;
        for (const SampleJob& job : sample.plan.jobs)
        {
            if (!sample.HasMeasured(job.job))
            {
                continue;
            }
            const RatioEstimator& ratios = *model.GetRatios();
            const auto stratum = ratios.Find(job.strata);
            std::vector<double> without;
            for (uint32_t group = 0; group < ratios.GetGroups(); ++group)
            {
                without.push_back(ratios.GetRatioWithout(job.strata, group));
            }
            rows.push_back({sample.number,
                            firstRun + sample.number,
                            sample.plan.situation,
                            sample.plan.cut,
                            sample.plan.isLong,
                            job.job,
                            job.warmup,
                            job.window,
                            job.weight,
                            job.compute,
                            packets.iteration.at(job.job),
                            fluid.iteration.at(job.job),
                            expected.at(job.job),
                            stratum.name,
                            stratum.windows,
                            stratum.ratio,
                            GetHalfWidth({{JackknifeVariance(stratum.ratio, without),
                                           ratios.GetGroups() - 1.0}}),
                            model.Get(job.strata).iteration,
                            packets.iterations,
                            packets.cpu});
        }
    }
    return rows;
}

} // namespace ns3::ddl
