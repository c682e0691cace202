// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SERVER_PERMUTATION_H
#define DDL_SERVER_PERMUTATION_H

#include "ddl-placement-policy.h"

#include "ns3/random-variable-stream.h"

#include <map>
#include <vector>

namespace ns3::ddl
{

/**
 * Exchanges servers that are built alike, so that a placement policy which goes by their order
 * makes another choice. Racks that are built alike are exchanged as a whole, and servers within
 * them. What is free, held or failed moves along; numbers of machines, servers and racks stay.
 */
class ServerPermutation
{
  public:
    /** \param cluster the cluster
     * \param draw uniform random numbers */
    ServerPermutation(const ClusterView& cluster, const Ptr<UniformRandomVariable>& draw);

    /** \return the cluster with its servers exchanged. O(GPUs log GPUs) */
    ClusterView Permute(const ClusterView& cluster) const;

    /** \return where that is on the permuted cluster */
    Placement Permute(const Placement& placement) const;

    /** \return where a place on the permuted cluster really is */
    Placement Restore(const Placement& placement) const;

  private:
    std::map<HostId, HostId> m_to;   //!< the machine in whose stead each one is shown
    std::map<HostId, HostId> m_from; //!< the inverse
};

} // namespace ns3::ddl

#endif // DDL_SERVER_PERMUTATION_H
