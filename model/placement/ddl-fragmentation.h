// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FRAGMENTATION_H
#define DDL_FRAGMENTATION_H

#include "ddl-placement-helpers.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::ddl
{

/** What a task asks of one server. */
struct TaskClass
{
    uint32_t gpus{1};   //!< different GPUs of the server
    uint64_t memory{0}; //!< bytes of each of them; 0: the whole GPU

    bool operator<(const TaskClass& other) const
    {
        return gpus != other.gpus ? gpus < other.gpus : memory < other.memory;
    }
};

/** The tasks that are expected: how often each class occurs, in any unit. */
using TargetWorkload = std::map<TaskClass, double>;

/**
 * The GPUs of a server that a task drawn from a workload could not use, on average (FGD, USENIX ATC
 * 2023, §4.1: F_n(M), the sum over classes m of p_m F_n(m)). If a class finds too few GPUs with
 * room, all that is free is fragmented for it; otherwise the free parts of GPUs that are too small
 * for it.
 *
 * \param server machines of the server
 * \param workload the expected tasks; empty: nothing is fragmented
 * \return fragmentation in GPUs; a GPU that is shared by memory counts by its free part of it
 */
double GetFragmentation(const MachineList& server, const TargetWorkload& workload);

} // namespace ns3::ddl

#endif // DDL_FRAGMENTATION_H
