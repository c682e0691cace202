// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-communication-pattern.h"

#include "ns3/ddl-error.h"
#include "ns3/log.h"

#include <string>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlCommunicationPattern");
NS_OBJECT_ENSURE_REGISTERED(CommunicationPattern);

namespace
{

/** \return what is wrong with a transfer of a plan; "" when nothing is */
std::string
FindMistake(const PatternView& view, const TransferPlan& plan, uint32_t index)
{
    const Transfer& transfer = plan[index];
    const uint32_t ranks = view.workers + view.servers;
    if (transfer.source >= ranks || transfer.destination >= ranks)
    {
        return "names a rank past " + std::to_string(ranks - 1);
    }
    if (transfer.source == transfer.destination)
    {
        return "goes from rank " + std::to_string(transfer.source) + " to itself";
    }
    if (transfer.bytes == 0)
    {
        return "is empty";
    }
    if (transfer.after.empty() && transfer.source >= view.workers)
    {
        return "waits for nothing, and a server only answers";
    }
    for (const uint32_t earlier : transfer.after)
    {
        if (earlier >= index)
        {
            return "waits for " + std::to_string(earlier) + ", not an earlier one";
        }
        if (plan[earlier].destination != transfer.source && plan[earlier].source != transfer.source)
        {
            return "waits for " + std::to_string(earlier) +
                   ", which neither arrives at its source nor leaves it";
        }
    }
    return "";
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
        const std::string mistake = FindMistake(view, plan, i);
        if (!mistake.empty())
        {
            throw RunError(GetInstanceTypeId().GetName() + ": transfer " + std::to_string(i) + " " +
                           mistake);
        }
    }
    return plan;
}

} // namespace ns3::ddl
