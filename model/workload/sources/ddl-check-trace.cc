// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-trace-cojobs.h"

#include "ns3/ddl-traced-model.h"

#include <algorithm>
#include <memory>
#include <set>
#include <tuple>

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
    for (TraceGroup group; group.begin < trace.jobs.size(); group.begin = group.end)
    {
        group = FindGroup(trace, spec, group.begin);
        if (group.gpus <= spec.gpus || spec.skipTooLarge)
        {
            continue;
        }
        if (complaints.size() >= MOST_COMPLAINTS)
        {
            ++more;
            continue;
        }
        complaints.push_back({trace.name + ":" + std::to_string(trace.jobs[group.begin].line),
                              "",
                              "needs " + std::to_string(group.gpus) +
                                  " GPUs at the same time; the cluster has " +
                                  std::to_string(spec.gpus) +
                                  " (a larger cluster, or "
                                  "--set=workload.replay.tooLarge=skip)"});
    }
    if (more > 0)
    {
        complaints.push_back(
            {trace.name, "", std::to_string(more) + " more jobs or cojobs are too large"});
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

/** \return true if a job, whichever model it will have, shares GPUs by memory */
bool
SharesGpus(const TraceJob& job, const Trace& trace, const ReplaySpec& spec)
{
    if (spec.gpuMemory == 0)
    {
        return false;
    }
    const auto models = ListModelsOf(job, trace, spec);
    return std::all_of(models.begin(), models.end(), [](const auto& model) {
        return model.gpuMemory > 0;
    });
}

} // namespace

TraceGroup
FindGroup(const Trace& trace, const ReplaySpec& spec, std::size_t begin)
{
    TraceGroup group{begin, begin, 0};
    const auto& jobs = trace.jobs;
    uint64_t whole = 0;
    do
    {
        const TraceJob& job = jobs[group.end++];
        whole += SharesGpus(job, trace, spec) ? 0 : job.gpus;
        group.gpus = std::max<uint64_t>(group.gpus, job.gpus);
    } while (jobs[begin].cojob != NOT_GIVEN && group.end < jobs.size() &&
             jobs[group.end].cojob == jobs[begin].cojob);
    group.gpus = std::max(group.gpus, whole);
    return group;
}

std::vector<std::pair<uint64_t, CojobSpec>>
ListDemands(const Trace& trace, const ReplaySpec& spec)
{
    using Kind = std::vector<std::tuple<uint32_t, uint32_t, uint32_t>>; // GPUs, servers, model
    std::set<Kind> known;
    std::vector<std::pair<uint64_t, CojobSpec>> groups;
    // This pointer does not own the trace.
    const TraceCojobs source(std::shared_ptr<const Trace>(std::shared_ptr<void>(), &trace), spec);
    for (TraceGroup group; group.begin < trace.jobs.size(); group.begin = group.end)
    {
        group = FindGroup(trace, spec, group.begin);
        Kind kind;
        for (std::size_t row = group.begin; row < group.end; ++row)
        {
            const TraceJob& job = trace.jobs[row];
            const uint32_t servers =
                job.details == NOT_GIVEN ? NOT_GIVEN : trace.details[job.details].servers;
            kind.emplace_back(job.gpus, servers, job.model);
        }
        const bool isSkipped = spec.skipTooLarge && group.gpus > spec.gpus;
        if (!isSkipped && known.insert(std::move(kind)).second)
        {
            groups.emplace_back(trace.jobs[group.begin].line, source.MakeGroup(group));
        }
    }
    return groups;
}

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
