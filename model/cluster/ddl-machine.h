// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_MACHINE_H
#define DDL_MACHINE_H

#include "ddl-cluster-view.h"
#include "ddl-gpu.h"

#include "ns3/node.h"

#include <map>
#include <optional>
#include <vector>

namespace ns3::ddl
{

/**
 * One machine of a cluster: its GPUs and the jobs that hold them, and the number of parameter
 * servers on it.
 *
 * Invariants: without memory sizes a GPU is held by at most one job; with them, what its jobs take
 * together is no more than it has, and a job that takes all of it (0 bytes) is alone. Breaking them
 * is an error of the caller's and ends the program.
 */
class Machine : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * \param host host index of the machine in the fabric
     * \param node the machine's node
     * \param gpus number of its GPUs; may be 0
     * \param gpuType type of all its GPUs
     * \param gpuMemory bytes of each GPU; 0: one job at a time holds a GPU
     */
    Machine(HostId host,
            Ptr<Node> node,
            uint32_t gpus,
            const GpuType& gpuType,
            uint64_t gpuMemory = 0);

    HostId GetHost() const
    {
        return m_host;
    }

    Ptr<Node> GetNode() const
    {
        return m_node;
    }

    const GpuType& GetGpuType() const
    {
        return m_gpuType;
    }

    uint32_t GetGpuCount() const
    {
        return m_gpus.size();
    }

    Ptr<Gpu> GetGpu(uint32_t index) const;
    MachineView GetView() const;

    /**
     * Give a GPU, or some of its memory, to a job; no effect when the job holds it already.
     *
     * \param memory bytes that the job takes of the GPU; 0: all of it
     */
    void Claim(uint32_t index, JobId job, uint64_t memory = 0);
    /** Take the GPU back from a job; no effect if no job holds it. */
    void Release(uint32_t index, JobId job);
    /** \return the job that holds a GPU; of several, the one with the least number; none: free */
    std::optional<JobId> GetHolder(uint32_t index) const;
    /** \return bytes of a GPU that jobs hold */
    uint64_t GetHeldMemory(uint32_t index) const;

    void AddServer();
    void RemoveServer();

  protected:
    void DoDispose() override;

  private:
    HostId m_host;
    Ptr<Node> m_node;
    GpuType m_gpuType;
    uint64_t m_gpuMemory;
    std::vector<Ptr<Gpu>> m_gpus;
    std::vector<std::map<JobId, uint64_t>> m_holders; //!< jobs of each GPU, and their bytes
    uint32_t m_servers{0};
};

} // namespace ns3::ddl

#endif // DDL_MACHINE_H
