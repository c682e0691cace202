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
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** What samples show: how long an iteration takes, by job and situation. */
class SampledModel
{
  public:
    /** \param ratios of packet time to fluid time, by stratum, computing taken off */
    void SetRatios(const RatioEstimator& ratios);

    /**
     * \param stratum a job in a situation
     * \param iteration seconds that one takes on fluids \param compute of these it computes
     */
    void SetFluid(const std::string& stratum, double iteration, double compute);

    /** \return the same, with the ratios stretched as they are without a group of windows */
    SampledModel LeaveOut(uint32_t group) const;

    /**
     * \return the same, with ratios as they may come out in one run on packets: each time a job
     *         enters a situation, its ratio is drawn with the spread of the windows that saw it
     *         there. Of pooled strata it is the same for the job whenever it is among as many
     *         others, as it is the job that may differ from the pool
     * \param seed of the draws
     */
    SampledModel DrawOnce(uint64_t seed) const;

    /**
     * \param strata of a job in a situation
     * \return compute + ratio x (iteration on fluids - compute), and the ratio as pace; without
     *         ratios nothing is wanted
     */
    JobPace Get(const std::vector<std::string>& strata) const;

    /** \return whether it has ratios */
    bool IsKnown() const
    {
        return m_ratios.has_value();
    }

    /** \return whether the fluid's iterations are known of such a job */
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
};

/** How many samples to draw from a timeline. */
struct SampleQuota
{
    uint64_t least{0};
    uint64_t most{0};
    double share{0}; //!< of all its iterations, that they may take beyond the least number
    std::optional<double> pilot; //!< likewise, at which those are enough that a pilot needs
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
 *     packets and on fluids.
 *  2. What the pilot shows, and how many samples it takes. A timeline in which iterations take as
 *     long as the pilot says, from which the other samples are drawn.
 *  3. Timelines with what all samples show, until the situations no longer change.
 *  4. A timeline for each group of samples, without it: the jackknife.
 *
 * What iterations take on fluids is known from the first timeline; situations that it did not have
 * are run on fluids by themselves.
 *
 * Results of samples are kept in FOLDER/samples, and taken from there when the same run is begun
 * again.
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
        SampleTimes packets;
        SampleTimes fluid;
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
    bool MeasureProbes(const std::filesystem::path& folder);
    void UpdateModel();
    std::vector<Window> MakeWindows() const;
    double PredictError() const;
    double CountSampled() const;
    double CompareShares(const Timeline& before) const;
    void LimitSamples() const;
    std::string FormatSamples() const;
    void Say(const std::string& what) const;

    std::filesystem::path GetScratch() const;
    std::filesystem::path GetSampleFile(uint32_t number, const std::string& suffix) const;

    Scenario m_scenario;
    SampledOptions m_options;
    std::string m_program; //!< what tells it from others
    std::vector<Sampled> m_samples;
    std::vector<SituationShare> m_plain; //!< of the first timeline, on fluids as they are
    std::vector<Sampled> m_probes;       //!< situations that it did not have, on fluids
    SampledModel m_model;
    Timeline m_timeline;  //!< the last one
    uint32_t m_rounds{0}; //!< timelines so far
    double m_change{0};   //!< share of time in which situations differ in the last two
};

} // namespace ns3::ddl

#endif // DDL_SAMPLED_RUN_H
