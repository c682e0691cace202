// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SMALL_CLUSTER_H
#define DDL_SMALL_CLUSTER_H

#include "ns3/ddl-scheduler-view.h"

#include <cstdint>
#include <random>
#include <vector>

namespace ns3::ddl
{

/** A job on a ring of hosts. All its flows move the same bytes, at the pace of the slowest. */
struct SmallJob
{
    uint32_t gpus{1};
    double compute{1};   //!< seconds of an iteration
    double sendsFrom{1}; //!< part of the computing after which it sends
    double bytes{1};     //!< bytes of each flow in an iteration
    /** Links of each path of each flow. */
    std::vector<std::vector<std::vector<uint32_t>>> flows;
};

/**
 * A cluster small enough to try all paths and all levels: racks whose switches are joined by two
 * others, and jobs on rings of hosts. A link has a number for each direction.
 */
struct SmallCluster
{
    std::vector<double> rates; //!< bytes per second, by link
    std::vector<SmallJob> jobs;

    /** \return number of flows that have a choice */
    uint32_t CountChoices() const;

    /** \return the view of a network scheduler: a unit per job, flows as here, each on its first
     * path */
    SchedulerView AsView() const;
};

/**
 * Draw a cluster of 2 to 4 racks of 2 to 5 hosts with 8 GPUs and one NIC, and 3 to 5 jobs on 2 to 4
 * hosts, with 4 or 8 GPUs on each. NICs and uplinks have a rate of 1; each switch of a rack has an
 * uplink to each of the two others.
 *
 * \param mostChoices most flows that have a choice of paths
 */
SmallCluster DrawSmallCluster(std::mt19937_64& random, uint32_t mostChoices);

/**
 * GPU utilisation in a fluid model: of the jobs that send, those of a higher level take what they
 * can, and those of one level share links max-min fairly.
 */
class SmallClusterModel
{
  public:
    /** \param cluster outlives this object \param paths the path of each flow of each job */
    SmallClusterModel(const SmallCluster& cluster, const PathChoice& paths);

    /** \return part of the GPU time of all jobs in which they compute. \param levels level of each
     * job, 0 goes first */
    double GetUtilisation(const std::vector<uint32_t>& levels) const;

    /** \return whether two jobs share a link */
    bool Share(uint32_t a, uint32_t b) const;

    /** \return seconds for which an iteration of a job occupies its busiest link alone */
    double GetTransfer(uint32_t job) const;

  private:
    std::vector<double> GetRates(const std::vector<uint32_t>& levels, uint32_t sending) const;

    const SmallCluster& m_cluster;
    std::vector<std::vector<double>> m_flows; //!< number of flows of each job on each link
};

} // namespace ns3::ddl

#endif // DDL_SMALL_CLUSTER_H
