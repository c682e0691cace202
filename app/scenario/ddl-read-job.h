// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_READ_JOB_H
#define DDL_READ_JOB_H

#include "app/json/ddl-json-object.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-scenario.h"

#include <vector>

namespace ns3
{
namespace ddl
{

/** What a job is read against. */
struct JobContext
{
    const ClusterSpec& cluster;
    double computeRatio;     //!< of models whose compute times were not published
    std::size_t stages;      //!< of its cojob
    bool ratioForAll{false}; //!< the ratio holds for models with published times too
};

/** A model, and whether its compute times are known. */
struct ReadModel
{
    std::string type; //!< name of a known one, "" for one of the user's own
    ModelProfile profile;
    bool isTimed{false};
};

/** \param json "VGG19", {"type": "VGG19", "forward": "1ms"} or {"name": "mine", "bytes": "10MB"} */
ReadModel ReadModelProfile(const JsonValue& json);

/** Complain, where the model stands, about one that no GPU of the cluster has the memory for. */
void CheckGpuMemory(const JsonValue& json, const ModelProfile& model, const ClusterSpec& cluster);

constexpr uint32_t NO_ID = 0;            //!< of a job or cojob that the user gave none
constexpr uint32_t MOST_ID = 1000000000; //!< that a user may give

/**
 * \param json {"id", "model", "workers", "servers", "pattern", "accuracy", "stopAfter", "weight",
 *        "placement", "count"}
 * \param context cluster and cojob
 * \param diagnostics for what the reader does not see itself
 * \return "count" jobs, with consecutive ids if one was given and NO_ID otherwise
 */
std::vector<JobSpec> ReadJobs(const JsonObject& json,
                              const JobContext& context,
                              std::vector<Diagnostic>& diagnostics);

} // namespace ddl
} // namespace ns3

#endif // DDL_READ_JOB_H
