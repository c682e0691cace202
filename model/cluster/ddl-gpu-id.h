// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GPU_ID_H
#define DDL_GPU_ID_H

#include "ns3/ddl-ids.h"

#include <tuple>

namespace ns3::ddl
{

constexpr uint32_t NO_GPU = UINT32_MAX; //!< index that means: on the machine, without a GPU

/** One GPU of one machine. */
struct GpuId
{
    HostId host;       //!< the machine
    uint32_t index{0}; //!< index of the GPU in its machine, from 0; or NO_GPU

    bool operator==(const GpuId& other) const
    {
        return host == other.host && index == other.index;
    }

    bool operator<(const GpuId& other) const
    {
        return std::tie(host, index) < std::tie(other.host, other.index);
    }
};

/** \return a place on a machine, without a GPU */
inline GpuId
OnMachine(HostId host)
{
    return {host, NO_GPU};
}

} // namespace ns3::ddl

#endif // DDL_GPU_ID_H
