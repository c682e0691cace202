// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-arrival-process.h"

#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>

namespace ns3::ddl
{

/**
 * `uniform`: all arrivals are within Window, each at a time drawn uniformly (Ada-SRSF §V-A: 20
 * minutes). They are drawn in order of time: of n further arrivals in the time t that is left, the
 * first one is after t (1 - u^(1 / n)), u uniform on (0, 1).
 */
class UniformArrivalProcess : public ArrivalProcess
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::UniformArrivalProcess")
                                .SetParent<ArrivalProcess>()
                                .SetGroupName("Ddl")
                                .AddConstructor<UniformArrivalProcess>()
                                .AddAttribute("Window",
                                              "Time within which all arrive.",
                                              TimeValue(Minutes(20)),
                                              MakeTimeAccessor(&UniformArrivalProcess::m_window),
                                              MakeTimeChecker(Time(0)));
        return tid;
    }

    UniformArrivalProcess()
        : m_variable(CreateObject<UniformRandomVariable>())
    {
    }

    std::string GetSummary() const override
    {
        return "each at a random time within Window (Ada-SRSF: 20 minutes)";
    }

    int64_t AssignStreams(int64_t stream) override
    {
        m_variable->SetStream(stream);
        return 1;
    }

  private:
    Time DoGetGap(const ArrivalView& view) override
    {
        const double left = std::max(0.0, (m_window - view.last).GetSeconds());
        const double part = std::pow(m_variable->GetValue(), 1.0 / (view.count - view.index));
        return Seconds(left * (1 - part));
    }

    Time m_window;
    Ptr<UniformRandomVariable> m_variable; //!< u, from 0 to 1
};

NS_OBJECT_ENSURE_REGISTERED(UniformArrivalProcess);

} // namespace ns3::ddl
