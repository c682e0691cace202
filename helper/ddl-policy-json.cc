// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-policy-json.h"

#include "ns3/ddl-policy.h"

#include <sstream>

namespace ns3
{
namespace ddl
{

namespace
{

/** \return the parts of "A=1|B=ns3::X[C=2|D=3]|" before the bars that stand outside of brackets */
std::vector<std::string>
SplitOutside(const std::string& text)
{
    std::vector<std::string> parts(1);
    uint32_t depth = 0;
    for (const char c : text)
    {
        depth += (c == '[') ? 1 : 0;
        depth -= (c == ']' && depth > 0) ? 1 : 0;
        if (c == '|' && depth == 0)
        {
            parts.emplace_back();
        }
        else
        {
            parts.back() += c;
        }
    }
    if (parts.back().empty()) // ns-3 writes a bar at the end, too
    {
        parts.pop_back();
    }
    return parts;
}

} // namespace

std::vector<std::pair<std::string, std::string>>
AttributesOf(const ObjectFactory& factory)
{
    std::ostringstream printed;
    printed << factory;
    const std::string text = printed.str();
    std::vector<std::pair<std::string, std::string>> attributes;
    const auto open = text.find('[');
    if (open == std::string::npos)
    {
        return attributes;
    }
    for (const auto& attribute : SplitOutside(text.substr(open + 1, text.rfind(']') - open - 1)))
    {
        const auto equals = attribute.find('=');
        attributes.emplace_back(attribute.substr(0, equals), attribute.substr(equals + 1));
    }
    return attributes;
}

Json
PolicyJson(TypeId family, const ObjectFactory& factory)
{
    const std::string name = GetShortName(family, factory.GetTypeId());
    const auto attributes = AttributesOf(factory);
    if (attributes.empty())
    {
        return name;
    }
    Json policy = {{"type", name}};
    for (const auto& [attribute, value] : attributes)
    {
        policy[attribute] = value;
    }
    return policy;
}

} // namespace ddl
} // namespace ns3
