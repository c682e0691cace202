// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GPU_POOLS_H
#define DDL_GPU_POOLS_H

#include "ns3/ddl-cluster-view.h"
#include "ns3/ddl-ids.h"
#include "ns3/ddl-job-record.h"
#include "ns3/ddl-job-spec.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** The GPUs of a cluster by type: all GPUs of one type are a pool. Pools are numbered from 0, in
 * the order in which machines have them. */
class GpuPools
{
  public:
    using Jobs = std::vector<const JobSpec*>;

    GpuPools() = default;

    /** \param cluster all machines. Where there are no GPUs, there is one empty pool, since jobs
     * that need no GPU may come. */
    explicit GpuPools(const ClusterView& cluster);

    uint32_t CountPools() const
    {
        return static_cast<uint32_t>(m_pools.size());
    }

    /** \return name of the type */
    const std::string& GetName(uint32_t pool) const
    {
        return m_pools[pool].type.name;
    }

    /** \return GPUs of the pool, those of failed machines included */
    uint32_t CountGpus(uint32_t pool) const
    {
        return m_pools[pool].gpus;
    }

    /** \return the pool of a machine's GPUs; none: it has no GPUs */
    std::optional<uint32_t> Find(HostId host) const;

    /**
     * \param jobs one or more jobs
     * \return the speed of iterations of these jobs together by pool, relative to a V100 and
     *         without communication; 0: the user places a rank on a machine of another pool
     */
    std::vector<double> GetSpeeds(const Jobs& jobs) const;

    /** \return the cluster without GPUs of other pools: machines of the pool, and those without
     * GPUs. O(machines) */
    ClusterView GetPart(const ClusterView& cluster, uint32_t pool) const;

  private:
    struct Pool
    {
        GpuType type;
        uint32_t gpus{0};
    };

    std::vector<Pool> m_pools;
    std::map<HostId, uint32_t> m_hosts; //!< pools of machines that have GPUs
};

/** \return the jobs of a group that have not left */
GpuPools::Jobs ListJobsHere(const GroupRecord& group);

/** \return GPUs that jobs need together */
uint32_t CountGpusTogether(const GpuPools::Jobs& jobs);

} // namespace ns3::ddl

#endif // DDL_GPU_POOLS_H
