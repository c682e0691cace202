// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-training-job.h"

#include "ddl-run-spec.h"

#include "ns3/abort.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(TrainingJob);

namespace
{

/** Number servers or racks in the order in which they occur: only which workers share one matters.
 */
void
Renumber(std::vector<uint32_t>& places)
{
    std::map<uint32_t, uint32_t> numbers;
    for (uint32_t& place : places)
    {
        place = numbers.emplace(place, static_cast<uint32_t>(numbers.size())).first->second;
    }
}

} // namespace

std::shared_ptr<const JobPlan>
PlanMemo::Get(const ObjectFactory& pattern, PatternView view, const BucketPlan& buckets)
{
    Renumber(view.machines);
    Renumber(view.racks);
    std::ostringstream key;
    key << pattern << "|" << view.workers << "," << view.servers << "," << view.bytes << ","
        << buckets.IsSerial() << "|";
    for (const uint64_t bytes : buckets.GetBytes())
    {
        key << bytes << ",";
    }
    for (const auto* const places : {&view.machines, &view.racks})
    {
        key << "|";
        for (const uint32_t place : *places)
        {
            key << place << ",";
        }
    }
    const auto known = m_plans.find(key.str());
    std::shared_ptr<const JobPlan> plan = known == m_plans.end() ? nullptr : known->second.lock();
    if (!plan)
    {
        for (auto other = m_plans.begin(); other != m_plans.end();)
        {
            other = other->second.expired() ? m_plans.erase(other) : std::next(other);
        }
        const auto policy = pattern.Create<CommunicationPattern>();
        NS_ABORT_MSG_UNLESS(policy, "there is no communication pattern");
        plan = std::make_shared<const JobPlan>(PlanJob(*policy, view, buckets));
        m_plans[key.str()] = plan;
    }
    return plan;
}

TypeId
TrainingJob::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::TrainingJob").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

Ptr<const TrainingJob>
TrainingJob::Of(const ObjectFactory& kind)
{
    static const Ptr<const TrainingJob> usual = CreatePolicy<TrainingJob>("gang");
    return kind.IsTypeIdSet() ? Ptr<const TrainingJob>(kind.Create<TrainingJob>()) : usual;
}

RunSpec
TrainingJob::MakeRun(const JobSpec& job,
                     CojobId cojob,
                     const Placement& placement,
                     const Cluster& cluster,
                     PlanMemo& plans) const
{
    RunSpec run = DoMakeRun(job, cojob, placement, cluster, plans);
    run.hosts = run.machines;
    const bool isWhole =
        run.plan && run.workerHosts > 0 && !run.rankHosts.empty() &&
        std::is_sorted(run.machines.begin(), run.machines.end()) &&
        run.TakesPart(run.GetLeader()) &&
        std::all_of(run.machines.begin(),
                    run.machines.end(),
                    [&run](HostId machine) { return run.parts.count(machine) > 0; }) &&
        std::all_of(run.hostBytes.begin(), run.hostBytes.end(), [&run](const HostBytes& bytes) {
            return run.TakesPart(bytes.host);
        });
    if (!isWhole)
    {
        throw RunError(GetInstanceTypeId().GetName() + " makes an incomplete run of job " +
                       std::to_string(job.id.value));
    }
    return run;
}

RunSpec
MakeRun(const JobSpec& job, CojobId cojob, const Placement& placement, const Cluster& cluster)
{
    PlanMemo plans;
    return TrainingJob::Of(job.kind)->MakeRun(job, cojob, placement, cluster, plans);
}

bool
UsesRounds(const CojobSpec& group)
{
    return std::any_of(group.jobs.begin(), group.jobs.end(), [](const JobSpec& job) {
        return TrainingJob::Of(job.kind)->UsesRounds();
    });
}

std::vector<Diagnostic>
CheckKinds(const CojobSpec& group, const RunSetting& setting)
{
    std::vector<Diagnostic> complaints;
    std::set<std::string> said; // sentences that hold for any job of a kind
    for (const JobSpec& job : group.jobs)
    {
        const Ptr<const TrainingJob> kind = TrainingJob::Of(job.kind);
        for (const std::string& sentence : kind->Refuse(setting))
        {
            if (said.insert(sentence).second)
            {
                complaints.push_back({"", "", sentence});
            }
        }
        for (const std::string& what : kind->Refuse(job, group))
        {
            complaints.push_back({"", "", "job " + std::to_string(job.id.value) + " " + what});
        }
    }
    return complaints;
}

} // namespace ns3::ddl
