// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-congestion-control.h"

#include "ddl-dctcp-floor.h"

#include "ns3/ddl-attribute-check.h"
#include "ns3/ddl-error.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-cubic.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace ns3::ddl
{

namespace
{

/** \return whether a class is a congestion control. Up to ns-3.37, TcpCubic's registered parent is
 * TcpSocketBase */
bool
IsCongestionControl(TypeId type)
{
    return type.HasConstructor() && type != TcpCongestionOps::GetTypeId() &&
           (type.IsChildOf(TcpCongestionOps::GetTypeId()) || type == TcpCubic::GetTypeId());
}

/** \return the short name of a class: "newreno" for "ns3::TcpNewReno" */
std::string
ToShortName(const std::string& className)
{
    std::string name = className.substr(className.rfind(':') + 1);
    if (name.compare(0, 3, "Tcp") == 0)
    {
        name.erase(0, 3);
    }
    for (char& c : name)
    {
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return name;
}

/** \return every congestion control with a constructor, by short name; `dctcp` is DctcpFloor */
std::map<std::string, TypeId>
FindAll()
{
    std::map<std::string, TypeId> found;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (IsCongestionControl(type) && type != DctcpFloor::GetTypeId())
        {
            found.emplace(ToShortName(type.GetName()), type);
        }
    }
    found["dctcp"] = DctcpFloor::GetTypeId();
    return found;
}

} // namespace

TypeId
FindCongestionControl(const std::string& name)
{
    const auto all = FindAll();
    const auto found = all.find(name);
    if (found != all.end())
    {
        return found->second;
    }
    TypeId type;
    if (TypeId::LookupByNameFailSafe(name, &type) && IsCongestionControl(type))
    {
        return type;
    }
    const auto names = ListCongestionControls();
    throw InputError("unknown congestion control \"" + name + "\" (one of " + JoinNames(names) +
                     ", or the full name of a TcpCongestionOps)" + SuggestName(name, names));
}

std::vector<std::string>
ListCongestionControls()
{
    std::vector<std::string> names;
    for (const auto& entry : FindAll())
    {
        names.push_back(entry.first);
    }
    return names;
}

} // namespace ns3::ddl
