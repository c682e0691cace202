// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-policy.h"

#include "ddl-attribute-check.h"
#include "ddl-error.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

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

/** \return a class name as a short name: "FairShare" -> "fair-share", "2dLas" -> "2d-las" */
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

/** \return the classes of a family that have a constructor. The answer is cached until more classes
 * are registered: ns-3 has a thousand, and reading a scenario asks some hundred times. */
const std::vector<TypeId>&
FindPolicies(TypeId family)
{
    struct Found
    {
        std::size_t registered{0}; //!< number of registered TypeIds when the answer was made
        std::vector<TypeId> policies;
    };

    static std::map<TypeId, Found> families;
    Found& found = families[family];
    if (found.registered != TypeId::GetRegisteredN())
    {
        found = {TypeId::GetRegisteredN(), {}};
        for (std::size_t i = 0; i < found.registered; ++i)
        {
            const TypeId type = TypeId::GetRegistered(i);
            if (type != family && type.IsChildOf(family) && type.HasConstructor())
            {
                found.policies.push_back(type);
            }
        }
    }
    return found.policies;
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
