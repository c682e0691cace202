// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-control-notes.h"

#include "ns3/ddl-mltcp-rdma-congestion-control.h"
#include "ns3/ddl-policy.h"
#include "ns3/ddl-rdma-congestion-control.h"
#include "ns3/ddl-rdma-transport.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <set>

namespace ns3::ddl
{

namespace
{

std::string
ReadText(const ObjectBase& object, const std::string& attribute)
{
    StringValue text;
    object.GetAttribute(attribute, text);
    return text.Get();
}

/** \return the controls that queue pairs use: the one of that name, and the one that it scales */
std::set<TypeId>
ListUsedControls(const std::string& name)
{
    const TypeId mltcp = MltcpRdmaCongestionControl::GetTypeId();
    std::set<TypeId> used{FindPolicy(RdmaCongestionControl::GetTypeId(), name)};
    if (used.count(mltcp) > 0)
    {
        const auto control = CreateObject<MltcpRdmaCongestionControl>();
        used.insert(FindPolicy(RdmaCongestionControl::GetTypeId(), ReadText(*control, "Control")));
    }
    return used;
}

/** \return full names of attributes of a class whose ns-3 default was set to another value */
std::vector<std::string>
ListSetAttributes(TypeId type)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const TypeId::AttributeInformation info = type.GetAttribute(i);
        if (info.initialValue->SerializeToString(info.checker) !=
            info.originalInitialValue->SerializeToString(info.checker))
        {
            names.push_back(type.GetName() + "::" + info.name);
        }
    }
    return names;
}

/** \return why queue pairs use other controls than a given one, or none. \param name short name of
 * the control that they use, "" if there are no queue pairs */
std::string
ExplainOthers(const Scenario& scenario, const std::string& name)
{
    return !name.empty()                          ? "transport.congestionControl is " + name
           : scenario.fidelity == Fidelity::FLUID ? "fidelity is fluid"
                                                  : "transport.kind is not rdma";
}

} // namespace

std::vector<std::string>
FindControlNotes(const Scenario& scenario)
{
    const auto transport = scenario.transport.Create<Transport>();
    const bool isRdma = DynamicCast<RdmaTransport>(transport) != nullptr &&
                        scenario.fidelity != Fidelity::FLUID; // samples are packets
    const std::string name = isRdma ? ReadText(*transport, "CongestionControl") : "";
    const std::set<TypeId> used = isRdma ? ListUsedControls(name) : std::set<TypeId>();
    const std::string others = ExplainOthers(scenario, name);
    std::vector<std::string> notes;
    for (const std::string& each : ListPolicies(RdmaCongestionControl::GetTypeId()))
    {
        const TypeId type = FindPolicy(RdmaCongestionControl::GetTypeId(), each);
        for (const std::string& attribute : ListSetAttributes(type))
        {
            if (used.count(type) == 0)
            {
                notes.push_back("--" + attribute + " changes nothing: " + others);
            }
        }
    }
    const auto isPath = [](TypeId type) {
        const auto control = CreatePolicy<RdmaCongestionControl>(type.GetName());
        return control->GetFeedback() == RdmaFeedback::PATH;
    };
    UintegerValue interval(1);
    if (std::any_of(used.begin(), used.end(), isPath))
    {
        transport->GetAttribute("AckInterval", interval);
    }
    if (interval.Get() > 1)
    {
        notes.push_back("transport.ackInterval is " + std::to_string(interval.Get()) +
                        ", and with more than 1 " + name + " does not share links fairly");
    }
    return notes;
}

} // namespace ns3::ddl
