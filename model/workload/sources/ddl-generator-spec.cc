// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-generator-spec.h"

#include "ddl-at-once-arrival-process.h"

#include "ns3/ddl-parameter-server-communication-pattern.h"
#include "ns3/ddl-successive-halving-search-algorithm.h"

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

uint32_t
GeneratorSpec::CountGroups() const
{
    return kind == "jobs" ? jobs : cojobs;
}

} // namespace ns3::ddl
