// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SPLIT_BYTES_H
#define DDL_SPLIT_BYTES_H

#include <cstdint>

namespace ns3
{
namespace ddl
{

/**
 * Size of one part when bytes are divided as evenly as can be: the first `bytes % parts` parts get
 * one byte more, so the parts add up exactly.
 *
 * \param bytes to divide
 * \param parts at least 1
 * \param index of the part, from 0
 * \return bytes of that part; 0 when there are more parts than bytes
 */
constexpr uint64_t
SplitBytes(uint64_t bytes, uint32_t parts, uint32_t index)
{
    return bytes / parts + (index < bytes % parts ? 1 : 0);
}

/**
 * \param bytes, parts as in SplitBytes
 * \param index of the part, from 0 to `parts`
 * \return bytes in the parts before it
 */
constexpr uint64_t
SplitOffset(uint64_t bytes, uint32_t parts, uint32_t index)
{
    return bytes / parts * index + (index < bytes % parts ? index : bytes % parts);
}

} // namespace ddl
} // namespace ns3

#endif // DDL_SPLIT_BYTES_H
