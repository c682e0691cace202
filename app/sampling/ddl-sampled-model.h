// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SAMPLED_MODEL_H
#define DDL_SAMPLED_MODEL_H

#include "ddl-pace-control.h"
#include "ddl-sample.h"
#include "ddl-window-statistics.h"

#include "ns3/ddl-run-result.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A run on fluids: what its jobs did, and its metrics. */
struct Timeline
{
    std::vector<SituationShare> shares;
    std::map<std::string, double> metrics{};

    /** \return sum over all jobs in all situations. \param member what is summed up */
    double Sum(double SituationShare::*member) const;
};

/** What is known of a sampled run while it goes on. */
struct SamplingRecord
{
    std::vector<Sample> samples;
    std::vector<Sample> probes; //!< samples of later situations, run on fluids only
    Timeline first;             //!< the first timeline, on uncorrected fluids
    Timeline last;              //!< the last timeline
    uint32_t rounds{0};         //!< number of timelines so far
    double change{0};           //!< part of the time in which the last two timelines differ

    /** \return the first sample that is equal to this one of the samples, perhaps it itself */
    const Sample& FindFirst(const Sample& sample) const;
    /** \return iterations of all samples on packets, over those of the last timeline */
    double GetPacketShare() const;
    /**
     * \return CPU seconds that the last timeline would take on packets. Samples that are not long
     *         were drawn by time, so each stands for the same time of jobs
     */
    double EstimatePacketsCpu() const;
};

/** What samples show: how long an iteration takes, by job and situation. */
class SampledModel
{
  public:
    /** \return the model of all samples that were measured, all probes and both timelines */
    static SampledModel Make(const SamplingRecord& record, bool hasOtherWaits);

    /** \param ratios ratios of packet time to fluid time by stratum, without compute time */
    void SetRatios(const RatioEstimator& ratios);

    /**
     * \param stratum stratum of a job in a situation
     * \param iteration length of an iteration on fluids, seconds
     * \param compute compute time of the slowest worker per iteration, seconds
     */
    void SetFluid(const std::string& stratum, double iteration, double compute);

    /** \param stratum stratum of a job. \param iterations how many a factor of DrawOnce() covers */
    void SetIterations(const std::string& stratum, double iterations);

    /** \return a replicate whose ratios leave out a group of windows, as StretchRatio() says */
    SampledModel LeaveOut(uint32_t group) const;

    /**
     * \return a replicate that stands for one run on packets. Each time a job enters a situation,
     *         its ratio is multiplied by a random factor. The variance of its logarithm is that of
     *         the windows that saw it there, less what averages out over the iterations that the
     *         job does (SetIterations()). In a pooled stratum, a job keeps its factor for
     *         situations with about as many jobs, since its spread is that between jobs
     * \param seed seed of the draws
     */
    SampledModel DrawOnce(uint64_t seed) const;

    /**
     * \param strata strata of a job in a situation, narrowest first
     * \return the wanted length compute + ratio x (iteration on fluids - compute), if the
     *         iteration is known, and the ratio as pace; pace 1 and no wanted length without ratios
     */
    JobPace Get(const std::vector<std::string>& strata) const;

    /** \return relative half-width of the 95 % interval of the time that all iterations of a
     * timeline take together, as the model predicts it without a further timeline */
    double PredictError(const Timeline& timeline) const;

    /** \return ratios of the samples; none: there were no samples */
    const std::optional<RatioEstimator>& GetRatios() const
    {
        return m_ratios;
    }

    /** \return true if the length of iterations on fluids is known in this stratum */
    bool Knows(const std::string& stratum) const
    {
        return m_fluid.count(stratum) > 0;
    }

  private:
    struct Fluid
    {
        double iteration;
        double compute;
    };

    double GetRatio(const std::vector<std::string>& strata) const;
    double DrawFactor(const std::vector<std::string>& strata) const;
    double Predict(const Timeline& timeline) const;

    std::optional<RatioEstimator> m_ratios;
    std::optional<uint32_t> m_group; //!< group of windows that is left out; none: no group
    std::optional<uint64_t> m_seed;  //!< seed of random ratios; none: no draws
    mutable uint64_t m_draws{0};     //!< number of draws so far
    std::map<std::string, Fluid> m_fluid;
    std::map<std::string, double> m_iterations;
};

/** \return part of the time that one timeline spends in other situations than the other */
double CompareTimelines(const Timeline& before, const Timeline& after);

/** Values of a metric in the runs that show its error. */
struct MetricReplicates
{
    std::vector<double> sampling{}; //!< values of models that leave out a group each
    std::vector<double> seed{};     //!< values of models with ratios that are drawn at random
};

/**
 * \param full value of the metric with all samples
 * \param replicates at least one value of each kind
 * \param groups number of groups of windows
 * \return halves of 95 % intervals; that of both parts together is at least 0.01 % of the metric
 */
MetricError EstimateError(double full, const MetricReplicates& replicates, uint32_t groups);

/** \return rows of samples.csv. \param model model of all samples. \param firstRun ns-3's run */
std::vector<SampleRow> ListRows(const std::vector<Sample>& samples,
                                const SampledModel& model,
                                uint64_t firstRun);

} // namespace ns3::ddl

#endif // DDL_SAMPLED_MODEL_H
