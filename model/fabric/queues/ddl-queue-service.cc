// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-queue-service.h"

#include "ns3/ddl-error.h"
#include "ns3/string.h"

namespace ns3::ddl
{

namespace
{

void
SetOrThrow(Ptr<QueueScheduler> service, const std::string& name, const std::string& value)
{
    if (!service->SetAttributeFailSafe(name, StringValue(value)))
    {
        throw InputError(service->GetInstanceTypeId().GetName() + " has no attribute \"" + name +
                         "\" or does not take \"" + value + "\" for it");
    }
}

} // namespace

Ptr<QueueScheduler>
CreateQueueService(const PortSpec& spec)
{
    auto service = CreatePolicy<QueueScheduler>(spec.service);
    for (const auto& attribute : spec.serviceAttributes)
    {
        SetOrThrow(service, attribute.first, attribute.second);
    }
    if (spec.weights.empty())
    {
        return service;
    }
    std::string list;
    for (const uint32_t weight : spec.weights)
    {
        list += (list.empty() ? "" : ",") + std::to_string(weight);
    }
    SetOrThrow(service, "Weights", list);
    return service;
}

} // namespace ns3::ddl
