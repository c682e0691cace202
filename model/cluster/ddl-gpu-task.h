// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GPU_TASK_H
#define DDL_GPU_TASK_H

#include "ns3/ddl-ids.h"

#include <cstdint>

namespace ns3
{
namespace ddl
{

/** Which part of an iteration a GPU computes. */
enum class Pass
{
    FORWARD,
    BACKWARD
};

/** What a GPU computes without a break: whose it is, and what it is for. */
struct GpuTask
{
    JobId owner;
    Pass pass{Pass::FORWARD};
    uint32_t iteration{0}; //!< from 1, over all stages
    uint32_t bucket{0};    //!< of the backward pass, from 0
};

} // namespace ddl
} // namespace ns3

#endif // DDL_GPU_TASK_H
