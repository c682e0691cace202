// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-placement-policy.h"

#include "ddl-placement-helpers.h"

#include "ns3/abort.h"
#include "ns3/ddl-error.h"
#include "ns3/log.h"

#include <set>
#include <sstream>
#include <string>

namespace ns3::ddl
{

NS_LOG_COMPONENT_DEFINE("DdlPlacementPolicy");
NS_OBJECT_ENSURE_REGISTERED(PlacementPolicy);

namespace
{

/** \return what is wrong with an answer; "" when nothing is */
std::string
FindMistake(const PlacementView& view, const Placement& placement)
{
    std::ostringstream text;
    std::set<GpuId> taken;
    for (const GpuId& id : placement.workers)
    {
        const GpuView* gpu = FindGpu(view.cluster, id);
        const bool isFree = gpu != nullptr && HasRoom(*gpu, view.memory);
        if (!isFree || !taken.insert(id).second)
        {
            text << "took GPU " << id.index << " of machine " << id.host
                 << (isFree ? " twice" : ", which is not free");
            return text.str();
        }
    }
    for (const HostId host : placement.servers)
    {
        if (FindMachine(view.cluster, host) == nullptr)
        {
            text << "put a server on machine " << host << ", which does not exist";
            return text.str();
        }
    }
    if (placement.workers.size() != view.workers || placement.servers.size() != view.servers)
    {
        text << "gave " << placement.workers.size() << " GPUs to " << view.workers
             << " workers, and " << placement.servers.size() << " machines to " << view.servers
             << " servers";
    }
    return text.str();
}

} // namespace

TypeId
PlacementPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::PlacementPolicy").SetParent<Policy>().SetGroupName("Ddl");
    return tid;
}

std::optional<Placement>
PlacementPolicy::Place(const PlacementView& view)
{
    NS_LOG_FUNCTION(this << view.workers << view.servers);
    NS_ABORT_MSG_IF(view.workers == 0, "a job without workers cannot be placed");
    const Stopwatch stopwatch(*this);
    std::optional<Placement> placement = DoPlace(view);
    const std::string mistake = placement ? FindMistake(view, *placement) : "";
    if (!mistake.empty())
    {
        throw RunError(GetInstanceTypeId().GetName() + " " + mistake);
    }
    NS_LOG_LOGIC((placement ? "placed" : "must wait"));
    return placement;
}

} // namespace ns3::ddl
