// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CLUSTER_SIMULATION_H
#define DDL_CLUSTER_SIMULATION_H

#include "ddl-scenario.h"

#include "ns3/ddl-bound-recorder.h"
#include "ns3/ddl-port-pcap.h"
#include "ns3/ddl-run-recorder.h"
#include "ns3/ddl-stall-watch.h"
#include "ns3/ddl-timeline-recorder.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace ddl
{

/**
 * One run of one scenario, from the empty simulator to the rows. This is where the parts of a
 * cluster are put together; C++ scripts fill in a Scenario and need no JSON.
 *
 * One at a time in a process, since ns-3 has one simulator: construct, Run, destroy.
 */
class ClusterSimulation
{
  public:
    /**
     * Build the network, the machines, the agents and the coordinator, and submit the work.
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
     * written are among what is unfinished
     */
    RunResult Run();

    /** End Run soon, or when it begins, as interrupted. May be called from a signal handler. */
    static void Interrupt();

    Ptr<Fabric> GetFabric() const;
    Ptr<Cluster> GetCluster() const;
    Ptr<Transport> GetTransport() const;
    Ptr<Coordinator> GetCoordinator() const;
    Ptr<JobManager> GetJobManager() const;

  private:
    void BuildNetwork();
    void BuildMachines();
    void BuildScheduling();
    void StartBackground();
    ContentionModel FindContentionModel() const;
    void Report(Time interval, double lastWall);
    RunResult Collect(bool interrupted);
    std::string ExplainEnd() const;
    void FinishFiles(RunResult& result);
    void AddTotals(RunResult& result) const;

    Scenario m_scenario; //!< scale applied
    Ptr<Fabric> m_fabric;
    Ptr<Transport> m_transport;
    Ptr<Cluster> m_cluster;
    Ptr<NetworkScheduler> m_scheduler;
    Ptr<CommunicationGate> m_gate;
    Ptr<JobQueuePolicy> m_jobQueue;
    Ptr<PlacementPolicy> m_placement;
    std::vector<Ptr<TaskQueuePolicy>> m_tasks; //!< one a GPU
    Ptr<ControlPlane> m_control;
    Ptr<Coordinator> m_coordinator;
    Ptr<JobManager> m_manager;
    std::map<HostId, Ptr<Agent>> m_agents;
    RunRecorder m_recorder;
    BoundRecorder m_bound;
    std::unique_ptr<TimelineRecorder> m_timeline; //!< null: none is wanted
    std::vector<PortCapture> m_captures;
    StallWatch m_watch;
    std::size_t m_stages{0}; //!< that will run in all
    uint64_t m_reports{0};   //!< calls of m_report
    std::function<void(Time, std::size_t, std::size_t)> m_report;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_CLUSTER_SIMULATION_H
