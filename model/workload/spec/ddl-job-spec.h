// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_SPEC_H
#define DDL_JOB_SPEC_H

#include "ddl-compute-noise.h"
#include "ddl-learning-curve.h"
#include "ddl-model-profile.h"
#include "ddl-overlap-spec.h"

#include "ns3/ddl-gpu-id.h"
#include "ns3/ddl-ids.h"
#include "ns3/object-factory.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** GPUs of the workers of a job, and places of its parameter servers. All GPUs are different. */
struct Placement
{
    std::vector<GpuId> workers; //!< one GPU a worker; NO_GPU: it needs none
    std::vector<GpuId> servers; //!< of a parameter server; NO_GPU: a machine, which may repeat

    bool operator==(const Placement& other) const
    {
        return workers == other.workers && servers == other.servers;
    }
};

constexpr uint64_t MOST_ITERATIONS = 1'000'000'000'000'000; //!< of a stage; exact in a double
constexpr uint32_t NEVER_STOPPED = std::numeric_limits<uint32_t>::max();

/** A training job, as the user describes it. */
struct JobSpec
{
    JobId id;
    ModelProfile model;                 //!< bytes and compute times
    uint32_t workers{1};                //!< GPUs; of a job of tasks, tasks of a round
    uint32_t servers{0};                //!< parameter servers; 0 for all-reduce
    uint32_t serverGpus{0};             //!< GPUs that each of these takes, as a worker does: 0 or 1
    ObjectFactory pattern;              //!< of a CommunicationPattern
    ComputeNoise noise;                 //!< jitter and stragglers; none by default
    OverlapSpec overlap;                //!< buckets that gradients are sent in
    std::vector<double> accuracy;       //!< after each stage, for the search; empty: by the curve
    std::optional<LearningCurve> curve; //!< without one, and without accuracies, all are equal
    uint32_t stopAfter{NEVER_STOPPED};  //!< last stage, from 1, for the search "list"
    bool preemptible{true};             //!< it may lose its GPUs before it is done
    bool hasTasks{false}; //!< a round of it consists of tasks, each of which runs by itself on any
                          //!< free GPU (Hare, §II-B); otherwise all its workers run together
    double weight{1};     //!< of its completion, for schedulers with weights
    std::string user;     //!< who submitted it; may be empty
    std::string name;     //!< jobs of one name are one job that recurs; may be empty
    std::optional<Placement> placement; //!< given by the user; otherwise the policy decides

    /** \return GPUs that it needs where the policy decides */
    uint32_t CountGpus() const
    {
        return workers + servers * serverGpus;
    }
};

/**
 * Jobs that are searched together (Grouper §II-B): they start each stage at the same time, and some
 * stop after each stage. A plain job is a group of one.
 */
struct CojobSpec
{
    CojobId id;
    bool plain{false};                //!< a plain job, which the user did not put into a cojob
    Time submit;                      //!< arrival
    std::vector<uint64_t> iterations; //!< of each stage; never empty
    ObjectFactory search;             //!< of a SearchAlgorithm
    std::vector<JobSpec> jobs;        //!< never empty
};

/** \return whether some of its jobs are made of tasks */
inline bool
HasTasks(const CojobSpec& cojob)
{
    return std::any_of(cojob.jobs.begin(), cojob.jobs.end(), [](const JobSpec& job) {
        return job.hasTasks;
    });
}

} // namespace ns3::ddl

#endif // DDL_JOB_SPEC_H
