// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-philly-arrival-process.h"

#include <utility>
#include <vector>

namespace ns3
{
namespace ddl
{

NS_OBJECT_ENSURE_REGISTERED(PhillyArrivalProcess);

TypeId
PhillyArrivalProcess::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::PhillyArrivalProcess")
                            .SetParent<ArrivalProcess>()
                            .SetGroupName("Ddl")
                            .AddConstructor<PhillyArrivalProcess>();
    return tid;
}

PhillyArrivalProcess::PhillyArrivalProcess()
    : m_variable(CreateObject<EmpiricalRandomVariable>())
{
    static const std::vector<std::pair<double, double>> percentiles = {{0, 0},
                                                                       {10, 1},
                                                                       {20, 2},
                                                                       {30, 3},
                                                                       {40, 5},
                                                                       {50, 8},
                                                                       {60, 13},
                                                                       {70, 26},
                                                                       {75, 44},
                                                                       {80, 101},
                                                                       {90, 361},
                                                                       {95, 599},
                                                                       {98, 600},
                                                                       {99, 601},
                                                                       {99.5, 725},
                                                                       {99.9, 2280},
                                                                       {99.95, 10779},
                                                                       {99.99, 57398},
                                                                       {100, 247199}};
    m_variable->SetInterpolate(true);
    for (const auto& [percent, seconds] : percentiles)
    {
        m_variable->CDF(seconds, percent / 100);
    }
}

std::string
PhillyArrivalProcess::GetSummary() const
{
    return "gaps as in the Philly trace (Jeon et al. 2019; Grouper Fig. 13(b))";
}

int64_t
PhillyArrivalProcess::AssignStreams(int64_t stream)
{
    m_variable->SetStream(stream);
    return 1;
}

Time
PhillyArrivalProcess::DoGetGap(const ArrivalView& view)
{
    return view.index == 0 ? Time(0) : Seconds(m_variable->GetValue());
}

} // namespace ddl
} // namespace ns3
