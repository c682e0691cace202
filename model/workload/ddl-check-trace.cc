// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-trace-cojobs.h"
#include "ddl-traced-model.h"

#include <map>
#include <set>

namespace ns3
{
namespace ddl
{

namespace
{

constexpr std::size_t MOST_COMPLAINTS = 20; //!< that are worded

/** Jobs, or cojobs, of more GPUs than there are. */
void
CheckGpus(const Trace& trace, const ReplaySpec& spec, std::vector<Diagnostic>& complaints)
{
    std::size_t more = 0;
    std::map<uint32_t, uint64_t> gpusOfCojob;
    for (const auto& job : trace.jobs)
    {
        uint64_t gpus = job.gpus;
        if (job.cojob != NOT_GIVEN)
        {
            gpus = gpusOfCojob[job.cojob] += job.gpus;
        }
        const bool isSkipped = spec.skipTooLarge && job.gpus > spec.gpus;
        if (gpus > spec.gpus && !isSkipped && complaints.size() < MOST_COMPLAINTS)
        {
            complaints.push_back(
                {trace.name + ":" + std::to_string(job.line),
                 "",
                 "needs " + std::to_string(gpus) +
                     " GPUs at the same time; the "
                     "cluster has " +
                     std::to_string(spec.gpus) +
                     " (a larger cluster, or --set=workload.replay.tooLarge=skip)"});
        }
        else if (gpus > spec.gpus && !isSkipped)
        {
            ++more;
        }
    }
    if (more > 0)
    {
        complaints.push_back({trace.name, "", std::to_string(more) + " more jobs are too large"});
    }
}

/** \return the models that a job may have: its own if that is known, any of the user's otherwise */
std::vector<ModelProfile>
ListModelsOf(const TraceJob& job, const Trace& trace, const ReplaySpec& spec)
{
    const ModelProfile* known =
        job.model != NOT_GIVEN ? FindTracedModel(trace.models[job.model]) : nullptr;
    if (known != nullptr)
    {
        return {*known};
    }
    std::vector<ModelProfile> models;
    for (const auto& drawn : spec.models)
    {
        models.push_back(drawn.profile);
    }
    return models;
}

/** Models that no GPU has the memory for, at the first job of each. */
void
CheckMemory(const Trace& trace, const ReplaySpec& spec, std::vector<Diagnostic>& complaints)
{
    std::set<uint32_t> checked; // Trace::models, NOT_GIVEN included
    std::set<std::string> named;
    for (const auto& job : trace.jobs)
    {
        if (spec.gpuMemory == 0 || !checked.insert(job.model).second)
        {
            continue;
        }
        for (const auto& model : ListModelsOf(job, trace, spec))
        {
            if (model.gpuMemory > spec.gpuMemory && named.insert(model.name).second)
            {
                complaints.push_back(
                    {trace.name + ":" + std::to_string(job.line),
                     "",
                     "a worker of " + model.name + " takes " + std::to_string(model.gpuMemory) +
                         " bytes of its GPU, which has " + std::to_string(spec.gpuMemory) +
                         " (more in cluster.hosts.gpuMemory, or 0B there: one job a GPU)"});
            }
        }
    }
}

} // namespace

std::vector<Diagnostic>
CheckTrace(const Trace& trace, const ReplaySpec& spec)
{
    std::vector<Diagnostic> complaints;
    CheckGpus(trace, spec, complaints);
    CheckMemory(trace, spec, complaints);
    if (trace.ports > spec.hosts && !spec.fold)
    {
        complaints.push_back({trace.name + ":1",
                              "",
                              std::to_string(trace.ports) + " ports on a cluster of " +
                                  std::to_string(spec.hosts) +
                                  " machines (a larger cluster, or "
                                  "--set=workload.replay.fold=true: port p is machine p mod " +
                                  std::to_string(spec.hosts) + ")"});
    }
    return complaints;
}

} // namespace ddl
} // namespace ns3
