// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-ada-dual-communication-gate.h"

#include "ns3/boolean.h"
#include "ns3/double.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace ddl
{

NS_OBJECT_ENSURE_REGISTERED(AdaDualCommunicationGate);

namespace
{

constexpr double CALIBRATED = -1; //!< the cluster's model says

} // namespace

TypeId
AdaDualCommunicationGate::GetTypeId()
{
    using Self = AdaDualCommunicationGate;
    static TypeId tid =
        TypeId("ns3::ddl::AdaDualCommunicationGate")
            .SetParent<CommunicationGate>()
            .SetGroupName("Ddl")
            .AddConstructor<AdaDualCommunicationGate>()
            .AddAttribute("A",
                          "Seconds before the first byte moves (Eq. 2). Below 0: as calibrated for "
                          "the transport.",
                          DoubleValue(CALIBRATED),
                          MakeDoubleAccessor(&Self::m_a),
                          MakeDoubleChecker<double>(CALIBRATED, 1e3))
            .AddAttribute("B",
                          "Seconds a byte without contention (Eq. 2). 0 or below: as calibrated "
                          "for the transport and scaled to the NICs' rate.",
                          DoubleValue(CALIBRATED),
                          MakeDoubleAccessor(&Self::m_b),
                          MakeDoubleChecker<double>(CALIBRATED, 1e3))
            .AddAttribute("Eta",
                          "Seconds a byte that contention costs on top of sharing (Eq. 5). Below "
                          "0: as calibrated for the transport and scaled to the NICs' rate.",
                          DoubleValue(CALIBRATED),
                          MakeDoubleAccessor(&Self::m_eta),
                          MakeDoubleChecker<double>(CALIBRATED, 1e3))
            .AddAttribute(
                "Oracle",
                "Whether it knows what is really left of a transfer, instead of reckoning "
                "from what the leader last reported",
                BooleanValue(false),
                MakeBooleanAccessor(&Self::m_oracle),
                MakeBooleanChecker());
    return tid;
}

std::string
AdaDualCommunicationGate::GetSummary() const
{
    return "a second transfer joins where that lowers the average of the two, a third never "
           "(Ada-SRSF Algorithm 2)";
}

bool
AdaDualCommunicationGate::WantsTruth() const
{
    return m_oracle;
}

ContentionModel
AdaDualCommunicationGate::GetModel(const ContentionModel& calibrated) const
{
    return {m_a < 0 ? calibrated.a : m_a,
            m_b <= 0 ? calibrated.b : m_b,
            m_eta < 0 ? calibrated.eta : m_eta};
}

bool
AdaDualCommunicationGate::DoMayStart(const GateView& view)
{
    const ContentionModel model = GetModel(view.model);
    double least = std::numeric_limits<double>::infinity(); // left of any old task
    for (const auto& server : view.servers)
    {
        if (server.tasks.size() > 1)
        {
            return false;
        }
        for (const uint32_t index : server.tasks)
        {
            const CommunicationTask& old = view.running[index];
            const auto reported = static_cast<double>(old.bytes);
            const double left = m_oracle && old.truth
                                    ? static_cast<double>(*old.truth)
                                    : model.GetRemaining(reported, view.now - old.reported);
            least = std::min(least, left);
        }
    }
    // Multiplied out, so that an old task of which nothing is left is no division by 0.
    const auto fresh = static_cast<double>(view.GetTask().bytes);
    return least == std::numeric_limits<double>::infinity() ||
           fresh * 2 * (model.b + model.eta) < least * model.b;
}

} // namespace ddl
} // namespace ns3
