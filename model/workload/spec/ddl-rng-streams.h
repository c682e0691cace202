// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RNG_STREAMS_H
#define DDL_RNG_STREAMS_H

#include <cstdint>

namespace ns3::ddl
{

// First RNG streams of the workload's random draws, behind those of compute noise (ComputeNoise).
// Each draw depends only on the seed and on the number of the job, group or arrival that it is for.
constexpr int64_t CURVE_STREAMS = int64_t{1} << 50;     //!< 8 per job, by its id
constexpr int64_t TRACE_STREAMS = int64_t{1} << 51;     //!< 1 per job, by its id
constexpr int64_t ARRIVAL_STREAMS = int64_t{1} << 52;   //!< of the arrival process
constexpr int64_t GENERATOR_STREAMS = int64_t{1} << 53; //!< of models, sizes and iterations
constexpr int64_t WEIGHT_STREAMS = int64_t{1} << 54; //!< of generated weights, 1 a job, by its id
constexpr int64_t USER_STREAMS = int64_t{1} << 55; //!< of generated users, 1 a group, by position;
                                                   //!< the first of all shuffles search sizes

} // namespace ns3::ddl

#endif // DDL_RNG_STREAMS_H
