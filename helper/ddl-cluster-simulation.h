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
 * fills in a Scenario and needs no JSON; a script with a topology of its own starts from
 * ClusterHelper.
 *
 * A process has one of them at a time, since ns-3 has one simulator: construct, Run, destroy.
 */
class ClusterSimulation
{
  public:
    /**
     * Build everything, and submit the work. Until its destruction, RngSeedManager has the
     * scenario's seed; then it has its former one again. A scenario without a seed leaves it alone,
     * so that a script's `--RngSeed` counts. The run number is never changed.
     *
     * \param scenario scenario to run; its scale is applied here
     * \throws InputError when something in the scenario is wrong. (For scenarios read from JSON,
     *         ReadScenario has reported all of it before.)
     */
    explicit ClusterSimulation(const Scenario& scenario);

    /** Ends the ns-3 simulator as well. */
    ~ClusterSimulation();
    ClusterSimulation(const ClusterSimulation&) = delete;
    ClusterSimulation& operator=(const ClusterSimulation&) = delete;

    /** Capture each port's packets in FOLDER/NODE-PORT-PEER.pcap; the folder must exist. */
    void EnablePcap(const std::string& folder);

    /**
     * Write rows to FOLDER/stages.csv and so on during the run; Run completes the files.
     * The result of Run then has no iterations, remarks and scheduler invocations, so that
     * the memory of a run does not grow with its length. The folder must exist.
     */
    void EnableRows(const std::string& folder);

    /**
     * Write the activity of ports, jobs and GPUs by interval to a file (SeriesRecorder); Run
     * completes it.
     * \param interval length of the intervals, more than 0
     */
    void EnableSeries(const std::string& file, Time interval);

    /** Write tasks of GPUs, messages and runs to a file (TimelineRecorder); Run completes it. */
    void EnableTimeline(const std::string& file);

    /**
     * \param report function to call about every 50 ms of wall-clock time during Run, with
     *        simulated time, number of stages done and number of all stages
     */
    void SetReport(std::function<void(Time, std::size_t, std::size_t)> report);

    /**
     * Run until all jobs have left, the scenario's stop time, or Stop.
     *
     * \return rows and totals; `status` says which of the three ended the run. Files that cannot be
     *         written are among the failures; if a file of EnableRows cannot, the run ends soon
     */
    RunResult Run();

    /**
     * Write the standard files of a run: stages.csv, jobs.csv, ports.csv, summary.json and so on
     * (WriteResults()).
     *
     * \param folder folder of the files; made if there is none
     * \param result result of Run
     * \throws RunError when a file cannot be written
     */
    void WriteResults(const std::string& folder, const RunResult& result) const;

    /**
     * End Run soon (or at its beginning, if called before), with status INTERRUPTED. May be called
     * from a signal handler.
     */
    static void Interrupt();

    /** \return the cluster, for trace sinks and changes before Run */
    Ptr<TrainingCluster> GetTrainingCluster() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace ns3::ddl

#endif // DDL_CLUSTER_SIMULATION_H
