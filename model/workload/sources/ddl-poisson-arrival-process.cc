// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-arrival-process.h"

#include "ns3/random-variable-stream.h"

namespace ns3::ddl
{

/** `poisson`: gaps are independent and exponentially distributed. The first arrival is at 0. */
class PoissonArrivalProcess : public ArrivalProcess
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::PoissonArrivalProcess")
                                .SetParent<ArrivalProcess>()
                                .SetGroupName("Ddl")
                                .AddConstructor<PoissonArrivalProcess>()
                                .AddAttribute("MeanGap",
                                              "Mean time between two arrivals.",
                                              TimeValue(Seconds(60)),
                                              MakeTimeAccessor(&PoissonArrivalProcess::m_mean),
                                              MakeTimeChecker(NanoSeconds(1), Seconds(1e6)));
        return tid;
    }

    PoissonArrivalProcess()
        : m_variable(CreateObject<ExponentialRandomVariable>())
    {
    }

    std::string GetSummary() const override
    {
        return "independent, exponentially distributed gaps of mean MeanGap";
    }

    int64_t AssignStreams(int64_t stream) override
    {
        m_variable->SetStream(stream);
        return 1;
    }

  private:
    Time DoGetGap(const ArrivalView& view) override
    {
        return view.index == 0 ? Time(0) : Seconds(m_variable->GetValue() * m_mean.GetSeconds());
    }

    Time m_mean;
    Ptr<ExponentialRandomVariable> m_variable; //!< gap in units of the mean gap
};

NS_OBJECT_ENSURE_REGISTERED(PoissonArrivalProcess);

} // namespace ns3::ddl
