// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SAMPLED_RUN_H
#define DDL_SAMPLED_RUN_H

#include "app/process/ddl-process-pool.h"
#include "ddl-sample-planner.h"
#include "ddl-sample-store.h"
#include "ddl-sampled-model.h"

#include "ns3/ddl-run-result.h"
#include "ns3/ddl-scenario.h"

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** How a sampled run runs its parts. */
struct SampledOptions : PieceOptions
{
    std::filesystem::path folder; //!< folder of results; samples go to FOLDER/samples
    std::string program{};        //!< build of the program (SampleStore)
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
 * What to do next is said by PlanRound() and PlanDraws(), what samples show by SampledModel.
 * Results of samples are kept by SampleStore, and reused when the same run is started again.
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
    bool RunRounds();

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
    using Task = std::pair<std::string, std::function<void()>>; //!< name of a process, and its work

    bool RunTasks(const std::vector<Task>& tasks, const std::string& what);
    bool RunTimeline(const SampleQuota& quota);
    bool MeasureSamples(double error);
    bool MeasureProbes(std::vector<Sample> probes, const std::string& timeline);

    Scenario m_scenario;
    SampledOptions m_options;
    SampleStore m_store;
    SamplingRecord m_record;
    SampledModel m_model;
};

} // namespace ns3::ddl

#endif // DDL_SAMPLED_RUN_H
