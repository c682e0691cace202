// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-communication-gate.h"

#include "ns3/boolean.h"
#include "ns3/ddl-policy-source.h"
#include "ns3/double.h"

#include <algorithm>
#include <limits>

namespace ns3::ddl
{

namespace
{

constexpr double CALIBRATED = -1; //!< value that stands for that of the calibrated model

} // namespace

/**
 * AdaDUAL (Ada-SRSF Algorithm 2, Theorems 1 and 2): a task may join one other where that lowers the
 * average completion time of the two, and never two others.
 *
 * Where none of the servers carries a task, it starts. Where one of them carries two or more, it
 * waits. Otherwise it starts if M_new / M_old < b / (2 (b + eta)). Different servers may carry
 * different old tasks: then this has to hold for each of them (lines 4 to 8 of the algorithm look
 * at the first such server only; here the maximum and the set of old tasks are those of all
 * servers).
 *
 * M_old is what the old task's leader last reported, less what b allows in the time since; the
 * coordinator does not know whether the task was slowed down meanwhile. With Oracle it does.
 */
class AdaDualCommunicationGate : public CommunicationGate
{
  public:
    static TypeId GetTypeId()
    {
        using Self = AdaDualCommunicationGate;
        static TypeId tid =
            TypeId("ns3::ddl::AdaDualCommunicationGate")
                .SetParent<CommunicationGate>()
                .SetGroupName("Ddl")
                .AddConstructor<AdaDualCommunicationGate>()
                .AddAttribute(
                    "A",
                    "Seconds before the first byte moves (Eq. 2). Below 0: as calibrated for "
                    "the transport.",
                    DoubleValue(CALIBRATED),
                    MakeDoubleAccessor(&Self::m_a),
                    MakeDoubleChecker<double>(CALIBRATED, 1e3))
                .AddAttribute(
                    "B",
                    "Seconds per byte without contention (Eq. 2). 0 or below: as calibrated "
                    "for the transport and scaled to the NICs' rate.",
                    DoubleValue(CALIBRATED),
                    MakeDoubleAccessor(&Self::m_b),
                    MakeDoubleChecker<double>(CALIBRATED, 1e3))
                .AddAttribute(
                    "Eta",
                    "Seconds per byte that contention costs on top of sharing (Eq. 5). Below "
                    "0: as calibrated for the transport and scaled to the NICs' rate.",
                    DoubleValue(CALIBRATED),
                    MakeDoubleAccessor(&Self::m_eta),
                    MakeDoubleChecker<double>(CALIBRATED, 1e3))
                .AddAttribute("Oracle",
                              "Whether the gate knows the bytes left of each transfer, instead of "
                              "estimating them from the leader's last report",
                              BooleanValue(false),
                              MakeBooleanAccessor(&Self::m_oracle),
                              MakeBooleanChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "a second transfer joins where that lowers the average of the two, a third never "
               "(Ada-SRSF Algorithm 2)";
    }

    bool WantsTruth() const override
    {
        return m_oracle;
    }

  private:
    GateAnswer DoMayStart(const GateView& view) override
    {
        const ContentionModel model = GetModel(view.model);
        double least = std::numeric_limits<double>::infinity(); // least bytes left of an old task
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
        // The condition is multiplied out, to avoid a division by 0 for an old task without bytes.
        const auto fresh = static_cast<double>(view.GetTask().bytes);
        return least == std::numeric_limits<double>::infinity() ||
               fresh * 2 * (model.b + model.eta) < least * model.b;
    }

    /** \return the cluster's calibrated model, with the parameters that attributes set instead */
    ContentionModel GetModel(const ContentionModel& calibrated) const
    {
        return {m_a < 0 ? calibrated.a : m_a,
                m_b <= 0 ? calibrated.b : m_b,
                m_eta < 0 ? calibrated.eta : m_eta};
    }

    double m_a;
    double m_b;
    double m_eta;
    bool m_oracle;
};

NS_OBJECT_ENSURE_REGISTERED(AdaDualCommunicationGate);
DDL_POLICY_SOURCE(AdaDualCommunicationGate,
                  "Ada-SRSF, arXiv",
                  2020,
                  "bytes left of transfers, remaining time");

} // namespace ns3::ddl
