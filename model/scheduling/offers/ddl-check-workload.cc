// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-check-workload.h"

#include "ns3/ddl-first-fit-placement-policy.h"
#include "ns3/ddl-job-service.h"
#include "ns3/ddl-place-all.h"
#include "ns3/ddl-placement-helpers.h"
#include "ns3/ddl-training-job.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

namespace ns3::ddl
{

namespace
{

std::string
GetName(const CojobSpec& cojob)
{
    return cojob.plain && !cojob.jobs.empty() ? "job " + std::to_string(cojob.jobs.front().id.value)
                                              : "cojob " + std::to_string(cojob.id.value);
}

/** \return the same machines with all GPUs free */
ClusterView
Emptied(ClusterView cluster)
{
    for (auto& machine : cluster.machines)
    {
        machine.servers = 0;
        for (auto& gpu : machine.gpus)
        {
            gpu.free = true;
            gpu.freeMemory = gpu.memory;
        }
    }
    return cluster;
}

} // namespace

FitCheck::FitCheck(ClusterView cluster, Ptr<PlacementPolicy> policy)
    : m_cluster(Emptied(std::move(cluster))),
      m_policy(policy)
{
}

std::vector<Diagnostic>
FitCheck::Check(const CojobSpec& group)
{
    if (!m_policy || UsesRounds(group)) // its tasks wait for GPUs one by one
    {
        return {};
    }
    const uint64_t iterations = CountIterations(group);
    const PlacementWishes wishes = m_policy->GetWishes();
    const GroupDemand demand =
        GetDemand(group.jobs, iterations, !wishes.ignoresLoads, wishes.AsksEach());
    if (m_fitting.count(demand) > 0)
    {
        return {};
    }
    try
    {
        const GroupAnswer answer = Ask(group);
        if (answer.placements)
        {
            if (!wishes.AsksEach()) // else nobody asks for the same
            {
                m_fitting.insert(demand);
            }
            return {};
        }
        return {{"", "", GetName(group) + " " + Explain(group, answer)}};
    }
    catch (const InputError& error)
    {
        return error.GetDiagnostics();
    }
}

/** Ask, and ask again when the policy wants it, up to MOST_ASKS times. */
GroupAnswer
FitCheck::Ask(const CojobSpec& group)
{
    GroupRequest request = MakeRequest(group.jobs, CountIterations(group));
    request.now = group.submit;
    for (JobView& view : request.views)
    {
        view.group = group.id;
        view.submit = group.submit;
    }
    GroupAnswer answer = PlaceGroup(m_policy, m_cluster, request);
    for (uint32_t asked = 1; asked < MOST_ASKS && answer.askAgain; ++asked)
    {
        request.now = *answer.askAgain;
        for (JobView& view : request.views)
        {
            view.waited = request.now - group.submit;
        }
        answer = PlaceGroup(m_policy, m_cluster, request);
    }
    return answer;
}

/** \return why a group has no place on the empty cluster, and what helps */
std::string
FitCheck::Explain(const CojobSpec& group, const GroupAnswer& answer)
{
    const uint64_t memory = FindGpuMemory(m_cluster);
    uint64_t wanted = 0; // GPUs
    for (const auto& job : group.jobs)
    {
        if (memory > 0 && job.model.gpuMemory > memory)
        {
            return "needs GPUs with " + std::to_string(job.model.gpuMemory) +
                   " bytes of memory; the cluster's have " + std::to_string(memory) +
                   " (more in cluster.hosts.gpuMemory, or 0B there: one job a GPU)";
        }
        wanted += job.CountGpus();
    }
    if (answer.askAgain)
    {
        std::ostringstream text;
        text << "would wait for ever: on the empty cluster, "
             << m_policy->GetInstanceTypeId().GetName() << " has wanted to be asked again "
             << MOST_ASKS << " times, at last at " << answer.askAgain->GetSeconds()
             << " s, and has given it no place (another scheduler.placement)";
        return text.str();
    }
    const std::size_t gpus = CountGpus(m_cluster);
    if (PlaceGroup(CreateObject<FirstFitPlacementPolicy>(), m_cluster, MakeRequest(group.jobs, 0))
            .placements)
    {
        return "would wait for ever: on the empty cluster, where first-fit has a place for it, " +
               m_policy->GetInstanceTypeId().GetName() +
               " has none (another scheduler.placement, or a larger cluster)";
    }
    if (wanted > gpus)
    {
        return "needs " + std::to_string(wanted) + " GPUs at the same time; the cluster has " +
               std::to_string(gpus) + " (a larger cluster, or fewer workers)";
    }
    return "would wait for ever: what needs " + std::to_string(wanted) +
           " GPUs has no place together on the empty cluster of " + std::to_string(gpus) +
           " GPUs (a larger cluster, fewer workers, or other placements)";
}

std::vector<Diagnostic>
CheckWorkload(const std::vector<CojobSpec>& cojobs, FitCheck& fit, const JobTable* known)
{
    std::vector<Diagnostic> complaints;
    std::set<CojobId> cojobIds;
    std::set<JobId> jobIds;
    for (const auto& cojob : cojobs)
    {
        const std::string name = GetName(cojob);
        if (!cojobIds.insert(cojob.id).second || (known && known->Find(cojob.id)))
        {
            complaints.push_back({"", "", name + " is there twice"});
        }
        if (cojob.jobs.empty() || cojob.iterations.empty())
        {
            complaints.push_back({"", "", name + " has no jobs or no stages"});
        }
        for (const auto& job : cojob.jobs)
        {
            if (!jobIds.insert(job.id).second || (known && known->FindJob(job.id)))
            {
                complaints.push_back(
                    {"", "", "job " + std::to_string(job.id.value) + " is there twice"});
            }
        }
        const auto more = fit.Check(cojob);
        complaints.insert(complaints.end(), more.begin(), more.end());
    }
    return complaints;
}

} // namespace ns3::ddl
