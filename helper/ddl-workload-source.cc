// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-workload-source.h"

#include "ddl-scenario.h"

#include "ns3/ddl-generated-cojobs.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3
{
namespace ddl
{

namespace
{

/** What another source gives, made smaller. */
class ScaledSource : public CojobSource
{
  public:
    ScaledSource(std::unique_ptr<CojobSource> source, const ScaleSpec& scale)
        : m_source(std::move(source)),
          m_scale(scale)
    {
    }

    std::optional<CojobSpec> Next() override
    {
        return Scaled(m_source->Next());
    }

    std::optional<CojobSpec> NextAfter(const CojobSpec& cojob, Time now) override
    {
        const double factor = m_scale.model * m_scale.iterations;
        return Scaled(m_source->NextAfter(cojob, Seconds(now.GetSeconds() / factor)));
    }

  private:
    std::optional<CojobSpec> Scaled(std::optional<CojobSpec> cojob) const
    {
        if (cojob)
        {
            ScaleGroup(*cojob, m_scale);
        }
        return cojob;
    }

    std::unique_ptr<CojobSource> m_source;
    ScaleSpec m_scale;
};

/**
 * \return how many times as much there is as these groups with so many jobs: a generator counts
 *         groups, a trace jobs or coflows
 */
double
CountInSource(const WorkloadSpec& workload, uint64_t groups, uint64_t jobs)
{
    if (workload.generator)
    {
        return static_cast<double>(workload.generator->CountGroups()) / static_cast<double>(groups);
    }
    const uint64_t limit = workload.replay.limit;
    const uint64_t rows =
        std::max<uint64_t>(workload.trace->jobs.size(), workload.trace->coflows.size());
    return static_cast<double>(limit > 0 ? std::min(limit, rows) : rows) /
           static_cast<double>(jobs);
}

} // namespace

std::unique_ptr<CojobSource>
MakeCojobSource(const WorkloadSpec& workload)
{
    std::unique_ptr<CojobSource> source;
    if (workload.generator)
    {
        source = std::make_unique<GeneratedCojobs>(*workload.generator);
    }
    else if (workload.trace)
    {
        source = std::make_unique<TraceCojobs>(workload.trace, workload.replay);
    }
    return source ? std::make_unique<ScaledSource>(std::move(source), workload.sourceScale)
                  : nullptr;
}

void
VisitWorkload(const Scenario& scenario, const std::function<void(const CojobSpec&)>& visit)
{
    VisitSample(scenario, std::numeric_limits<uint64_t>::max(), visit);
}

double
VisitSample(const Scenario& scenario,
            uint64_t most,
            const std::function<void(const CojobSpec&)>& visit)
{
    for (const auto& group : scenario.workload.groups)
    {
        visit(group);
    }
    RngSeedManager::SetSeed(scenario.seed);
    const auto source = MakeCojobSource(scenario.workload);
    if (!source)
    {
        return 1;
    }
    uint64_t groups = 0;
    uint64_t jobs = 0;
    for (auto cojob = source->Next(); cojob; cojob = source->Next())
    {
        for (auto next = std::move(cojob); next; next = source->NextAfter(*next, next->submit))
        {
            if (groups == most)
            {
                return CountInSource(scenario.workload, groups, jobs);
            }
            ++groups;
            jobs += next->jobs.size();
            visit(*next);
        }
    }
    return 1;
}

Scenario
WriteOutWorkload(const Scenario& scenario)
{
    Scenario written = scenario;
    written.workload.groups.clear();
    VisitWorkload(scenario,
                  [&written](const auto& group) { written.workload.groups.push_back(group); });
    written.workload.generator.reset();
    written.workload.trace.reset();
    return written;
}

} // namespace ddl
} // namespace ns3
