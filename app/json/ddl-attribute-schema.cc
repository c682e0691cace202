// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-attribute-schema.h"

#include "ddl-policy-json.h"

#include "ns3/attribute-container.h"
#include "ns3/ddl-policy.h"
#include "ns3/object-factory.h"

#include <cmath>
#include <cstdlib>
#include <sstream>

namespace ns3::ddl
{

namespace
{

/** \return name of the class of values, "TimeValue"; ns-3 gives it with and without namespace */
std::string
ValueName(const TypeId::AttributeInformation& attribute)
{
    const std::string name = attribute.checker->GetValueTypeName();
    return name.rfind("ns3::", 0) == 0 ? name.substr(5) : name;
}

/** The ends that ns-3's checker of a number describes: "uint32_t 1:4096". */
struct Ends
{
    std::string type; //!< "" when it is no number
    std::string least;
    std::string most;
};

Ends
FindEnds(const TypeId::AttributeInformation& attribute)
{
    const std::string value = ValueName(attribute);
    const bool isNumber =
        value == "UintegerValue" || value == "IntegerValue" || value == "DoubleValue";
    const std::string text = attribute.checker->HasUnderlyingTypeInformation()
                                 ? attribute.checker->GetUnderlyingTypeInformation()
                                 : "";
    const auto space = text.find(' ');
    const auto colon = text.find(':', space == std::string::npos ? 0 : space);
    if (!isNumber || space == std::string::npos || colon == std::string::npos)
    {
        return {};
    }
    return {value, text.substr(space + 1, colon - space - 1), text.substr(colon + 1)};
}

bool
IsOpen(double end)
{
    return end >= 4294967295.0 || end <= -2147483648.0; // of the type, not of the attribute
}

/** Two policies of a family may have attributes of the same name, and of the same type or not. */
void
AddAttribute(Json& properties, const std::string& name, const Json& schema)
{
    if (!properties.contains(name))
    {
        properties[name] = schema;
        return;
    }
    Json merged = properties[name];
    const std::string text =
        merged["description"].get<std::string>() + "; " + schema["description"].get<std::string>();
    Json other = schema;
    merged.erase("description");
    other.erase("description");
    if (merged["default"] != other["default"])
    {
        merged.erase("default");
        other.erase("default");
    }
    if (merged != other)
    {
        merged = {{"type", {"string", "number", "boolean", "array", "object"}}};
    }
    merged["description"] = text;
    properties[name] = merged;
}

/** Policies that have the same attribute share a row. */
void
NoteRow(const KeyRow& row, std::vector<KeyRow>& rows)
{
    for (KeyRow& other : rows)
    {
        if (other.name == row.name && other.fallback == row.fallback && other.range == row.range &&
            other.help == row.help)
        {
            other.kind += ", " + row.kind;
            return;
        }
    }
    rows.push_back(row);
}

} // namespace

JsonRange<uint64_t>
FindCountRange(const TypeId::AttributeInformation& attribute)
{
    const Ends ends = FindEnds(attribute);
    return ends.type == "UintegerValue"
               ? JsonRange<uint64_t>{std::stoull(ends.least), std::stoull(ends.most)}
               : JsonRange<uint64_t>{0, 0};
}

Json
AttributeSchema(const TypeId::AttributeInformation& attribute)
{
    const std::string value = ValueName(attribute);
    const auto container =
        dynamic_cast<const AttributeContainerChecker*>(PeekPointer(attribute.checker));
    if (container)
    {
        TypeId::AttributeInformation item = attribute;
        item.checker = container->GetItemChecker();
        const Json one = AttributeSchema(item);
        return {{"anyOf", {one, {{"type", "array"}, {"items", one}}}}};
    }
    const Ends ends = FindEnds(attribute);
    if (!ends.type.empty())
    {
        const bool isReal = ends.type == "DoubleValue";
        Json schema = {{"type", isReal ? "number" : "integer"}};
        for (const auto& [key, text] :
             {std::make_pair("minimum", ends.least), std::make_pair("maximum", ends.most)})
        {
            const double end = std::strtod(text.c_str(), nullptr);
            if (!IsOpen(end))
            {
                schema[key] = end == std::trunc(end) ? Json(static_cast<int64_t>(end)) : Json(end);
            }
        }
        return schema;
    }
    if (value == "BooleanValue")
    {
        return {{"type", "boolean"}};
    }
    if (value == "TimeValue" || value == "DataRateValue")
    {
        const std::string name = value == "TimeValue" ? "time" : "rate";
        return {{"allOf", Json::array({Json{{"$ref", "#/definitions/" + name}}})}};
    }
    if (value.rfind("EnumValue", 0) == 0)
    {
        Json names = Json::array();
        std::istringstream text(attribute.checker->GetUnderlyingTypeInformation());
        for (std::string name; std::getline(text, name, '|');)
        {
            names.push_back(name);
        }
        return {{"enum", names}};
    }
    return {{"type", {"string", "array", "object"}}};
}

std::string
AttributeRange(const TypeId::AttributeInformation& attribute)
{
    const Ends ends = FindEnds(attribute);
    if (ends.type.empty())
    {
        return "";
    }
    const Json schema = AttributeSchema(attribute);
    if (!schema.contains("maximum"))
    {
        return schema.contains("minimum") ? "at least " + schema["minimum"].dump() : "";
    }
    return (schema.contains("minimum") ? "from " + schema["minimum"].dump() + " to " : "at most ") +
           schema["maximum"].dump();
}

Json
NamesSchema(TypeId family)
{
    Json names = Json::array();
    Json lines = Json::array();
    for (const auto& name : ListPolicies(family))
    {
        names.push_back(name);
        ObjectFactory factory;
        factory.SetTypeId(FindPolicy(family, name));
        const auto policy = factory.Create<Object>()->GetObject<Policy>();
        if (policy)
        {
            lines.push_back(policy->GetSummary());
        }
    }
    Json known = {{"enum", names}};
    if (lines.size() == names.size())
    {
        known["enumDescriptions"] = lines;
    }
    return {{"anyOf", {known, {{"type", "string"}}}}};
}

Json
PolicySchema(TypeId family, KeyBook& book)
{
    const std::string name = GetShortName(Policy::GetTypeId(), family);
    if (!book.definitions.contains(name))
    {
        Json properties = {{"type", {{"type", "string"}, {"description", "Its name."}}}};
        for (const auto& policy : ListPolicies(family))
        {
            ObjectFactory factory;
            factory.SetTypeId(FindPolicy(family, policy));
            for (const auto& [attribute, value] : AttributesOf(factory))
            {
                TypeId::AttributeInformation info;
                factory.GetTypeId().LookupAttributeByName(attribute, &info);
                Json schema = AttributeSchema(info);
                const std::string range = AttributeRange(info);
                schema["default"] = value;
                schema["description"] =
                    policy + ": " + info.help + (range.empty() ? "" : " (" + range + ")");
                AddAttribute(properties, attribute, schema);
                const std::string text =
                    value == "" || !value.is_string() ? value.dump() : value.get<std::string>();
                NoteRow({attribute, "`" + text + "`", range, "`" + policy + "`", info.help},
                        book.tables[name]);
            }
        }
        Json schema = NamesSchema(family);
        schema["anyOf"].push_back({{"type", "object"}, {"properties", properties}});
        book.definitions[name] = schema;
    }
    return {{"allOf", Json::array({Json{{"$ref", "#/definitions/" + name}}})}};
}

} // namespace ns3::ddl
