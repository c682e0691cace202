// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COMPUTE_NOISE_H
#define DDL_COMPUTE_NOISE_H

#include "ns3/object-factory.h"

#include <cstdint>

namespace ns3::ddl
{

/**
 * Random factors on the compute times of a job. A factory without a TypeId leaves its factor at
 * exactly 1; a factor below 0 counts as 0.
 */
struct ComputeNoise
{
    /** Variable of the factor of a worker's compute time, drawn for each iteration (in a job of
     * tasks, for each task); a RandomVariableStream. */
    ObjectFactory jitter;
    /** Variable of the factor of each worker's compute time (in a job of tasks, of each machine's),
     * drawn once; a RandomVariableStream. */
    ObjectFactory straggler;
    int64_t stream{0}; //!< first of the 2^49 RNG streams of compute noise
};

} // namespace ns3::ddl

#endif // DDL_COMPUTE_NOISE_H
