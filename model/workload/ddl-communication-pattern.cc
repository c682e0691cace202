// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-communication-pattern.h"

#include "ns3/abort.h"
#include "ns3/ddl-error.h"
#include "ns3/log.h"

namespace ns3
{
namespace ddl
{

NS_LOG_COMPONENT_DEFINE("DdlCommunicationPattern");
NS_OBJECT_ENSURE_REGISTERED(CommunicationPattern);

namespace
{

/** A plan that breaks its contract is an error of the pattern's author, so it ends the program. */
void
CheckTransfer(const PatternView& view, const TransferPlan& plan, uint32_t index)
{
    const Transfer& transfer = plan[index];
    const uint32_t ranks = view.workers + view.servers;
    NS_ABORT_MSG_IF(transfer.source >= ranks || transfer.destination >= ranks,
                    "transfer " << index << " names a rank past " << ranks - 1);
    NS_ABORT_MSG_IF(transfer.source == transfer.destination,
                    "transfer " << index << " goes from rank " << transfer.source << " to itself");
    NS_ABORT_MSG_IF(transfer.bytes == 0, "transfer " << index << " is empty");
    NS_ABORT_MSG_IF(transfer.after.empty() && transfer.source >= view.workers,
                    "transfer " << index << ": a server only answers");
    for (const uint32_t earlier : transfer.after)
    {
        NS_ABORT_MSG_IF(earlier >= index,
                        "transfer " << index << " waits for " << earlier << ", not an earlier one");
        NS_ABORT_MSG_IF(plan[earlier].destination != transfer.source &&
                            plan[earlier].source != transfer.source,
                        "transfer " << index << " waits for " << earlier
                                    << ", which neither arrives at its source nor leaves it");
    }
}

} // namespace

TypeId
CommunicationPattern::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ddl::CommunicationPattern").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

TransferPlan
CommunicationPattern::Plan(const PatternView& view) const
{
    NS_LOG_FUNCTION(this << view.workers << view.servers << view.bytes);
    const std::string refusal = view.workers == 0 ? "a job needs at least 1 worker" : Refuse(view);
    if (!refusal.empty())
    {
        throw InputError(refusal);
    }
    TransferPlan plan = DoPlan(view);
    for (uint32_t i = 0; i < plan.size(); ++i)
    {
        CheckTransfer(view, plan, i);
    }
    return plan;
}

} // namespace ddl
} // namespace ns3
