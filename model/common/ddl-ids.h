// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_IDS_H
#define DDL_IDS_H

#include <cstdint>
#include <functional>
#include <ostream>

namespace ns3::ddl
{

/**
 * A number that names one thing of one kind. Two kinds do not mix: a JobId is never taken for a
 * HostId. Ordered by number, so containers keyed by ids are iterated in the same order in every
 * simulation.
 *
 * \tparam Tag an incomplete type that stands for the kind
 */
template <typename Tag>
struct Id
{
    uint32_t value{0}; //!< the number: a dense index or the user's number, depending on the kind

    bool operator==(Id other) const
    {
        return value == other.value;
    }

    bool operator!=(Id other) const
    {
        return value != other.value;
    }

    bool operator<(Id other) const
    {
        return value < other.value;
    }
};

template <typename Tag>
std::ostream&
operator<<(std::ostream& os, Id<Tag> id)
{
    return os << id.value;
}

using HostId = Id<struct HostTag>;     //!< a machine: dense index from 0 in the fabric
using JobId = Id<struct JobTag>;       //!< a training job: the user's number
using CojobId = Id<struct CojobTag>;   //!< a group of jobs searched together: the user's number
using StreamId = Id<struct StreamTag>; //!< a message stream: dense index from 0 in order of opening

} // namespace ns3::ddl

template <typename Tag>
struct std::hash<ns3::ddl::Id<Tag>>
{
    std::size_t operator()(ns3::ddl::Id<Tag> id) const noexcept
    {
        return std::hash<uint32_t>{}(id.value);
    }
};

#endif // DDL_IDS_H
