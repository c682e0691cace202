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

constexpr uint32_t NO_ID = 0;            //!< id of a job or cojob to which the user gave none
constexpr uint32_t MOST_ID = 1000000000; //!< greatest id that a user may give
constexpr uint64_t MOST_MEMBERS = 32768; //!< most workers, or parameter servers, of a job
constexpr double MOST_DURATION = 1e9;    //!< longest compute time of a generated job, seconds

/** Help of the key "serverGpus". */
constexpr const char* SERVER_GPUS_HELP =
    "GPUs that each parameter server takes, as a worker does: 0, or 1 as Liquid's containers do";

/** The parts of a scenario that the keys of a job depend on. */
struct JobContext
{
    const ClusterSpec& cluster;
    const WorkloadSpec& workload; //!< workload, with the ratio of compute to communication
    std::size_t stages;           //!< number of stages of the job's cojob
};

/** An entry of a list of jobs in a scenario: one job, and how many equal ones it stands for. */
struct JobEntry
{
    JobSpec job;
    uint32_t count{1};
};

/**
 * \param keys visitor of an object in a list "jobs"
 * \param entry the entry; its job has an id, or NO_ID
 * \param context parts of the rest of the scenario
 */
void Describe(Keys& keys, JobEntry& entry, const JobContext& context);

/** A task graph that a scenario names, and where it is. */
struct GraphKeys
{
    std::optional<GraphSource> source;
    std::shared_ptr<const TaskGraph> graph; //!< null: none, or a wrong one
};

/** {"format": "chakra", "files": "prefix", ...}, or files alone. The graph is read and checked. */
Member GraphOf(GraphKeys& graph);

/** The key "graph". */
void DescribeGraphKey(Keys& keys, GraphKeys& graph);

/** Jobs with a graph are of the kind `graph`. \param kindKey name of the key of the kind */
void SettleKind(Keys& keys,
                const std::string& kindKey,
                const GraphKeys& graph,
                ObjectFactory& kind);

/** \return number of workers that jobs of a kind with this graph must have; 0: any */
uint32_t CountFixedWorkers(const ObjectFactory& kind,
                           const std::shared_ptr<const TaskGraph>& graph);

/** Complain about what a kind with task graphs refuses in a job. */
void ReportRefusals(const JsonObject& json, const JobSpec& job);

/** \return a model with the bytes that the busiest rank of a graph sends and reduces in an
 * iteration, and without compute times */
ModelProfile MakeGraphModel(const TaskGraph& graph, const std::string& name);

/** A model as a scenario gives it. */
struct ModelEntry
{
    std::string type; //!< name of a known model, "" for one of the user's own
    ModelProfile profile;
    bool isTimed{false}; //!< the model has compute times of its own
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
 * Models that generated or replayed jobs train. If the scenario lists none, the member stays as it
 * was.
 *
 * \param curve curve of models that have none of their own; null: models cannot have curves
 */
Member ModelsOf(std::vector<GeneratorModel>& member,
                const ClusterSpec& cluster,
                const std::optional<CurveSpec>* curve);

/**
 * The layers of a model: a list of objects, or the name of a file (CSV as ReadLayers takes it, or
 * JSON, `{"layers": [...]}`).
 *
 * \param member the layers; they stay as they were if nothing, or something wrong, is given
 * \param isGiven set when layers have been read
 */
Member LayersOf(LayerTable& member, bool& isGiven);

/** \return path of a file that is named in a scenario: from the folder of the file that names it,
 * or in traces/; "" if there is none */
std::string FindDataFile(const JsonValue& json);

/** Complain if a worker of the model takes more memory than a GPU of the cluster has. */
void CheckGpuMemory(const JsonValue& json, const ModelProfile& model, const ClusterSpec& cluster);

/**
 * What runs of a job are made of: a key of that name, and "tasks".
 * \param kind factory of a TrainingJob; without a TypeId: a gang
 */
void DescribeKind(Keys& keys, const std::string& name, ObjectFactory& kind);

/** A communication pattern; by default `parameter-server` if there are servers, else `ring`. */
Member PatternOf(ObjectFactory& member, const uint32_t& servers);

/** A count that may be left out: the member then has the value \p none. */
template <typename T>
Member UnlessOf(T& member, T none, JsonRange<uint64_t> range);

/**
 * A number, or a distribution that a number is drawn from.
 *
 * \param range range of the number; values drawn from a distribution are not checked
 */
Member DistributionOf(ObjectFactory& member, JsonRange<double> range);

/** `[[workers, jobs of that size], ...]`. */
Member SizesOf(std::vector<JobSize>& member);

/**
 * What the curves of generated jobs are drawn from. If there was no curve, one that is given with a
 * loss and without accuracy has no accuracy.
 *
 * \param curve the curve; it stays as it was when nothing is given
 */
Member CurveOf(std::optional<CurveSpec>& curve);

/**
 * What generated and traced jobs take from the rest of the scenario: cluster and first free ids.
 */
struct SourceContext
{
    const ClusterSpec& cluster;
    uint32_t firstCojob; //!< least id for a cojob: above all that are written out
    uint32_t firstJob;   //!< least id for a job: above all that are written out
};

/** The keys "generator", "trace", "traceFormat" and "replay". Describe them after all others. */
void DescribeSources(Keys& keys, WorkloadSpec& workload, const SourceContext& context);

} // namespace ns3::ddl

#endif // DDL_JOB_KEYS_H
