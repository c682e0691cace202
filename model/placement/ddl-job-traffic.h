// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_TRAFFIC_H
#define DDL_JOB_TRAFFIC_H

#include "ns3/ddl-ids.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3::ddl
{

class Fabric;
struct RunSpec;

/** What a job wants of a link while it sends. */
struct LinkDemand
{
    uint32_t link{0}; //!< number of the link, as in LinkMap
    double share{0};  //!< share of the link's capacity, above 0 and at most 1
};

/**
 * The traffic of a job as CASSINI sees it: in every iteration it sends for a while, at a constant
 * rate on each link, and computes for the rest.
 */
struct JobTraffic
{
    JobId job;
    Time iteration;                //!< length of an iteration without contention
    Time up;                       //!< part of it in which the job sends
    std::vector<LinkDemand> links; //!< demand meanwhile, links ascending
};

/**
 * The links that jobs may share, numbered: 2 h is sending of host h and 2 h + 1 receiving, as in
 * PortLoad. Behind these, with H hosts, 2 (H + r) is all that leaves rack r and 2 (H + r) + 1 all
 * that enters it: the uplinks of a rack count as one link of their total rate.
 */
class LinkMap
{
  public:
    LinkMap() = default;

    /** \param fabric the network, with all its links */
    explicit LinkMap(const Fabric& fabric);

    /** \return rate of a link in bytes per second; 0: the rack has no uplinks */
    double GetRate(uint32_t link) const
    {
        return m_rates.at(link);
    }

    /** \return the number of a host's rack in this map, from 0 */
    uint32_t GetRack(HostId host) const
    {
        return m_racks.at(host.value);
    }

    /** \return number of hosts */
    uint32_t GetHosts() const
    {
        return static_cast<uint32_t>(m_racks.size());
    }

  private:
    std::vector<double> m_rates;   //!< by link
    std::vector<uint32_t> m_racks; //!< by host
};

/** \return the traffic of a run by its plan: the busiest link is busy for all of `up`, and an
 * iteration is that and compute time. O(hosts + channels) */
JobTraffic ForeseeTraffic(const RunSpec& run, const LinkMap& links);

} // namespace ns3::ddl

#endif // DDL_JOB_TRAFFIC_H
