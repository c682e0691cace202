// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ADA_DUAL_COMMUNICATION_GATE_H
#define DDL_ADA_DUAL_COMMUNICATION_GATE_H

#include "ddl-communication-gate.h"

namespace ns3
{
namespace ddl
{

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
 * M_old is what the old task's leader last reported, less what b allows in the time since; nothing
 * tells the coordinator that the task was slowed down meanwhile. With Oracle it is the truth.
 */
class AdaDualCommunicationGate : public CommunicationGate
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    bool WantsTruth() const override;

  private:
    bool DoMayStart(const GateView& view) override;

    /** \return the cluster's calibrated model, with what the attributes set instead */
    ContentionModel GetModel(const ContentionModel& calibrated) const;

    double m_a;
    double m_b;
    double m_eta;
    bool m_oracle;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_ADA_DUAL_COMMUNICATION_GATE_H
