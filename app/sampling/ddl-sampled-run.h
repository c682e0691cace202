// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SAMPLED_RUN_H
#define DDL_SAMPLED_RUN_H

#include "ddl-sample.h"
#include "ddl-window-statistics.h"

#include "ns3/ddl-run-result.h"
#include "ns3/ddl-scenario.h"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** What samples show: how long an iteration takes, by job and situation. */
class SampledModel
{
  public:
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

    /** \return true if the model has ratios */
    bool IsKnown() const
    {
        return m_ratios.has_value();
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

    std::optional<RatioEstimator> m_ratios;
    std::optional<uint32_t> m_group; //!< group of windows that is left out; none: no group
    std::optional<uint64_t> m_seed;  //!< seed of random ratios; none: no draws
    mutable uint64_t m_draws{0};     //!< number of draws so far
    std::map<std::string, Fluid> m_fluid;
    std::map<std::string, double> m_iterations;
};

/** How many samples to draw from a timeline. */
struct SampleQuota
{
    uint64_t least{0}; //!< samples drawn even if they take more than the share
    uint64_t most{0};
    double share{0};               //!< most part of the timeline's iterations in samples
    std::optional<double> pilot;   //!< share at which a pilot with enough samples ends
    std::set<std::string> known{}; //!< situations of jobs alone that were sampled before
};

/** How a sampled run runs its parts, each in a process of its own. */
struct SampledOptions
{
    std::filesystem::path folder;    //!< folder of results; samples go to FOLDER/samples
    std::string program{};           //!< build of the program; results of others are not reused
    uint32_t processes{1};           //!< number of processes at the same time
    std::function<bool()> isStopped; //!< gives true after Ctrl-C; may be empty
    std::function<void(std::string)> report{}; //!< told what goes on, repeatedly; may be empty
};

/**
 * A run on fluids that are corrected by what samples on packets show (doc/full-size.md).
 *
 *  1. A timeline: the whole run on fluids. A pilot of samples is drawn from it, and each is run on
 *     packets and on fluids. More windows of the same visits are run on fluids only.
 *  2. The pilot gives a first model, and how many samples the wanted error takes. The other samples
 *     are drawn from a second timeline, in which iterations take as long as this model says. What
 *     that leaves of the budget goes to a few long samples of contending jobs.
 *  3. Timelines with the model of all samples, until the situations no longer change.
 *  4. The errors: for each group of samples a timeline without it (the jackknife), and as many
 *     timelines with ratios drawn at random (SampledModel::DrawOnce).
 *
 * The length of iterations on fluids is known from the first timeline. Situations that it did not
 * have are run on fluids by themselves.
 *
 * Results of samples are kept in FOLDER/samples, and reused when the same run is started again.
 */
class SampledRun
{
  public:
    /** \param scenario a scenario whose fidelity is SAMPLED */
    SampledRun(const Scenario& scenario, SampledOptions options);

    /**
     * Do steps 1 to 3.
     *
     * \return false if they were interrupted
     * \throws RunError when a part fails
     */
    bool Sample();

    /** \return the model that the samples show */
    const SampledModel& GetModel() const
    {
        return m_model;
    }

    /**
     * Do step 4: write samples.csv, and note the error of each metric in the result.
     *
     * \param result result of a run with GetModel()
     * \return false if the step was interrupted
     * \throws RunError when a part fails
     */
    bool AddErrors(RunResult& result);

  private:
    struct Sampled
    {
        uint32_t number{0}; //!< number of the sample in its files' names, from 1
        SamplePlan plan;
        std::vector<SamplePlan> others; //!< further windows of the same visit, on fluids only
        SampleTimes packets;
        SampleTimes fluid;
        std::map<JobId, double> expected; //!< mean iteration on fluids over all windows, seconds

        bool HasMeasured(JobId job) const
        {
            return packets.iteration.count(job) > 0 && fluid.iteration.count(job) > 0;
        }
    };

    struct Timeline
    {
        std::vector<SituationShare> shares;
        std::map<std::string, double> metrics;
        double iterations{0};
    };

    using Task = std::pair<std::string, std::function<int()>>; //!< name of the folder, and work

    bool RunTasks(const std::vector<Task>& tasks, const std::string& what);
    bool RunTimeline(const SampledModel& model, const SampleQuota& quota);
    Timeline ReadTimeline(const std::filesystem::path& folder) const;
    void TakeDrawn(const std::filesystem::path& folder);
    bool MeasureSamples();
    const Sampled* FindFirst(const Sampled& sample) const;
    void CopyFirst(Sampled& sample) const;
    bool MeasureProbes(const std::filesystem::path& folder);
    void UpdateModel();
    std::vector<Window> MakeWindows() const;
    double PredictError() const;
    double CountSampled() const;
    double EstimatePacketsCpu() const;
    double CompareShares(const Timeline& before) const;
    void LimitSamples() const;
    std::vector<SampleRow> ListRows() const;
    void Say(const std::string& what) const;

    std::filesystem::path GetScratch() const;
    std::filesystem::path GetSampleFile(uint32_t number, const std::string& suffix) const;
    std::filesystem::path GetOtherFile(uint32_t number, std::size_t other) const;

    Scenario m_scenario;
    SampledOptions m_options;
    std::vector<Sampled> m_samples;
    std::vector<SituationShare> m_plain; //!< shares of the first timeline, on uncorrected fluids
    std::vector<Sampled> m_probes;       //!< samples of later situations, run on fluids
    SampledModel m_model;
    Timeline m_timeline;  //!< the last timeline
    uint32_t m_rounds{0}; //!< number of timelines so far
    double m_change{0};   //!< part of the time in which the last two timelines differ
};

} // namespace ns3::ddl

#endif // DDL_SAMPLED_RUN_H
