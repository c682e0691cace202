// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SWITCH_COST_H
#define DDL_SWITCH_COST_H

#include "ns3/ddl-ids.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** Times that it takes to start a run of a job, and to save its state. */
struct SwitchCost
{
    Time launch;       //!< to start its processes and load the model or a checkpoint
    Time launchPerGpu; //!< more launch time per GPU
    Time save;         //!< to save a checkpoint, when suspended or when one is due
    Time savePerGpu;   //!< more saving time per GPU
    Time finish;       //!< to save the results of a job that is done

    Time GetLaunch(uint32_t gpus) const
    {
        return launch + launchPerGpu * int64x64_t(gpus);
    }

    Time GetSave(uint32_t gpus) const
    {
        return save + savePerGpu * int64x64_t(gpus);
    }
};

/** What it takes for the jobs of one model. */
struct ModelSwitchCost : SwitchCost
{
    std::string model;
};

/** A machine that keeps checkpoints; they cross the network to it and back. */
struct StorageSpec
{
    HostId host;
    double ratio{1}; //!< bytes of a checkpoint over those of the model
};

/** All that switching between jobs costs. */
struct SwitchSpec
{
    SwitchCost cost;                     //!< cost for models that are not named
    std::vector<ModelSwitchCost> models; //!< costs for named models
    uint64_t checkpointEvery{0};         //!< iterations from a checkpoint to the next; 0: none
    std::optional<StorageSpec> storage;  //!< none: checkpoints take time, and no network

    const SwitchCost& Get(const std::string& model) const
    {
        for (const ModelSwitchCost& each : models)
        {
            if (each.model == model)
            {
                return each;
            }
        }
        return cost;
    }
};

} // namespace ns3::ddl

#endif // DDL_SWITCH_COST_H
