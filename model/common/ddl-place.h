// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PLACE_H
#define DDL_PLACE_H

#include "ddl-ids.h"

#include <ostream>

namespace ns3::ddl
{

/**
 * Where a host of a network is. A host is one network interface; a server (a chassis) may have
 * several of them, and a rack several servers.
 */
struct Place
{
    uint32_t server{0}; //!< number of the server that the host belongs to
    uint32_t rack{0};   //!< number of the rack in which that server stands

    bool operator==(const Place& other) const
    {
        return server == other.server && rack == other.rack;
    }
};

/** The smallest part of a cluster that two hosts have in common. */
enum class Tier
{
    HOST,   //!< both are the same host
    SERVER, //!< they are different hosts of one server
    RACK,   //!< they are in different servers of one rack
    NETWORK //!< they are in different racks
};

/** \return the smallest part that hosts a and b have in common. \param placeOfA, placeOfB their
 * server and rack */
inline Tier
FindTier(HostId a, const Place& placeOfA, HostId b, const Place& placeOfB)
{
    return a == b                               ? Tier::HOST
           : placeOfA.server == placeOfB.server ? Tier::SERVER
           : placeOfA.rack == placeOfB.rack     ? Tier::RACK
                                                : Tier::NETWORK;
}

/** Writes "host", "server", "rack" or "network". */
inline std::ostream&
operator<<(std::ostream& os, Tier tier)
{
    switch (tier)
    {
    case Tier::HOST:
        return os << "host";
    case Tier::SERVER:
        return os << "server";
    case Tier::RACK:
        return os << "rack";
    default:
        return os << "network";
    }
}

} // namespace ns3::ddl

#endif // DDL_PLACE_H
