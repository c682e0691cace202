// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-json-policy.h"

#include "ddl-json-object.h"

namespace ns3::ddl
{

namespace
{

/** \return text of a scalar as ns-3 reads it, none for anything else */
std::optional<std::string>
ScalarText(const Json& value)
{
    if (value.is_string())
    {
        return value.get<std::string>();
    }
    return value.is_number() || value.is_boolean() ? std::make_optional(value.dump())
                                                   : std::nullopt;
}

/** \return "1,2,3" */
std::optional<std::string>
ListText(const Json& list)
{
    std::string text;
    for (std::size_t i = 0; i < list.size(); ++i)
    {
        const auto item = ScalarText(list[i]);
        if (!item)
        {
            return std::nullopt;
        }
        text += (i == 0 ? "" : ",") + *item;
    }
    return text;
}

/** \return "ns3::Type[Attribute=value|Attribute=value]" */
std::optional<std::string>
ObjectText(const Json& object)
{
    std::string type;
    std::string settings;
    for (const auto& [name, value] : object.items())
    {
        const auto text = ScalarText(value);
        if (!text)
        {
            return std::nullopt;
        }
        if (name == "type")
        {
            type = *text;
            continue;
        }
        settings += (settings.empty() ? "" : "|") + name + "=" + *text;
    }
    return type.empty() ? std::nullopt : std::make_optional(type + "[" + settings + "]");
}

void
ReadAttributes(const JsonObject& object, PolicySpec& spec)
{
    for (const auto& name : object.Keys())
    {
        const JsonValue value = object.At(name);
        if (name == "type")
        {
            spec.name = value.String(spec.name);
            continue;
        }
        const auto text = AttributeText(value.Raw());
        if (!text)
        {
            value.Report("must be a number, true or false, a string, a list of these, or an object "
                         "with a \"type\", is " +
                         DescribeJson(value.Raw()));
            continue;
        }
        spec.attributes.push_back({name, *text, value.Where()});
    }
}

} // namespace

std::optional<std::string>
AttributeText(const Json& value)
{
    if (value.is_array())
    {
        return ListText(value);
    }
    return value.is_object() ? ObjectText(value) : ScalarText(value);
}

PolicySpec
ReadPolicy(const JsonValue& value, const std::string& fallback)
{
    PolicySpec spec;
    spec.name = fallback;
    spec.where = value.Where();
    spec.pointer = value.GetPointer();
    if (value.IsObject())
    {
        ReadAttributes(value.Object(), spec);
        return spec;
    }
    if (value.IsPresent() && !value.IsString())
    {
        value.Report("must be a name or an object with a \"type\", is " +
                     DescribeJson(value.Raw()));
        return spec;
    }
    spec.name = value.String(fallback);
    return spec;
}

} // namespace ns3::ddl
