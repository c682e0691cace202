// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CLUSTER_HELPER_H
#define DDL_CLUSTER_HELPER_H

#include "ddl-scenario.h"

#include "ns3/ddl-training-cluster.h"

#include <map>
#include <optional>
#include <string>

namespace ns3::ddl
{

/**
 * Makes a training cluster on a fabric that a script has built: GPUs on the hosts, a transport, and
 * the scheduling policies.
 *
 *     ClusterHelper helper;
 *     helper.SetTransport("ns3::ddl::RdmaTransport", "Timeout", TimeValue(MilliSeconds(1)));
 *     helper.SetNetworkScheduler("grouper");
 *     Ptr<TrainingCluster> cluster = helper.Install(fabric);
 *     cluster->Submit(job, {100}, Seconds(0));
 *     Simulator::Run();
 *
 * Each setter below takes a TypeId's name, or the short name that scenarios use, and then names and
 * values of attributes, all of which replace what was set before. All throw an InputError that
 * lists what there is when no such policy or attribute exists, and one that says what is allowed
 * when a value is not.
 *
 * At first: tcp, fair-share, no gate, fifo for jobs and tasks, first-fit, in-band control; 4 GPUs
 * on each host, the coordinator on host 0. Defaults that Config::SetDefault changed before count,
 * those of Coordinator::Period and Agent::ControlAcks, too.
 */
class ClusterHelper
{
  public:
    ClusterHelper();
    /** \param transport of a Transport \param scheduling as in a scenario */
    ClusterHelper(const ObjectFactory& transport, const SchedulingSpec& scheduling);

    template <typename... Ts>
    void SetTransport(const std::string& type, Ts&&... attributes)
    {
        Choose(m_transport, "ns3::ddl::Transport", type, std::forward<Ts>(attributes)...);
    }

    template <typename... Ts>
    void SetNetworkScheduler(const std::string& type, Ts&&... attributes)
    {
        Choose(m_scheduling.network,
               "ns3::ddl::NetworkScheduler",
               type,
               std::forward<Ts>(attributes)...);
    }

    template <typename... Ts>
    void SetGate(const std::string& type, Ts&&... attributes)
    {
        Choose(m_scheduling.gate,
               "ns3::ddl::CommunicationGate",
               type,
               std::forward<Ts>(attributes)...);
    }

    template <typename... Ts>
    void SetJobQueue(const std::string& type, Ts&&... attributes)
    {
        Choose(m_scheduling.jobs,
               "ns3::ddl::JobQueuePolicy",
               type,
               std::forward<Ts>(attributes)...);
    }

    template <typename... Ts>
    void SetPlacement(const std::string& type, Ts&&... attributes)
    {
        Choose(m_scheduling.placement,
               "ns3::ddl::PlacementPolicy",
               type,
               std::forward<Ts>(attributes)...);
    }

    template <typename... Ts>
    void SetRounds(const std::string& type, Ts&&... attributes)
    {
        Choose(m_scheduling.rounds,
               "ns3::ddl::RoundScheduler",
               type,
               std::forward<Ts>(attributes)...);
    }

    template <typename... Ts>
    void SetEstimator(const std::string& type, Ts&&... attributes)
    {
        Choose(m_scheduling.estimator,
               "ns3::ddl::Estimator",
               type,
               std::forward<Ts>(attributes)...);
    }

    template <typename... Ts>
    void SetTaskQueue(const std::string& type, Ts&&... attributes)
    {
        Choose(m_scheduling.tasks,
               "ns3::ddl::TaskQueuePolicy",
               type,
               std::forward<Ts>(attributes)...);
    }

    template <typename... Ts>
    void SetControlPlane(const std::string& type, Ts&&... attributes)
    {
        Choose(m_scheduling.control,
               "ns3::ddl::ControlPlane",
               type,
               std::forward<Ts>(attributes)...);
    }

    /** Iterations that would come out as those before are not simulated; see Leaps. */
    void SetLeaps(const LeapSpec& leap)
    {
        m_leap = leap;
    }

    /** \param gpus of every host that the other SetGpus does not name; may be 0 */
    void SetGpus(uint32_t gpus, const GpuType& type = GpuType());
    void SetGpus(HostId host, uint32_t gpus, const GpuType& type = GpuType());
    /** \param bytes of each GPU; 0, as at first: one job at a time holds a GPU */
    void SetGpuMemory(uint64_t bytes);
    /** \param host where the coordinator runs */
    void SetCoordinator(HostId host);
    /** \param period of a network scheduler that runs by the clock; Coordinator::Period at first */
    void SetPeriod(Time period);
    /** \param isControl true: acknowledgements go in queue 0, not by their job's priority */
    void SetControlAcks(bool isControl);

    /**
     * \param fabric with its routes (ComputeRoutes) and IP stacks (InstallStack), not yet in use by
     *        a cluster
     * \return the cluster; one at a time in a simulator (EndOfInstant says why). Simulator::Destroy
     *         disposes it, and the fabric with it
     * \throws InputError when the fabric is not ready, lacks a host that was named here, or a
     *         policy refuses its attributes
     */
    Ptr<TrainingCluster> Install(Ptr<Fabric> fabric) const;

  private:
    /** \param family TypeId's name of the family \param type of the policy */
    static void Choose(ObjectFactory& factory, const char* family, const std::string& type);

    template <typename... Ts>
    static void Choose(ObjectFactory& factory,
                       const char* family,
                       const std::string& type,
                       Ts&&... attributes)
    {
        Choose(factory, family, type);
        SetAttributes(factory, std::forward<Ts>(attributes)...);
    }

    static void SetAttributes(ObjectFactory&)
    {
    }

    template <typename... Ts>
    static void SetAttributes(ObjectFactory& factory,
                              const std::string& name,
                              const AttributeValue& value,
                              Ts&&... more)
    {
        SetAttribute(factory, name, value);
        SetAttributes(factory, std::forward<Ts>(more)...);
    }

    static void SetAttribute(ObjectFactory& factory,
                             const std::string& name,
                             const AttributeValue& value);

    void Check(Ptr<Fabric> fabric) const;
    void AddMachines(TrainingClusterParts& parts) const;
    void AddControl(TrainingClusterParts& parts) const;
    void AddJobManager(TrainingClusterParts& parts) const;

    ObjectFactory m_transport;
    SchedulingSpec m_scheduling;
    std::optional<LeapSpec> m_leap;
    MachineGroup m_machine;                    //!< what a host has that is not below
    std::map<HostId, MachineGroup> m_machines; //!< hosts that differ
    uint64_t m_gpuMemory{0};
};

} // namespace ns3::ddl

#endif // DDL_CLUSTER_HELPER_H
