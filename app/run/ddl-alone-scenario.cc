// SPDX-License-Identifier: GPL-2.0-only
// The scenarios of the alone runs; how they are run is in ddl-alone-runs.cc.
#include "ddl-alone-runs.h"

#include "ns3/ddl-job-hosts.h"
#include "ns3/ddl-none-search-algorithm.h"
#include "ns3/ddl-scenario.h"

namespace ns3
{
namespace ddl
{

namespace
{

/** The fabric and the rules of a run, with nothing to do. */
Scenario
WithoutWork(const Scenario& scenario)
{
    Scenario alone = scenario;
    alone.name += "-alone";
    alone.description.clear();
    alone.cluster.links.clear();
    alone.workload.groups.clear();
    alone.workload.background.clear();
    alone.stop.time.reset();
    alone.output = OutputSpec{};
    alone.output.alone = false;
    alone.output.figures = false;
    return alone;
}

/** \return true if random times or paths hang on ids; otherwise equal jobs make equal scenarios */
bool
IdsMatter(const Scenario& scenario, const Placement& placement)
{
    return HasNoise(scenario) || (HasEqualCostPaths(scenario.cluster.topology) &&
                                  ListHosts(ListRankHosts(placement)).size() > 1);
}

} // namespace

bool
HasNoise(const Scenario& scenario)
{
    return scenario.workload.noise.jitter.IsTypeIdSet() ||
           scenario.workload.noise.straggler.IsTypeIdSet();
}

Scenario
MakeCojobAlone(const Scenario& scenario, std::size_t group, const RunResult& result)
{
    Scenario alone = WithoutWork(scenario);
    CojobSpec cojob = scenario.workload.groups[group];
    cojob.submit = Time(0);
    for (auto& job : cojob.jobs)
    {
        for (const auto& row : result.jobs)
        {
            job.placement = row.job == job.id ? row.placement : job.placement;
        }
    }
    alone.workload.groups = {cojob};
    return alone;
}

Scenario
MakeJobAlone(const Scenario& scenario, const JobRow& row)
{
    Scenario alone = WithoutWork(scenario);
    for (const auto& group : scenario.workload.groups)
    {
        for (const auto& job : group.jobs)
        {
            if (job.id == row.job)
            {
                alone.workload.groups = {{group.id, true, Time(0), {row.iterations}, {}, {job}}};
            }
        }
    }
    auto& group = alone.workload.groups.at(0);
    auto& job = group.jobs.at(0);
    group.search.SetTypeId(NoneSearchAlgorithm::GetTypeId());
    group.id = CojobId{1};
    job.placement = row.placement;
    job.accuracy.clear();
    job.curve.reset();
    job.stopAfter = NEVER_STOPPED;
    if (!IdsMatter(scenario, row.placement))
    {
        job.id = JobId{1};
    }
    // The iterations that it did are already scaled; what else hangs on that scale is scaled here.
    Scenario onlyIterations = alone;
    onlyIterations.scale.model = 1;
    alone.scheduling.period = ApplyScale(onlyIterations).scheduling.period;
    alone.scale.iterations = 1;
    return alone;
}

} // namespace ddl
} // namespace ns3
