// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-communication-pattern.h"

#include "ns3/ddl-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlCommunicationPattern");
NS_OBJECT_ENSURE_REGISTERED(CommunicationPattern);

namespace
{

/** \return the first fault of a transfer of a plan; "" when there is none */
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

void
CommunicationPattern::CheckServes(const PatternView& view) const
{
    const std::string refusal = view.workers == 0 ? "a job needs at least 1 worker" : Refuse(view);
    if (!refusal.empty())
    {
        throw InputError(refusal);
    }
}

TransferPlan
CommunicationPattern::Plan(const PatternView& view) const
{
    NS_LOG_FUNCTION(this << view.workers << view.servers << view.bytes);
    CheckServes(view);
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

RotatedPlan
CommunicationPattern::PlanRotated(const PatternView& view) const
{
    NS_LOG_FUNCTION(this << view.workers << view.servers << view.bytes);
    CheckServes(view);
    if (view.servers > 0 || view.bytes < view.workers)
    {
        return {}; // some ranks do nothing, or other things than workers
    }
    RotatedPlan plan = DoPlanRotated(view);
    for (uint32_t i = 0; i < plan.size(); ++i)
    {
        const RotatedTransfer& transfer = plan[i];
        const bool isEarlier = std::all_of(transfer.after.begin(),
                                           transfer.after.end(),
                                           [i](uint32_t earlier) { return earlier < i; });
        if (transfer.distance % view.workers == 0 || !isEarlier)
        {
            throw RunError(GetInstanceTypeId().GetName() + ": rotated transfer " +
                           std::to_string(i) +
                           (isEarlier ? " goes to its source" : " waits for a later one"));
        }
    }
    return plan;
}

TransferPlan
ListTransfers(const RotatedPlan& plan, const PatternView& view)
{
    const uint32_t n = view.workers;
    constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max(); // for an empty part
    TransferPlan list;
    std::vector<uint32_t> index(plan.size() * n, NONE); // index in the list, by transfer and source
    for (std::size_t i = 0; i < plan.size(); ++i)
    {
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            const uint32_t part = (plan[i].part + rank) % n;
            const uint64_t bytes = SplitBytes(view.bytes, n, part);
            if (bytes == 0)
            {
                continue;
            }
            std::vector<uint32_t> after;
            for (const uint32_t earlier : plan[i].after)
            {
                const uint32_t source = (rank + n - plan[earlier].distance % n) % n;
                if (index[earlier * n + source] != NONE)
                {
                    after.push_back(index[earlier * n + source]);
                }
            }
            index[i * n + rank] = list.size();
            list.push_back({rank,
                            (rank + plan[i].distance) % n,
                            bytes,
                            std::move(after),
                            SplitOffset(view.bytes, n, part),
                            plan[i].copy});
        }
    }
    return list;
}

} // namespace ns3::ddl
