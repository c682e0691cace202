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

/** The paces of fluid streams, as samples show them. */
class SampledPaces
{
  public:
    /** Multiply all paces by the ratios of an estimator, which is the latest from now on. */
    void Add(const RatioEstimator& estimator);

    /** \return these paces, with the latest ratios stretched as they are without a group */
    SampledPaces Replicate(uint32_t group) const;

    /** \return pace of a job's streams; 1 where nothing is known */
    double Get(const std::vector<std::string>& strata) const;

  private:
    std::vector<RatioEstimator> m_steps;
    std::optional<uint32_t> m_group; //!< left out
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
 *  2. The pilot's paces, and how many samples it takes. A timeline with these paces, from which the
 *     other samples are drawn.
 *  3. The paces from all samples: of a job in a situation, sum of packet time / sum of fluid time,
 *     computing left out. Samples are run again on fluids with these paces, twice, and what still
 *     differs corrects the paces.
 *  4. Timelines with these paces, until the situations no longer change.
 *  5. A timeline for each group of samples, without it: the jackknife.
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
     * Steps 1 to 4.
     *
     * \return false if it was interrupted
     * \throws RunError when a part fails
     */
    bool Sample();

    /** \return paces that were found */
    const SampledPaces& GetPaces() const
    {
        return m_paces;
    }

    /**
     * Step 5: write samples.csv, and note in the result how far each metric may be off.
     *
     * \param result of a run with GetPaces()
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
        SampleTimes paced; //!< on fluids with the paces so far
    };

    struct Timeline
    {
        std::vector<SituationShare> shares;
        std::map<std::string, double> metrics;
        double iterations{0};
    };

    using Task = std::pair<std::string, std::function<int()>>; //!< name of its folder, and work

    bool RunTasks(const std::vector<Task>& tasks, const std::string& what);
    bool RunTimeline(const SampledPaces& paces, const SampleQuota& quota);
    Timeline ReadTimeline(const std::filesystem::path& folder) const;
    void TakeDrawn(const std::filesystem::path& folder);
    bool MeasureSamples();
    bool Calibrate();
    std::vector<Window> MakeWindows(SampleTimes Sampled::*fluid) const;
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
    SampledPaces m_paces;
    SampledPaces m_timelinePaces; //!< of the last timeline
    Timeline m_timeline;          //!< the last one
    uint32_t m_rounds{0};         //!< timelines so far
    double m_change{0};           //!< share of time in which situations differ in the last two
};

} // namespace ns3::ddl

#endif // DDL_SAMPLED_RUN_H
