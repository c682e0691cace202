// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_MACHINE_H
#define DDL_MACHINE_H

#include "ddl-cluster-view.h"
#include "ddl-gpu.h"

#include "ns3/node.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace ddl
{

/**
 * One machine of a cluster: its GPUs and who holds them, and how many parameter servers live on it.
 *
 * Invariant: a GPU is held by at most one job. Breaking it is an error of the caller's and ends the
 * program.
 */
class Machine : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * \param host its index in the fabric
     * \param node its node there
     * \param gpus how many; may be 0
     * \param gpuType what they are called ("V100")
     */
    Machine(HostId host, Ptr<Node> node, uint32_t gpus, const std::string& gpuType);
    ~Machine() override;

    HostId GetHost() const;
    Ptr<Node> GetNode() const;
    const std::string& GetGpuType() const;
    uint32_t GetGpuCount() const;
    Ptr<Gpu> GetGpu(uint32_t index) const;
    MachineView GetView() const;

    /** Give a GPU to a job; no effect when the job holds it already. */
    void Claim(uint32_t index, JobId job);
    /** Take it back; no effect when nobody holds it. */
    void Release(uint32_t index, JobId job);
    /** \return the job that holds the GPU */
    std::optional<JobId> GetHolder(uint32_t index) const;

    void AddServer();
    void RemoveServer();

  protected:
    void DoDispose() override;

  private:
    HostId m_host;
    Ptr<Node> m_node;
    std::string m_gpuType;
    std::vector<Ptr<Gpu>> m_gpus;
    std::vector<std::optional<JobId>> m_holders; //!< by GPU
    uint32_t m_servers{0};
};

} // namespace ddl
} // namespace ns3

#endif // DDL_MACHINE_H
