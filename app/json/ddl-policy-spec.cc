// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-policy-spec.h"

#include "ddl-json-text.h"

#include "ns3/ddl-attribute-check.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-policy.h"
#include "ns3/string.h"

#include <algorithm>

namespace ns3::ddl
{

namespace
{

/** \return `{"type": "srsf-n", "N": 2}` for `srsf-2`; the same as given if it is no such short form
 */
PolicySpec
Expand(const PolicySpec& given, TypeId family)
{
    const auto dash = given.name.rfind('-');
    const std::string number = dash == std::string::npos ? "" : given.name.substr(dash + 1);
    if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos)
    {
        return given;
    }
    const auto policies = ListPolicies(family);
    const std::string general = given.name.substr(0, dash) + "-n";
    const bool isExact = std::count(policies.begin(), policies.end(), given.name) > 0;
    if (isExact || std::count(policies.begin(), policies.end(), general) == 0)
    {
        return given;
    }
    PolicySpec expanded = given;
    expanded.name = general;
    expanded.attributes.insert(expanded.attributes.begin(), {"N", number, given.where});
    return expanded;
}

} // namespace

ObjectFactory
PolicySpec::MakeFactory(TypeId family, std::vector<Diagnostic>& diagnostics) const
{
    ObjectFactory factory;
    const PolicySpec expanded = Expand(*this, family);
    try
    {
        factory.SetTypeId(FindPolicy(family, expanded.name));
    }
    catch (const InputError& error)
    {
        diagnostics.push_back({where, pointer, error.what()});
        return factory;
    }
    std::vector<std::string> names;
    for (const auto& [name, text, place] : expanded.attributes)
    {
        const bool isRepeated = std::count(names.begin(), names.end(), name) > 0;
        const std::string problem = isRepeated ? "already set by \"" + this->name + "\""
                                               : CheckAttribute(factory.GetTypeId(), name, text);
        names.push_back(name);
        if (problem.empty())
        {
            factory.Set(name, StringValue(text));
        }
        else
        {
            diagnostics.push_back({place, JsonPointer(pointer, name), problem});
        }
    }
    return factory;
}

} // namespace ns3::ddl
