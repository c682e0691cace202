// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GPU_SHARING_H
#define DDL_GPU_SHARING_H

#include "ns3/ddl-cluster-view.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::ddl
{

/** Rule by which light jobs train on one GPU in turns (Liquid; the authors' program). */
struct LightSharingSpec
{
    double load{0.75};       //!< least fraction of all GPUs that must be held
    double utilisation{1.3}; //!< limit of the sum of the utilisations of the GPU's jobs
};

/** Rule by which the next job launches on a GPU while the last one still trains (Liquid §7.3.1). */
struct PreScheduleSpec
{
    double load{0.5};         //!< least fraction of all GPUs that must be held
    Time margin{Seconds(15)}; //!< between the end of the launch and the end of that training
};

/**
 * Rules by which a job of one GPU gets a GPU that another job holds. With none, memory alone
 * decides; with one, placement policies see held GPUs as full.
 */
struct SharingSpec
{
    std::optional<LightSharingSpec> light;
    std::optional<PreScheduleSpec> next;

    bool IsAny() const
    {
        return light || next;
    }
};

/** A job that holds GPUs. */
struct GpuHolder
{
    JobId job;
    std::vector<GpuId> gpus;
    double utilisation{1};           //!< estimated use of each GPU, from 0 to 1
    std::optional<Time> trainsUntil; //!< expected date; none: unknown, or it does not train yet
};

/** A job of one GPU for which none is free. */
struct SecondQuestion
{
    uint64_t memory{0};    //!< bytes that it takes
    double utilisation{1}; //!< estimated, from 0 to 1
    Time launch;           //!< from the grant of the GPU until it can train
};

/** The GPU that it gets, if any. */
struct SecondAnswer
{
    std::optional<GpuId> gpu;     //!< none: it waits
    std::optional<JobId> after;   //!< the job whose training must end first
    std::optional<Time> askAgain; //!< date at which the answer may change without any event
};

/** \return the cluster with all held GPUs marked as full */
ClusterView HideHeldGpus(ClusterView cluster);

/**
 * Find the first GPU, in index order, that the rules allow. Sharing is tried before pre-scheduling.
 *
 * \param holders all jobs that hold GPUs of the cluster
 */
SecondAnswer FindSecondPlace(const ClusterView& cluster,
                             const std::vector<GpuHolder>& holders,
                             const SecondQuestion& question,
                             const SharingSpec& rules,
                             Time now);

} // namespace ns3::ddl

#endif // DDL_GPU_SHARING_H
