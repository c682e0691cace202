// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COLLECTIVE_LAYOUT_H
#define DDL_COLLECTIVE_LAYOUT_H

#include "ddl-communication-pattern.h"
#include "ddl-plan-builder.h"

#include <cstdint>
#include <vector>

namespace ns3::ddl
{

/**
 * Where the ranks of a group are, whatever their order: the group's servers, rack by rack, and the
 * ranks of each server, rail by rail. Racks, and servers of a rack, come in the order of their
 * first rank.
 */
class CollectiveLayout
{
  public:
    /** \param view the ranks, which are all workers, and their places */
    explicit CollectiveLayout(const PatternView& view);

    /** \return the ranks of each server */
    const std::vector<Ring>& GetServers() const
    {
        return m_servers;
    }

    /** \return whether all servers have the same number of ranks */
    bool IsEven() const;

    /** \return most ranks on a server */
    uint32_t GetMostRanks() const;

    /** \return the least number of different rails of the ranks of a server */
    uint32_t CountRails() const;

    /** \return rail of a rank */
    uint32_t GetRail(uint32_t rank) const
    {
        return m_rails.empty() ? 0 : m_rails[rank];
    }

    /** \return index of a rank's server */
    uint32_t GetServer(uint32_t rank) const
    {
        return m_serverOf[rank];
    }

    /**
     * List the ranks in the order of a ring that visits the ranks of a server one after the other.
     *
     * Where servers have ranks on the same R rails, the ring of channel c leaves every server on
     * another rail than those of other channels, and stays on that rail to the next server. So a
     * ring that has left a server by rail c enters the next one by c and has to leave it by another
     * rail: servers are left by rails c and c + R / 2 in turn (modulo R), and the last one of an
     * odd number by a third. Two rails are too few for an odd number of servers, in which a ring
     * changes its rail once. Elsewhere (unequal servers, ranks that share a rail) rings keep to a
     * rail where they can.
     *
     * Within a server, ranks come in the order of rails r, r + 1, r - 1, r + 2, ..., which ends at
     * r + R / 2 for an even R. So each GPU sends to another GPU in each channel (the rows of a
     * row-complete Latin square, Williams 1949).
     *
     * \param channel number of the channel
     * \return all ranks
     */
    Ring ListRing(uint32_t channel) const;

    /** \return rings within servers (and within racks), then between them; see ddl::ListTiers */
    std::vector<std::vector<Ring>> ListTiers(bool racks) const;

  private:
    std::vector<uint32_t> m_machines; //!< number of each rank's server, by rank
    std::vector<uint32_t> m_racks;    //!< number of each rank's rack, by rank; or empty
    std::vector<uint32_t> m_rails;    //!< rail of each rank; or empty
    std::vector<Ring> m_servers;
    std::vector<uint32_t> m_serverOf;
};

} // namespace ns3::ddl

#endif // DDL_COLLECTIVE_LAYOUT_H
