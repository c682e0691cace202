// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-generator-spec.h"

#include "ddl-at-once-arrival-process.h"

#include "ns3/ddl-parameter-server-communication-pattern.h"
#include "ns3/ddl-successive-halving-search-algorithm.h"

#include <algorithm>
#include <set>

namespace ns3::ddl
{

GeneratorSpec::GeneratorSpec()
    : iterations(MakeConstant(1000))
{
    pattern.SetTypeId(ParameterServerCommunicationPattern::GetTypeId());
    search.SetTypeId(SuccessiveHalvingSearchAlgorithm::GetTypeId());
    arrivals.SetTypeId(AtOnceArrivalProcess::GetTypeId());
}

std::vector<CojobShape>
GeneratorSpec::ListShapes() const
{
    if (kind == "hyperband")
    {
        return MakeHyperbandBrackets(maxIterations, eta);
    }
    return kind == "jobs" ? std::vector<CojobShape>{{1, {}}}
                          : std::vector<CojobShape>{{jobs, stages}};
}

bool
GeneratorSpec::HasSizesByModel() const
{
    return std::any_of(models.begin(), models.end(), [](const GeneratorModel& model) {
        return !model.sizes.empty();
    });
}

std::vector<uint32_t>
GeneratorSpec::ListWorkers(const GeneratorModel& model) const
{
    if (model.workers > 0)
    {
        return {model.workers};
    }
    const std::vector<JobSize>& known = HasSizesByModel() ? model.sizes : sizes;
    std::set<uint32_t> numbers;
    for (const JobSize& size : known)
    {
        numbers.insert(size.workers);
    }
    return known.empty() ? std::vector<uint32_t>{workers}
                         : std::vector<uint32_t>(numbers.begin(), numbers.end());
}

uint32_t
GeneratorSpec::CountGroups() const
{
    return kind == "jobs" ? jobs : cojobs;
}

} // namespace ns3::ddl
