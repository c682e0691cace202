// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_NETWORK_MAP_H
#define DDL_NETWORK_MAP_H

#include "ns3/ddl-ids.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::ddl
{

/**
 * What the coordinator knows of the network: which links there are, and which paths between two
 * machines over those that are up. A controller learns that from the switches; here it costs no
 * messages.
 *
 * Each direction of a link has a number: first, for each machine h, 2 h for what its NIC sends and
 * 2 h + 1 for what it receives, then those between switches.
 */
class NetworkMap
{
  public:
    /** The paths from one machine to another. */
    struct Ways
    {
        /** Links of each path, by number; at least one path, and each has links. */
        std::shared_ptr<const std::vector<std::vector<uint32_t>>> links;
        /** A flow label for each path; empty: streams cannot be pinned, and the only path is that
         * through the NICs of both ends. */
        std::vector<uint32_t> labels;
    };

    virtual ~NetworkMap() = default;

    /** Look which links are up. What FindWays has returned before may be gone. */
    virtual void Update() = 0;

    /** \return bytes per second of each link, by number */
    virtual const std::vector<double>& GetRates() const = 0;

    /** \return whether what machines send each other passes their NICs */
    virtual bool UsesLinks(HostId source, HostId destination) const = 0;

    /** \return the paths between two machines for which UsesLinks */
    virtual const Ways& FindWays(HostId source, HostId destination) = 0;

    /** \return index of the path, of FindWays, that a stream with that label takes now; none: one
     * that FindWays does not list */
    virtual std::optional<uint32_t> FindWay(HostId source, HostId destination, uint32_t label) = 0;
};

} // namespace ns3::ddl

#endif // DDL_NETWORK_MAP_H
