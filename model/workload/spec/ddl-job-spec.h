// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_SPEC_H
#define DDL_JOB_SPEC_H

#include "ddl-compute-noise.h"
#include "ddl-learning-curve.h"
#include "ddl-model-profile.h"
#include "ddl-overlap-spec.h"

#include "ns3/ddl-gpu-id.h"
#include "ns3/ddl-graph-source.h"
#include "ns3/ddl-ids.h"
#include "ns3/object-factory.h"

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** GPUs of a job's workers, and places of its parameter servers. All GPUs are different. */
struct Placement
{
    std::vector<GpuId> workers; //!< GPU of each worker; NO_GPU: it needs none
    std::vector<GpuId> servers; //!< GPU of each parameter server, or its machine with NO_GPU

    bool operator==(const Placement& other) const
    {
        return workers == other.workers && servers == other.servers;
    }
};

constexpr uint64_t MOST_ITERATIONS = 1'000'000'000'000'000; //!< most in a stage, exact as double
constexpr uint32_t NEVER_STOPPED = std::numeric_limits<uint32_t>::max();

/** A training job, as the user describes it. */
struct JobSpec
{
    JobId id;
    ModelProfile model;                 //!< bytes and compute times of its neural network
    uint32_t workers{1};                //!< workers with a GPU each; with tasks, tasks per round
    uint32_t servers{0};                //!< number of parameter servers; 0 for all-reduce
    uint32_t serverGpus{0};             //!< GPUs per parameter server: 0 or 1
    ObjectFactory pattern;              //!< factory of the CommunicationPattern
    ComputeNoise noise;                 //!< jitter and stragglers; none by default
    OverlapSpec overlap;                //!< buckets in which gradients are sent
    std::vector<double> accuracy;       //!< accuracy after each stage, for the search, or empty
    std::optional<LearningCurve> curve; //!< learning curve; without both, accuracies are equal
    uint32_t stopAfter{NEVER_STOPPED};  //!< last stage, from 1, for the search "list"
    bool preemptible{true};             //!< whether it may lose its GPUs before it is done
    std::shared_ptr<const TaskGraph> graph; //!< what its workers do, for the kind `graph`
    std::optional<GraphSource> graphSource; //!< its files; none: a program made it
    double graphScale{1}; //!< bytes and times of its task graph are multiplied by it
    ObjectFactory kind;   //!< factory of its TrainingJob; without a TypeId all ranks run together
    double weight{1};     //!< weight of its completion time, for schedulers with weights
    std::string user;     //!< name of the user who submitted it; may be empty
    std::string name;     //!< name of the recurring job of which it is one; may be empty
    std::optional<Placement> placement; //!< placement by the user; none: the policy decides

    /** \return number of GPUs that it needs if the placement policy decides */
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
    bool plain{false};                //!< whether it is a plain job, not a cojob of the user's
    Time submit;                      //!< time of its arrival
    std::vector<uint64_t> iterations; //!< iterations of each stage; never empty
    ObjectFactory search;             //!< factory of the SearchAlgorithm
    std::vector<JobSpec> jobs;        //!< its jobs; never empty
};

} // namespace ns3::ddl

#endif // DDL_JOB_SPEC_H
