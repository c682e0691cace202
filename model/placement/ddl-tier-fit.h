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
 * Where one job fits, tier by tier: on one server, in one rack, anywhere. For policies that know
 * tiers; a view of the cluster is read once, in O(GPUs).
 *
 * In a rack, and anywhere, the job takes as few servers as can be: those with the most room first,
 * of equals the first. A job that is where it would be as near together as it can be, or was there
 * last and finds its GPUs free, is placed there. Ranks are numbered by rack, server and GPU.
 */
class TierFit
{
  public:
    /** \param view which outlives this object */
    explicit TierFit(const PlacementView& view);

    /** \return GPUs of the server, or the rack, that has most: what fits there at best */
    uint32_t GetLargestServer() const;
    uint32_t GetLargestRack() const;

    uint32_t CountRacks() const
    {
        return m_racks.size();
    }

    uint32_t CountRoom() const;                                //!< GPUs with room
    uint32_t CountServersOf(const Placement& placement) const; //!< that its workers are on
    /** \return the least number of servers that have so many GPUs together, were all free */
    uint32_t CountServersFor(uint32_t gpus) const;

    /**
     * \param bestFit the one with the least room that is enough, of equals the first; false: the
     *        first that has enough
     * \return GPUs of one server; none: no server has room
     */
    std::optional<Placement> FindServer(bool bestFit) const;
    /** \return GPUs of one rack, likewise: of those where the job is on the fewest servers */
    std::optional<Placement> FindRack(bool bestFit) const;
    /** \return GPUs wherever there are some; none: there are too few */
    std::optional<Placement> FindAny() const;
    /** \return where the job ran last, or runs; none: nowhere, or not all of it is free */
    std::optional<Placement> FindOwn() const;

  private:
    struct Site
    {
        uint32_t gpus{0};
        uint32_t room{0};
        uint32_t rack{0}; //!< of a server: position in m_racks
    };

    using Chosen = std::vector<uint32_t>; //!< positions of servers

    Chosen TakeServers(std::optional<uint32_t> rack) const;
    std::optional<Placement> PlaceOn(const Chosen& servers) const;
    std::optional<Placement> PreferOwn(std::optional<Placement> other, Tier tier) const;

    const PlacementView& m_view;
    std::vector<Site> m_servers;      //!< in the order of their first machine
    std::vector<Site> m_racks;        //!< likewise
    std::vector<uint32_t> m_serverOf; //!< by machine of the view: position in m_servers
};

} // namespace ns3::ddl

#endif // DDL_TIER_FIT_H
