// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TRAINING_CLUSTER_H
#define DDL_TRAINING_CLUSTER_H

#include "ns3/ddl-job-spec.h"
#include "ns3/object.h"

#include <set>
#include <vector>

namespace ns3::ddl
{

class Agent;
class Cluster;
class CommunicationGate;
class ControlPlane;
class Coordinator;
class Fabric;
class Estimator;
class JobManager;
class JobObserver;
class JobQueuePolicy;
class Leaps;
class Machine;
class NetworkScheduler;
class PlacementPolicy;
class RoundScheduler;
class TaskQueuePolicy;
class Transport;

/** The parts of a training cluster; none is null but for `leaps`. */
struct TrainingClusterParts
{
    TrainingClusterParts();
    TrainingClusterParts(const TrainingClusterParts& other);
    TrainingClusterParts& operator=(const TrainingClusterParts& other);
    ~TrainingClusterParts();

    Ptr<Fabric> fabric;                           //!< the network, with routes and IP stacks
    Ptr<Transport> transport;                     //!< installed on the fabric
    Ptr<Cluster> machines;                        //!< the machines, with their GPUs
    std::vector<Ptr<TaskQueuePolicy>> taskQueues; //!< one per GPU
    Ptr<ControlPlane> control;
    std::vector<Ptr<Agent>> agents; //!< one per machine, in host order
    Ptr<NetworkScheduler> scheduler;
    Ptr<CommunicationGate> gate;
    Ptr<Coordinator> coordinator;
    Ptr<JobQueuePolicy> jobQueue;
    Ptr<PlacementPolicy> placement;
    Ptr<RoundScheduler> rounds; //!< for jobs that consist of tasks
    Ptr<Estimator> estimator;
    Ptr<JobManager> jobManager;
    Ptr<JobObserver> observer;
    Ptr<Leaps> leaps; //!< null: every iteration is simulated
};

/**
 * A cluster that is ready to train: machines on a fabric, a transport, and the control side.
 * ClusterHelper makes it; a script submits jobs, connects trace sinks and runs the simulator.
 *
 * Configuration paths begin with `/TrainingCluster`:
 *
 *     /TrainingCluster/JobManager/CojobArrival
 *     /TrainingCluster/JobObserver/JobEnd
 *     /TrainingCluster/Coordinator/Schedule
 *     /TrainingCluster/Agents/HOST/Remark
 *     /TrainingCluster/Machines/HOST/Gpus/INDEX/TaskStart
 *     /TrainingCluster/Transport, /TrainingCluster/Fabric
 *
 * HOST counts the machines in host order. Ports are found below `/NodeList`, as all devices are.
 *
 * Simulator::Destroy disposes it with all its parts.
 */
class TrainingCluster : public Object
{
  public:
    static TypeId GetTypeId();

    explicit TrainingCluster(const TrainingClusterParts& parts);
    ~TrainingCluster() override;

    /**
     * Submit a plain job, before the run or during it.
     *
     * \param job to run. Without a number it gets the next one; without a pattern it is a
     *        parameter-server job if it has servers, and a ring otherwise
     * \param iterations of each of its stages
     * \param arrival simulated time, not in the past
     * \return its number
     * \throws InputError with all that is wrong: no worker, a number given twice, a pattern that
     *         cannot serve the job, or no room for it on the empty cluster
     */
    JobId Submit(const JobSpec& job, const std::vector<uint64_t>& iterations, Time arrival);

    /**
     * Submit jobs that are searched together; otherwise as above.
     *
     * \param cojob its `submit` is not looked at; without a search, all jobs run all stages. Its
     *        number must differ from those of plain jobs, too
     * \return its number
     */
    CojobId Submit(const CojobSpec& cojob, Time arrival);

    const TrainingClusterParts& GetParts() const
    {
        return m_parts;
    }

    Ptr<Fabric> GetFabric() const;
    Ptr<Transport> GetTransport() const;
    Ptr<Cluster> GetMachines() const;
    Ptr<Coordinator> GetCoordinator() const;
    Ptr<JobManager> GetJobManager() const;
    Ptr<JobObserver> GetJobObserver() const;

    uint32_t GetMachineCount() const
    {
        return m_parts.agents.size();
    }

    Ptr<Machine> GetMachine(uint32_t index) const; //!< \param index in host order
    Ptr<Agent> GetAgent(uint32_t index) const;     //!< \param index in host order

  protected:
    void DoDispose() override;

  private:
    Ptr<TrainingCluster> GetSelf() const
    {
        return Ptr<TrainingCluster>(const_cast<TrainingCluster*>(this));
    }

    CojobId Take(CojobSpec group, Time arrival);

    TrainingClusterParts m_parts;
    uint32_t m_lastJob{0};      //!< the greatest number of a job
    std::set<CojobId> m_groups; //!< numbers of cojobs and of plain jobs as groups
};

} // namespace ns3::ddl

#endif // DDL_TRAINING_CLUSTER_H
