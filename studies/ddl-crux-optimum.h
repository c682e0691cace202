// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CRUX_OPTIMUM_H
#define DDL_CRUX_OPTIMUM_H

#include "ddl-small-cluster.h"

#include "ns3/ddl-network-scheduler.h"

#include <optional>
#include <vector>

namespace ns3::ddl
{

/** GPU utilisation of a small cluster: the best that there is, and what Crux's parts make of it. */
struct CruxQuality
{
    double best{0};        //!< of all paths and all levels
    double paths{0};       //!< Crux's paths, the best levels
    double priorities{0};  //!< Crux's priorities, the best paths and compression
    double levels{0};      //!< Crux's compression, the best paths and priorities
    double whole{0};       //!< all of Crux
    double uncorrected{0}; //!< the same with priorities by intensity alone
    double pathsOnly{0};   //!< Crux's paths, one level
    double unordered{0};   //!< one level, each flow on its first path
};

/**
 * Tries all paths and all levels of a cluster. O(2^choices x levels^jobs) utilisations, and as many
 * compressions as there are orders of the jobs, for each of these paths.
 */
class CruxOptimum
{
  public:
    /** \param cluster outlives this object \param levels number of levels, at least 1 */
    CruxOptimum(const SmallCluster& cluster, uint32_t levels);

    CruxQuality Rate();

  private:
    using Levels = std::vector<uint32_t>;

    double GetUtilisation(const SmallClusterModel& model, const Levels& levels);
    UnitOrder Order(const PathChoice& paths, uint32_t levels, bool corrects = true) const;
    double FindBest(const SmallClusterModel& model, const std::optional<Levels>& order);
    double FindBestCompressed(const SmallClusterModel& model);
    bool NextPaths(PathChoice& paths) const;

    const SmallCluster& m_cluster;
    uint32_t m_levels;
    std::vector<std::optional<double>> m_known; //!< utilisations on the present paths, by levels
};

} // namespace ns3::ddl

#endif // DDL_CRUX_OPTIMUM_H
