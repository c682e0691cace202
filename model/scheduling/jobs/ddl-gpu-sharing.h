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

/** Two jobs train on one GPU by turns when together they do not use much more than all of it. */
struct LightSharingSpec
{
    double load{0.75};       //!< share of GPUs that jobs hold, from which on GPUs are shared
    double utilisation{1.3}; //!< the jobs of a GPU together use less, 1: all of it
};

/** The next job of a GPU loads while the last one still trains. */
struct PreScheduleSpec
{
    double load{0.5};         //!< share of GPUs that jobs hold, from which on that is done
    Time margin{Seconds(15)}; //!< that the next one is ready before the last one has trained
};

/**
 * When a job of one GPU gets a GPU that another job holds (as in Liquid's program). Without either
 * rule, memory alone decides; with one, placement policies see held GPUs as full.
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
    double utilisation{1};           //!< of each, as is expected
    std::optional<Time> trainsUntil; //!< date; none: nobody can say, or it does not train yet
};

/** A job of one GPU for which none is free. */
struct SecondQuestion
{
    uint64_t memory{0};    //!< bytes that it takes
    double utilisation{1}; //!< as is expected
    Time launch;           //!< from when it gets a GPU until it could train
};

/** Where it goes. */
struct SecondAnswer
{
    std::optional<GpuId> gpu;     //!< none: it waits
    std::optional<JobId> after;   //!< the job that it loads behind, and that has to train first
    std::optional<Time> askAgain; //!< date at which the answer may change though nothing happens
};

/** \return the cluster with all GPUs full that some job holds */
ClusterView HideHeldGpus(ClusterView cluster);

/**
 * The first GPU, in index order, that the rules allow; to share comes before to load.
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
