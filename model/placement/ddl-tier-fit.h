// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TIER_FIT_H
#define DDL_TIER_FIT_H

#include "ddl-placement-policy.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::ddl
{

/**
 * Finds where one job fits, tier by tier: on one server, in one rack, anywhere. For policies that
 * know tiers; the view of the cluster is read once, in O(GPUs).
 *
 * In a rack, and anywhere, the job takes as few servers as possible: those with the most room
 * first, of equals the first. If the GPUs of its present or last run are free, in the same tier and
 * on no more servers, it is placed there again. Ranks are numbered by rack, server and GPU.
 */
class TierFit
{
  public:
    /** \param view the view of the cluster and the job, outlives this object */
    explicit TierFit(const PlacementView& view);

    /** \return number of GPUs, free or not, of the largest server */
    uint32_t GetLargestServer() const
    {
        return FindLargest(m_servers);
    }

    /** \return number of GPUs, free or not, of the largest rack */
    uint32_t GetLargestRack() const
    {
        return FindLargest(m_racks);
    }

    uint32_t CountRacks() const
    {
        return m_racks.size();
    }

    uint32_t CountRoom() const;                                //!< \return GPUs with room
    uint32_t CountServersOf(const Placement& placement) const; //!< \return servers with workers
    /** \return the least number of servers that have that many GPUs together, if all were free */
    uint32_t CountServersFor(uint32_t gpus) const;

    /**
     * \param bestFit true: the server with the least room that is enough, of equals the first;
     *        false: the first with enough room
     * \return a placement on one server; none: no server has enough room
     */
    std::optional<Placement> FindServer(bool bestFit) const;
    /** \return a placement in one rack; none: no rack has enough room. \param bestFit true: of the
     * racks in which the job is on the fewest servers that with the least room; false: the first */
    std::optional<Placement> FindRack(bool bestFit) const;
    /** \return a placement on any GPUs; none: there are too few with room */
    std::optional<Placement> FindAny() const;
    /** \return a placement on the GPUs where the job runs, or ran last; none: not all have room */
    std::optional<Placement> FindOwn() const;

  private:
    struct Site
    {
        uint32_t gpus{0};
        uint32_t room{0};
        uint32_t rack{0}; //!< a server's rack: position in m_racks
    };

    using Chosen = std::vector<uint32_t>; //!< positions in m_servers

    static uint32_t FindLargest(const std::vector<Site>& sites);
    Chosen TakeServers(std::optional<uint32_t> rack) const;
    std::optional<Placement> PlaceOn(const Chosen& servers) const;
    std::optional<Placement> PreferOwn(std::optional<Placement> other, Tier tier) const;

    const PlacementView& m_view;
    std::vector<Site> m_servers;      //!< servers, in the order of their first machine
    std::vector<Site> m_racks;        //!< racks, in the order of their first machine
    std::vector<uint32_t> m_serverOf; //!< position in m_servers of each machine of the view
};

} // namespace ns3::ddl

#endif // DDL_TIER_FIT_H
