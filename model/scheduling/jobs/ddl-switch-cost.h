// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SWITCH_COST_H
#define DDL_SWITCH_COST_H

#include "ns3/nstime.h"

namespace ns3::ddl
{

/**
 * What it takes to start a run of a job, and to end it before the job is done: time for which the
 * job holds its GPUs idle.
 */
struct SwitchCost
{
    Time launch;       //!< of any run: start of its processes, load of model or checkpoint
    Time launchPerGpu; //!< in addition, for each GPU
    Time save;         //!< of a checkpoint, when a run is suspended
    Time savePerGpu;   //!< in addition, for each GPU

    Time GetLaunch(uint32_t gpus) const
    {
        return launch + launchPerGpu * int64x64_t(gpus);
    }

    Time GetSave(uint32_t gpus) const
    {
        return save + savePerGpu * int64x64_t(gpus);
    }
};

} // namespace ns3::ddl

#endif // DDL_SWITCH_COST_H
