// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-json-text.h"

namespace ns3
{
namespace ddl
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
    constexpr std::size_t LONGEST = 60;
    if (value.is_object())
    {
        return "an object";
    }
    if (value.is_array())
    {
        return "a list";
    }
    std::string text = value.dump(-1, ' ', true); // ASCII, so that cutting splits no character
    if (text.size() > LONGEST)
    {
        text = text.substr(0, LONGEST) + "...";
    }
    return value.is_string() ? "the string " + text : text;
}

std::string
DumpJson(const Json& value)
{
    return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace ddl
} // namespace ns3
