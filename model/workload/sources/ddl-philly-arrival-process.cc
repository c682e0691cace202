// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-arrival-process.h"

#include "ns3/random-variable-stream.h"

#include <utility>
#include <vector>

namespace ns3::ddl
{

/**
 * `philly`: gaps of Microsoft's Philly cluster, 2017 (Jeon et al., USENIX ATC 2019; the
 * distribution behind Grouper Fig. 13(b)), drawn from the percentiles of its 82,246 gaps, with
 * linear interpolation. The first arrival is at 0.
 *
 * The mean of the draws is 123 s; that of the trace is 114 s, since most gaps between two
 * percentiles are shorter than by linear interpolation.
 */
class PhillyArrivalProcess : public ArrivalProcess
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::PhillyArrivalProcess")
                                .SetParent<ArrivalProcess>()
                                .SetGroupName("Ddl")
                                .AddConstructor<PhillyArrivalProcess>();
        return tid;
    }

    PhillyArrivalProcess()
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

    std::string GetSummary() const override
    {
        return "gaps as in the Philly trace (Jeon et al. 2019; Grouper Fig. 13(b))";
    }

    int64_t AssignStreams(int64_t stream) override
    {
        m_variable->SetStream(stream);
        return 1;
    }

  private:
    Time DoGetGap(const ArrivalView& view) override
    {
        return view.index == 0 ? Time(0) : Seconds(m_variable->GetValue());
    }

    Ptr<EmpiricalRandomVariable> m_variable; //!< gap in seconds
};

NS_OBJECT_ENSURE_REGISTERED(PhillyArrivalProcess);

} // namespace ns3::ddl
