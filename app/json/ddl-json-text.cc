// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-json-text.h"

#include "ns3/ddl-error.h"

namespace ns3::ddl
{

std::string
JsonPointer(const std::string& parent, const std::string& token)
{
    std::string pointer = parent + "/";
    for (const char c : token)
    {
        pointer += c == '~' ? "~0" : (c == '/' ? "~1" : std::string(1, c));
    }
    return pointer;
}

std::string
ParentPointer(const std::string& pointer)
{
    return pointer.substr(0, pointer.rfind('/'));
}

std::string
DescribeJson(const Json& value)
{
    if (value.is_string())
    {
        return "the string " + QuoteText(value.get_ref<const std::string&>());
    }
    if (value.is_structured())
    {
        return value.is_object() ? "an object" : "a list";
    }
    return value.dump();
}

std::string
DumpJson(const Json& value)
{
    return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace ns3::ddl
