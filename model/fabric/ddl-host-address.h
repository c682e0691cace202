// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_HOST_ADDRESS_H
#define DDL_HOST_ADDRESS_H

#include "ns3/ipv4-address.h"

#include <cstdint>

namespace ns3::ddl
{

/** Hosts are numbered through 10.0.0.0/8: host h is 10.0.0.1 + h. The last is the broadcast. */
constexpr uint32_t FIRST_HOST_ADDRESS = 0x0a000001;
constexpr uint32_t MOST_HOSTS = 0x00fffffe; //!< number of addresses that 10.0.0.0/8 has for hosts

/** \return address of a host. \param host index of the host, below MOST_HOSTS */
inline Ipv4Address
HostToAddress(uint32_t host)
{
    return Ipv4Address(FIRST_HOST_ADDRESS + host);
}

/** \return index of the host with that address; MOST_HOSTS or above when no host has it */
inline uint32_t
AddressToHost(Ipv4Address address)
{
    return address.Get() - FIRST_HOST_ADDRESS;
}

} // namespace ns3::ddl

#endif // DDL_HOST_ADDRESS_H
