// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_KEYS_H
#define DDL_JOB_KEYS_H

#include "ddl-scenario-keys.h"

#include "ns3/ddl-curve-spec.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

constexpr uint32_t NO_ID = 0;            //!< of a job or cojob that the user gave none
constexpr uint32_t MOST_ID = 1000000000; //!< that a user may give
constexpr uint64_t MOST_MEMBERS = 4096;  //!< workers, or servers, of a job
constexpr double MOST_DURATION = 1e9;    //!< seconds of computing of a generated job

/** Help of the key "serverGpus". */
constexpr const char* SERVER_GPUS_HELP =
    "GPUs that each parameter server takes, as a worker does: 0, or 1 as Liquid's containers do";

/** The parts of a scenario that the keys of a job depend on. */
struct JobContext
{
    const ClusterSpec& cluster;
    const WorkloadSpec& workload; //!< ratio of compute to communication time
    std::size_t stages;           //!< of its cojob
};

/** An entry of a list of jobs in a scenario: one job, and how many equal ones it stands for. */
struct JobEntry
{
    JobSpec job;
    uint32_t count{1};
};

/**
 * \param keys of an object of "jobs"
 * \param entry whose job has an id, or NO_ID
 * \param context the rest of the scenario
 */
void Describe(Keys& keys, JobEntry& entry, const JobContext& context);

/** A model as a scenario gives it. */
struct ModelEntry
{
    std::string type; //!< name of a known one, "" for one of the user's own
    ModelProfile profile;
    bool isTimed{false}; //!< has compute times of its own
};

/**
 * A model: "VGG19", {"type": "VGG19", "forward": "1ms"} or {"name": "mine", "bytes": "10MB"}.
 *
 * \param more describes further keys of the object
 */
Member ModelOf(
    ModelEntry& member,
    const std::function<void(Keys&)>& more = [](Keys&) {});

/**
 * Models that generated or replayed jobs train. Without any in the scenario, the member stays as it
 * was.
 *
 * \param curve of those that have none of their own; null: none can have any
 */
Member ModelsOf(std::vector<GeneratorModel>& member,
                const ClusterSpec& cluster,
                const std::optional<CurveSpec>* curve);

/**
 * The layers of a model: a list of objects, or the name of a file (CSV as ReadLayers takes it, or
 * JSON, `{"layers": [...]}`).
 *
 * \param member stays as it was when nothing is given, or something wrong
 * \param isGiven set when it has been read
 */
Member LayersOf(LayerTable& member, bool& isGiven);

/** \return path of a file that is named in a scenario: from the folder of the file that names it,
 * or in traces/; "" if there is none */
std::string FindDataFile(const JsonValue& json);

/** Complain if a worker of the model takes more memory than a GPU of the cluster has. */
void CheckGpuMemory(const JsonValue& json, const ModelProfile& model, const ClusterSpec& cluster);

/** A communication pattern; by default `parameter-server` if there are servers, else `ring`. */
Member PatternOf(ObjectFactory& member, const uint32_t& servers);

/** A count that may be left out: the member then has the value \p none. */
template <typename T>
Member UnlessOf(T& member, T none, JsonRange<uint64_t> range);

/**
 * A number, or a distribution that a number is drawn from.
 *
 * \param range of the number; values drawn from a distribution are not checked
 */
Member DistributionOf(ObjectFactory& member, JsonRange<double> range);

/** `[[workers, jobs of that size], ...]`. */
Member SizesOf(std::vector<JobSize>& member);

/**
 * What the curves of generated jobs are drawn from. If there was no curve, one that is given with a
 * loss and without accuracy has no accuracy.
 *
 * \param curve stays as it was when nothing is given
 */
Member CurveOf(std::optional<CurveSpec>& curve);

/**
 * What generated and traced jobs take from the rest of the scenario: cluster and first free ids.
 */
struct SourceContext
{
    const ClusterSpec& cluster;
    uint32_t firstCojob; //!< id, not below any other
    uint32_t firstJob;   //!< likewise
};

/** "generator", "trace", "traceFormat" and "replay"; to be described after all other keys. */
void DescribeSources(Keys& keys, WorkloadSpec& workload, const SourceContext& context);

} // namespace ns3::ddl

#endif // DDL_JOB_KEYS_H
