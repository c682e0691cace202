// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-policy.h"

#include "ddl-attribute-check.h"
#include "ddl-error.h"

#include <algorithm>
#include <cctype>

namespace ns3::ddl
{

NS_OBJECT_ENSURE_REGISTERED(Policy);

namespace
{

/** \return the part of a TypeId name behind the last "::" */
std::string
ClassName(TypeId type)
{
    const std::string name = type.GetName();
    const auto colon = name.rfind(':');
    return colon == std::string::npos ? name : name.substr(colon + 1);
}

/** "FairShare" -> "fair-share", "SrsfN" -> "srsf-n", "2dLas" -> "2d-las" */
std::string
ToKebab(const std::string& camel)
{
    std::string kebab;
    for (const char c : camel)
    {
        if (std::isupper(static_cast<unsigned char>(c)) && !kebab.empty())
        {
            kebab += '-';
        }
        kebab += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return kebab;
}

std::vector<TypeId>
FindPolicies(TypeId family)
{
    std::vector<TypeId> policies;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type != family && type.IsChildOf(family) && type.HasConstructor())
        {
            policies.push_back(type);
        }
    }
    return policies;
}

} // namespace

TypeId
Policy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::Policy").SetParent<Object>().SetGroupName("Ddl");
    return tid;
}

Policy::Stopwatch::Stopwatch(const Policy& policy)
    : m_policy(policy),
      m_start(std::clock())
{
}

Policy::Stopwatch::~Stopwatch()
{
    m_policy.m_cpuSeconds += static_cast<double>(std::clock() - m_start) / CLOCKS_PER_SEC;
}

std::string
GetShortName(TypeId family, TypeId policy)
{
    std::string name = ClassName(policy);
    const std::string suffix = ClassName(family);
    if (name.size() > suffix.size() &&
        name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0)
    {
        name.resize(name.size() - suffix.size());
    }
    return ToKebab(name);
}

std::vector<std::string>
ListPolicies(TypeId family)
{
    std::vector<std::string> names;
    for (const TypeId& policy : FindPolicies(family))
    {
        names.push_back(GetShortName(family, policy));
    }
    std::sort(names.begin(), names.end());
    return names;
}

TypeId
FindPolicy(TypeId family, const std::string& name)
{
    for (const TypeId& policy : FindPolicies(family))
    {
        if (name == policy.GetName() || name == GetShortName(family, policy))
        {
            return policy;
        }
    }
    const auto names = ListPolicies(family);
    throw InputError("unknown " + ToKebab(ClassName(family)) + " \"" + name + "\" (one of " +
                     JoinNames(names) + ")" + SuggestName(name, names));
}

} // namespace ns3::ddl
