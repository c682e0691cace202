// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-alone-scenario.h"

#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-none-search-algorithm.h"
#include "ns3/ddl-training-job.h"
#include "ns3/ddl-transport.h"

#include <algorithm>

namespace ns3::ddl
{

Scenario
WithoutOutput(const Scenario& scenario)
{
    Scenario silent = scenario;
    silent.output = OutputSpec();
    silent.output.alone = false;
    silent.output.figures = false;
    return silent;
}

Scenario
WithoutWork(const Scenario& scenario)
{
    Scenario empty = scenario;
    empty.workload.groups.clear();
    return empty;
}

bool
HasNoise(const Scenario& scenario)
{
    return scenario.workload.noise.jitter.IsTypeIdSet() ||
           scenario.workload.noise.straggler.IsTypeIdSet();
}

bool
HasPackets(const Scenario& scenario)
{
    return ChooseTransport(scenario).Create<Transport>()->HasPackets();
}

bool
UsesRounds(const Scenario& scenario)
{
    const WorkloadSpec& workload = scenario.workload;
    return (workload.generator && TrainingJob::Of(workload.generator->jobKind)->UsesRounds()) ||
           std::any_of(workload.groups.begin(), workload.groups.end(), [](const auto& group) {
               return UsesRounds(group);
           });
}

JobSpec
KeepPlaced(const JobSpec& job, const Placement& placement)
{
    JobSpec placed = job;
    placed.placement = placement;
    placed.accuracy.clear();
    placed.curve.reset();
    placed.stopAfter = NEVER_STOPPED;
    return placed;
}

Scenario
MakeAlone(const Scenario& scenario, const CojobSpec& group)
{
    Scenario alone = scenario;
    alone.name += "-alone";
    alone.description.clear();
    alone.cluster.links.clear();
    alone.cluster.failures.clear();
    alone.workload.generator.reset();
    alone.workload.trace.reset();
    alone.workload.groups = {group};
    alone.workload.groups.front().submit = Time(0);
    alone.workload.background.clear();
    alone.scheduling.batchWindow = Time(); // with others, its batch may have begun before
    alone.stop.time.reset();
    return WithoutOutput(alone);
}

JobsAlone::JobsAlone(const Scenario& scenario)
    : m_base(WithoutWork(scenario)),
      m_idsMatter(HasNoise(scenario)),
      m_pathsDiffer(HasEqualCostPaths(scenario.cluster.topology) &&
                    scenario.cluster.topology.pathSelector.Create<PathSelector>()->SeparatesFlows())
{
    // The iterations of a single job are those that it did, so their scale is applied here to all
    // other settings that depend on it.
    Scenario onlyIterations = m_base;
    onlyIterations.scale.model = 1;
    m_base.scheduling = ApplyScale(onlyIterations).scheduling;
    m_base.scale.iterations = 1;
}

Scenario
JobsAlone::Make(const JobSpec& job, const Placement& placement, uint64_t iterations) const
{
    JobSpec single = KeepPlaced(job, placement);
    if (!m_idsMatter && !(m_pathsDiffer && ListHosts(ListRankHosts(placement)).size() > 1))
    {
        single.id = JobId{1};
    }
    CojobSpec group{CojobId{1}, true, Time(0), {iterations}, {}, {single}};
    group.search.SetTypeId(NoneSearchAlgorithm::GetTypeId());
    return MakeAlone(m_base, group);
}

} // namespace ns3::ddl
