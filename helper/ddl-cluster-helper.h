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
 * Each setter below takes the name of a TypeId, or the short name that scenarios use, and then
 * names and values of attributes. Each call replaces all that was set for that family before. For
 * an unknown policy or attribute they throw an InputError that lists the existing ones; for a wrong
 * value, one that says which values are allowed.
 *
 * Defaults: tcp, fair-share, no gate, fifo for jobs and tasks, first-fit, in-band control; 4 GPUs
 * on each host, the coordinator on host 0. Earlier calls of Config::SetDefault count, also for
 * Coordinator::Period, Coordinator::CommonPriorities and Agent::ControlAcks.
 */
class ClusterHelper
{
  public:
    ClusterHelper();
    /**
     * \param transport factory of a Transport
     * \param scheduling scheduling policies, as in a scenario
     */
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

    /** Count iterations that repeat instead of simulating them (Leaps). */
    void SetLeaps(const LeapSpec& leap)
    {
        m_leap = leap;
    }

    /** \param gpus number of GPUs of each host that the other SetGpus does not set; may be 0 */
    void SetGpus(uint32_t gpus, const GpuType& type = GpuType());
    void SetGpus(HostId host, uint32_t gpus, const GpuType& type = GpuType());
    /** \param bytes memory of each GPU, bytes; 0 (default): one job at a time holds a GPU */
    void SetGpuMemory(uint64_t bytes);
    /** \param bytes memory of each GPU of that host, instead; 0 for all machines or for none */
    void SetGpuMemory(HostId host, uint64_t bytes);
    void SetCoordinator(HostId host);
    /** \param period interval of network schedulers with trigger PERIOD; default: Coordinator's */
    void SetPeriod(Time period);
    /**
     * \param isControl true: acknowledgements use queue 0; false: the queue of their job's priority
     */
    void SetControlAcks(bool isControl);
    /**
     * \param isCommon true: a unit has one priority at all its machines; false: one per chassis
     */
    void SetCommonPriorities(bool isCommon);

    /**
     * \param fabric fabric with routes (ComputeRoutes) and IP stacks (InstallStack), and without a
     *        cluster
     * \return the cluster; one at a time in a simulator (EndOfInstant says why). Simulator::Destroy
     *         disposes of it, and of the fabric
     * \throws InputError when the fabric is not ready, lacks a host that was named here, or a
     *         policy refuses its attributes
     */
    Ptr<TrainingCluster> Install(Ptr<Fabric> fabric) const;

  private:
    /** \param family TypeId name of the family. \param type TypeId or short name of the policy */
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
    MachineGroup m_machine;                    //!< GPUs of hosts that are not in m_machines
    std::map<HostId, MachineGroup> m_machines; //!< GPUs of hosts that SetGpus names
    uint64_t m_gpuMemory{0};
    std::map<HostId, uint64_t> m_gpuMemories; //!< of hosts that SetGpuMemory names
};

} // namespace ns3::ddl

#endif // DDL_CLUSTER_HELPER_H
