// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fragmentation.h"

namespace ns3::ddl
{

namespace
{

/** \return the part of a GPU that is free, from 0 to 1 */
double
GetFreePart(const GpuView& gpu)
{
    if (gpu.memory == 0)
    {
        return gpu.free ? 1 : 0;
    }
    return static_cast<double>(gpu.freeMemory) / static_cast<double>(gpu.memory);
}

} // namespace

double
GetFragmentation(const MachineList& server, const TargetWorkload& workload)
{
    double total = 0;
    double sum = 0;
    for (const auto& [task, frequency] : workload)
    {
        uint32_t fitting = 0;
        double free = 0;
        double tooSmall = 0;
        for (const MachineView* const machine : server)
        {
            for (const GpuView& gpu : machine->gpus)
            {
                const bool hasRoom = HasRoom(gpu, task.memory);
                const double part = machine->failed ? 0 : GetFreePart(gpu);
                fitting += hasRoom ? 1 : 0;
                free += part;
                tooSmall += hasRoom ? 0 : part;
            }
        }
        total += frequency;
        sum += frequency * (fitting < task.gpus ? free : tooSmall);
    }
    return total > 0 ? sum / total : 0;
}

} // namespace ns3::ddl
