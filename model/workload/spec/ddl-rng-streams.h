// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RNG_STREAMS_H
#define DDL_RNG_STREAMS_H

#include <cstdint>

namespace ns3::ddl
{

// These are the first RNG streams of the workload's random draws, after those of compute noise
// (ComputeNoise). Each draw depends only on the seed and on the number of its job, group or
// arrival.
constexpr int64_t CURVE_STREAMS = int64_t{1} << 50;     //!< learning curves: 8 per job, by its id
constexpr int64_t TRACE_STREAMS = int64_t{1} << 51;     //!< models of traces: 1 per job, by its id
constexpr int64_t ARRIVAL_STREAMS = int64_t{1} << 52;   //!< arrival process
constexpr int64_t GENERATOR_STREAMS = int64_t{1} << 53; //!< models, sizes and iterations
constexpr int64_t WEIGHT_STREAMS = int64_t{1} << 54;    //!< generated weights: 1 per job, by its id
/** Generated users: 1 per group, by position; the first of all shuffles search sizes. */
constexpr int64_t USER_STREAMS = int64_t{1} << 55;

} // namespace ns3::ddl

#endif // DDL_RNG_STREAMS_H
