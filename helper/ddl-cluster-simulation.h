// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CLUSTER_SIMULATION_H
#define DDL_CLUSTER_SIMULATION_H

#include "ddl-scenario.h"

#include "ns3/ddl-run-result.h"
#include "ns3/ddl-training-cluster.h"

#include <functional>
#include <memory>
#include <string>

namespace ns3::ddl
{

/**
 * One run of one scenario, from an empty simulator to its results: builds its topology, puts a
 * training cluster on it (ClusterHelper), submits its work and measures what happens. A C++ script
 * fills in a Scenario and needs no JSON; one that brings a topology of its own starts from
 * ClusterHelper.
 *
 * One at a time in a process, since ns-3 has one simulator: construct, Run, destroy.
 */
class ClusterSimulation
{
  public:
    /**
     * Build everything, and submit the work. RngSeedManager has the scenario's seed until the
     * destructor gives it back the one that it had; a scenario without a seed leaves it alone, so
     * that a script's `--RngSeed` counts. The run number is never changed.
     *
     * \param scenario what to run; its scale is applied here
     * \throws InputError when something in it makes no sense, for the JSON reader's users all of it
     *         was said before
     */
    explicit ClusterSimulation(const Scenario& scenario);

    /** Ends the ns-3 simulator as well. */
    ~ClusterSimulation();
    ClusterSimulation(const ClusterSimulation&) = delete;
    ClusterSimulation& operator=(const ClusterSimulation&) = delete;

    /** Capture each port's packets in FOLDER/NODE-PORT-PEER.pcap; the folder exists. */
    void EnablePcap(const std::string& folder);

    /**
     * Write rows to FOLDER/stages.csv and so on as they come about, see RowFiles; Run completes the
     * files. Its result then has no iterations, remarks and scheduler runs, so that the memory of a
     * run does not grow with its length. The folder exists.
     */
    void EnableRows(const std::string& folder);

    /** Write what ports, jobs and GPUs do over time to a file, see SeriesRecorder; Run completes
     * it. \param interval more than 0 */
    void EnableSeries(const std::string& file, Time interval);

    /** Write who computes and sends when to a file, see TimelineRecorder; Run completes it. */
    void EnableTimeline(const std::string& file);

    /**
     * \param report called now and then during Run, about every 50 ms of wall-clock time, with
     *        simulated time, stages done and stages in all
     */
    void SetReport(std::function<void(Time, std::size_t, std::size_t)> report);

    /**
     * Run until all jobs have left, the scenario's stop time, or Stop.
     *
     * \return rows and totals; status tells which of the three it was. Files that cannot be
     * written are among the failures; when one of EnableRows cannot, the run ends soon
     */
    RunResult Run();

    /**
     * Write the standard files of a run: stages.csv, jobs.csv, ports.csv, summary.json and so on,
     * see WriteResults().
     *
     * \param folder is made if there is none
     * \param result of Run
     * \throws RunError when a file cannot be written
     */
    void WriteResults(const std::string& folder, const RunResult& result) const;

    /** End Run soon, or when it begins, as interrupted. May be called from a signal handler. */
    static void Interrupt();

    /** \return what was built, for trace sinks and changes of one's own before Run */
    Ptr<TrainingCluster> GetTrainingCluster() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace ns3::ddl

#endif // DDL_CLUSTER_SIMULATION_H
