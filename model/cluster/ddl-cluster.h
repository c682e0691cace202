// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CLUSTER_H
#define DDL_CLUSTER_H

#include "ddl-cluster-view.h"
#include "ddl-machine.h"

#include "ns3/ddl-fabric.h"

#include <map>
#include <vector>

namespace ns3::ddl
{

/**
 * The machines on which jobs compute, each on a host of the fabric. Host ids need not be dense
 * here: a host that is not added (a bare traffic source) is no machine of the cluster.
 *
 * Its machines know which job holds which GPU; ClusterBook keeps a copy for placement policies.
 */
class Cluster : public Object
{
  public:
    static TypeId GetTypeId();

    /** \param fabric the network with the machines' nodes */
    explicit Cluster(Ptr<Fabric> fabric);

    /**
     * \param host a host of the fabric, not yet a machine
     * \param gpus number of its GPUs; may be 0
     * \param gpuType type of all its GPUs
     * \param gpuMemory bytes of each GPU; 0: one job at a time holds a GPU
     */
    void AddMachine(HostId host, uint32_t gpus, const GpuType& gpuType, uint64_t gpuMemory = 0);

    /** \return the hosts that are machines, in host order */
    std::vector<HostId> GetHosts() const;
    Ptr<Machine> GetMachine(HostId host) const; //!< \pre it exists
    Ptr<Node> GetNode(HostId host) const;       //!< \pre its machine exists
    DataRate GetRate(HostId host) const;        //!< \return rate of its machine's NIC
    /** \return whether what these hosts send each other passes their NICs, see Fabric */
    bool PassesNics(HostId a, HostId b) const;
    /** \return server and rack of a host of the fabric */
    const Place& GetPlace(HostId host) const;
    /** \return the number of the server that each host is part of, in the order given */
    std::vector<uint32_t> ListServers(const std::vector<HostId>& hosts) const;
    /** \return the number of the rack that each host is in, in the order given */
    std::vector<uint32_t> ListRacks(const std::vector<HostId>& hosts) const;
    /** \return the rail of each host, in the order given: its number within its server, by id */
    std::vector<uint32_t> ListRails(const std::vector<HostId>& hosts) const;
    Ptr<Gpu> GetGpu(GpuId id) const; //!< \pre it exists
    uint32_t GetGpuCount() const;

    /** \return the state at this moment. O(GPUs) */
    ClusterView GetView() const;

    /**
     * Give GPUs to a job; those that it holds already stay its own. A GPU without room for the job
     * is an error of the caller's and ends the program.
     *
     * \param memory bytes that the job takes of each GPU; 0: all
     */
    void Claim(const std::vector<GpuId>& gpus, JobId job, uint64_t memory = 0);
    /** Take GPUs back from a job. No effect on free ones; none may be another job's. */
    void Release(const std::vector<GpuId>& gpus, JobId job);

    /** Count a parameter server that is placed on a machine; RemoveServer when it leaves. */
    void AddServer(HostId host);
    void RemoveServer(HostId host);

    /** \return time that all GPUs together have spent on tasks so far */
    Time GetBusyTime() const;

    /** \return sums over all GPUs of how they have spent the time so far */
    GpuTimes GetGpuTimes() const;

  protected:
    void DoDispose() override;

  private:
    Ptr<Fabric> m_fabric;
    std::map<HostId, Ptr<Machine>> m_machines;
};

} // namespace ns3::ddl

#endif // DDL_CLUSTER_H
