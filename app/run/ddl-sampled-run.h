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
    /** \param ratios of packet time to fluid time by stratum, both without the time of computing */
    void SetRatios(const RatioEstimator& ratios);

    /**
     * \param stratum a job in a situation
     * \param iteration its length on fluids, seconds
     * \param compute seconds of it that the slowest worker computes
     */
    void SetFluid(const std::string& stratum, double iteration, double compute);

    /** \param stratum of a job \param iterations that a factor stands for, see DrawOnce() */
    void SetIterations(const std::string& stratum, double iterations);

    /** \return a replicate: with the ratios without a group of windows, see StretchRatio() */
    SampledModel LeaveOut(uint32_t group) const;

    /**
     * \return a replicate that stands for one run on packets. Each time a job enters a situation,
     *         its ratio is multiplied by a random factor. The variance of its logarithm is that of
     *         the windows that saw it there, less what averages out over the iterations that the
     *         job does (SetIterations()). In a pooled stratum, a job keeps its factor for
     *         situations with about as many jobs: there the spread is one between jobs
     * \param seed of the draws
     */
    SampledModel DrawOnce(uint64_t seed) const;

    /**
     * \param strata of a job in a situation
     * \return the wanted length compute + ratio x (iteration on fluids - compute), if the latter is
     *         known, and the ratio as pace; pace 1 and no wanted length without ratios
     */
    JobPace Get(const std::vector<std::string>& strata) const;

    /** \return whether it has ratios */
    bool IsKnown() const
    {
        return m_ratios.has_value();
    }

    /** \return whether the length of iterations on fluids is known in this stratum */
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
    std::optional<uint32_t> m_group; //!< left out
    std::optional<uint64_t> m_seed;  //!< of ratios that are drawn
    mutable uint64_t m_draws{0};     //!< so far
    std::map<std::string, Fluid> m_fluid;
    std::map<std::string, double> m_iterations;
};

/** How many samples to draw from a timeline. */
struct SampleQuota
{
    uint64_t least{0}; //!< drawn even if they take more than the share
    uint64_t most{0};
    double share{0};               //!< of the timeline's iterations that the samples may take
    std::optional<double> pilot;   //!< share at which a pilot ends, once it has enough samples
    std::set<std::string> known{}; //!< situations of jobs alone that need not be sampled again
};

/** How a sampled run runs its parts, each in a process of its own. */
struct SampledOptions
{
    std::filesystem::path folder;              //!< of results; samples go to FOLDER/samples
    uint32_t processes{1};                     //!< at the same time
    std::function<bool()> isStopped;           //!< true after Ctrl-C; may be empty
    std::function<void(std::string)> report{}; //!< what it is doing, now and then; may be empty
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
    /** \param scenario whose fidelity is SAMPLED */
    SampledRun(const Scenario& scenario, SampledOptions options);

    /**
     * Steps 1 to 3.
     *
     * \return false if it was interrupted
     * \throws RunError when a part fails
     */
    bool Sample();

    /** \return what was found */
    const SampledModel& GetModel() const
    {
        return m_model;
    }

    /**
     * Step 4: write samples.csv, and note in the result how far each metric may be off.
     *
     * \param result of a run with GetModel()
     * \return false if it was interrupted
     * \throws RunError when a part fails
     */
    bool AddErrors(RunResult& result);

  private:
    struct Sampled
    {
        uint32_t number{0}; //!< from 1, as its files are called
        SamplePlan plan;
        std::vector<SamplePlan> others; //!< of the same visit, on fluids only
        SampleTimes packets;
        SampleTimes fluid;
        std::map<JobId, double> expected; //!< mean iteration on fluids, also in the others; seconds

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

    using Task = std::pair<std::string, std::function<int()>>; //!< name of its folder, and work

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
    std::string FormatSamples() const;
    void Say(const std::string& what) const;

    std::filesystem::path GetScratch() const;
    std::filesystem::path GetSampleFile(uint32_t number, const std::string& suffix) const;
    std::filesystem::path GetOtherFile(uint32_t number, std::size_t other) const;

    Scenario m_scenario;
    SampledOptions m_options;
    std::string m_program; //!< identity of the running program
    std::vector<Sampled> m_samples;
    std::vector<SituationShare> m_plain; //!< of the first timeline, on uncorrected fluids
    std::vector<Sampled> m_probes;       //!< situations that it did not have, run on fluids
    SampledModel m_model;
    Timeline m_timeline;  //!< the last one
    uint32_t m_rounds{0}; //!< timelines so far
    double m_change{0};   //!< share of time in which situations differ in the last two
};

} // namespace ns3::ddl

#endif // DDL_SAMPLED_RUN_H
