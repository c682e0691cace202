// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-communication-pattern.h"
#include "ddl-plan-builder.h"

#include "ns3/abort.h"
#include "ns3/ddl-error.h"
#include "ns3/string.h"

#include <numeric>

namespace ns3::ddl
{

namespace
{

/** \return the workers of each server (chassis), ascending; servers by their first worker */
std::vector<std::vector<uint32_t>>
GroupByServer(const PatternView& view)
{
    std::vector<uint32_t> ranks(view.workers);
    std::iota(ranks.begin(), ranks.end(), 0);
    NS_ABORT_MSG_IF(!view.machines.empty() && view.machines.size() != view.workers,
                    view.machines.size() << " machines for " << view.workers << " workers");
    return GroupRanks(ranks, view.machines.empty() ? ranks : view.machines);
}

/** Add transfers between each leader and the other workers of its server, in one direction. */
void
SendLocally(PlanBuilder& builder,
            const std::vector<std::vector<uint32_t>>& machines,
            uint64_t bytes,
            bool back)
{
    for (const auto& ranks : machines)
    {
        for (std::size_t i = 1; i < ranks.size(); ++i)
        {
            builder.Send(ranks[back ? 0 : i], ranks[back ? i : 0], {0, bytes}, back);
        }
    }
}

} // namespace

/**
 * `hierarchical`: all-reduce of M bytes in three parts: on each server all workers send to its
 * leader, the first of them by rank; the leaders all-reduce by the pattern `Between`; each leader
 * sends the sum to the workers of its server (Ada-SRSF §III-B: inside a machine nothing touches the
 * network). Where a server's GPUs have interfaces of their own, they exchange over its switch.
 *
 * With L servers, each one machine, and local streams of rate 1/beta', as many at a time as there
 * are workers,
 *
 *     T = 2 (alpha' + M beta') [some machine has 2] + T_between(L, M);
 *
 * all together send 2 (N - L) M bytes inside machines, and between them what `Between` sends for L
 * workers. A worker whose machine is not known has one of its own.
 */
class HierarchicalCommunicationPattern : public CommunicationPattern
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ddl::HierarchicalCommunicationPattern")
                .SetParent<CommunicationPattern>()
                .SetGroupName("Ddl")
                .AddConstructor<HierarchicalCommunicationPattern>()
                .AddAttribute("Between",
                              "Pattern among the machines' leaders, without servers.",
                              StringValue("ring"),
                              MakeStringAccessor(&HierarchicalCommunicationPattern::m_between),
                              MakeStringChecker());
        return tid;
    }

    std::string GetSummary() const override
    {
        return "all-reduce on each machine, then among one leader a machine, then back";
    }

    std::string Refuse(const PatternView& view) const override
    {
        if (view.servers > 0)
        {
            return "pattern hierarchical has no servers; servers must be 0";
        }
        const std::string own = GetShortName(CommunicationPattern::GetTypeId(), GetTypeId());
        if (m_between == own || m_between == GetTypeId().GetName())
        {
            return "pattern hierarchical cannot be its own pattern between machines";
        }
        try
        {
            return CreatePolicy<CommunicationPattern>(m_between)->Refuse({1, 0, view.bytes});
        }
        catch (const InputError& error)
        {
            return std::string("Between: ") + error.what();
        }
    }

  private:
    TransferPlan DoPlan(const PatternView& view) const override
    {
        const auto machines = GroupByServer(view);
        PlanBuilder builder(view.workers);
        SendLocally(builder, machines, view.bytes, false);
        TransferPlan plan = builder.Take();
        std::vector<std::vector<uint32_t>> arrivals(view.workers); // transfers to each leader
        for (uint32_t i = 0; i < plan.size(); ++i)
        {
            arrivals[plan[i].destination].push_back(i);
        }
        const uint32_t offset = plan.size();
        const PatternView leaders{static_cast<uint32_t>(machines.size()), 0, view.bytes};
        for (Transfer transfer : CreatePolicy<CommunicationPattern>(m_between)->Plan(leaders))
        {
            transfer.source = machines[transfer.source].front();
            transfer.destination = machines[transfer.destination].front();
            std::vector<uint32_t> after = arrivals[transfer.source];
            for (const uint32_t earlier : transfer.after)
            {
                after.push_back(earlier + offset);
            }
            transfer.after = std::move(after);
            plan.push_back(std::move(transfer));
        }
        for (uint32_t i = offset; i < plan.size(); ++i)
        {
            arrivals[plan[i].destination].push_back(i);
        }
        SendLocally(builder, machines, view.bytes, true);
        for (Transfer transfer : builder.Take())
        {
            transfer.after = arrivals[transfer.source];
            plan.push_back(std::move(transfer));
        }
        return plan;
    }

    std::string m_between; //!< short name of the pattern among leaders
};

NS_OBJECT_ENSURE_REGISTERED(HierarchicalCommunicationPattern);

} // namespace ns3::ddl
