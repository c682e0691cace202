// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-keys.h"

#include "app/text/ddl-markdown.h"

#include "ns3/attribute-container.h"
#include "ns3/ddl-attribute-check.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-policy.h"
#include "ns3/ddl-quantity.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <cctype>
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

/** The range that ns-3's checker of a number describes: "uint32_t 1:4096". */
struct Ends
{
    std::string type; //!< class of values, "UintegerValue"; "" for an attribute that is no number
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
    return end >= 4294967295.0 || end <= -2147483648.0; // a bound of the type, not of the attribute
}

/**
 * \param all descriptions, as "fifo: text; srtf: text"
 * \param more another, "wrr: text"; policies with the same text, one after another, share it
 */
std::string
JoinDescriptions(const std::string& all, const std::string& more)
{
    const std::size_t colon = more.find(": ");
    const std::string text = colon == std::string::npos ? more : more.substr(colon);
    if (colon == std::string::npos || !boost::algorithm::ends_with(all, text))
    {
        return all + "; " + more;
    }
    return all.substr(0, all.size() - text.size()) + ", " + more;
}

/** Add an attribute; policies of a family may share its name, with the same type or another. */
void
AddAttribute(Json& properties, const std::string& name, const Json& schema)
{
    if (!properties.contains(name))
    {
        properties[name] = schema;
        return;
    }
    Json merged = properties[name];
    const std::string text = JoinDescriptions(merged["description"].get<std::string>(),
                                              schema["description"].get<std::string>());
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

/** Note the row of an attribute. Policies that have the same attribute share a row. */
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

/** \return range of an attribute that is a whole number; {0, 0} for any other */
JsonRange<uint64_t>
FindCountRange(const TypeId::AttributeInformation& attribute)
{
    const Ends ends = FindEnds(attribute);
    return ends.type == "UintegerValue"
               ? JsonRange<uint64_t>{std::stoull(ends.least), std::stoull(ends.most)}
               : JsonRange<uint64_t>{0, 0};
}

/** \return schema that refers to a definition; more keywords may be added to it */
Json
Refer(const std::string& definition)
{
    return {{"allOf", Json::array({Json{{"$ref", "#/definitions/" + definition}}})}};
}

/** \return JSON schema of an attribute as users write it, without description and default */
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
        return Refer(value == "TimeValue" ? "time" : "rate");
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

/** \return text of an attribute's range, "from 1 to 8"; "": any value of its type */
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

/** \return JSON schema of the name of a policy: the known ones, each with its line, or any */
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

/**
 * \param family TypeId of a family of policies, or of random variables
 * \param book gets the schema of the family, and the table of its attributes
 * \return reference to the schema: a name, or an object with "type" and attributes of all policies
 */
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
    return Refer(name);
}

/** \return help and range as sentences: "a. From 1 to 8." */
std::string
Sentences(const std::string& help, const std::string& range)
{
    std::string text;
    for (std::string part : {help, range})
    {
        if (!part.empty())
        {
            part[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(part[0])));
            text += (text.empty() ? "" : " ") + part + (part.back() == '.' ? "" : ".");
        }
    }
    return text;
}

/** \return a default as documentation shows it */
std::string
ShowDefault(const Key& key, const Json& value)
{
    if (key.isRequired)
    {
        return "required";
    }
    if (!key.fallback.empty() || value.is_null())
    {
        return key.fallback.empty() ? "none" : key.fallback;
    }
    const bool isBare = value.is_string() && !value.get_ref<const std::string&>().empty();
    const std::string text = isBare ? value.get<std::string>() : value.dump();
    return value.is_number() ? text : "`" + text + "`";
}

/** Widen the schema of a key to what either of two kinds of an object takes. */
void
Widen(Json& schema, const Json& other)
{
    for (const char* end : {"minimum", "maximum"})
    {
        if (schema.contains(end) && other.contains(end))
        {
            const bool isMore = other[end].get<double>() > schema[end].get<double>();
            schema[end] = isMore == (std::string(end) == "maximum") ? other[end] : schema[end];
        }
    }
    schema["description"] =
        schema["description"].get<std::string>() + " " + other["description"].get<std::string>();
}

class KeyReader : public Keys
{
  public:
    explicit KeyReader(const JsonObject& object)
        : m_object(object)
    {
    }

    void Visit(const Key& key, const Member& member, const std::string& /* help */) override
    {
        if (key.isRequired)
        {
            m_object.Require(key.name);
        }
        member.read(m_object.At(key.name));
    }

    void Check(const std::function<void(const JsonObject&)>& check) override
    {
        check(m_object);
    }

  private:
    const JsonObject& m_object;
};

class KeyWriter : public Keys
{
  public:
    void Visit(const Key& key, const Member& member, const std::string& /* help */) override
    {
        Json value = member.write();
        if (!value.is_null())
        {
            m_json[key.name] = std::move(value);
        }
    }

    Json m_json = Json::object();
};

/** Visitor that notes keys as a schema, and as rows of a table. */
class KeySchema : public Keys
{
  public:
    explicit KeySchema(const KeyPlace& place)
        : m_place(place)
    {
    }

    void Visit(const Key& key, const Member& member, const std::string& help) override
    {
        const std::string path = m_place.path.empty() ? key.name : m_place.path + "." + key.name;
        const Json fallback = member.fallback ? member.fallback() : member.write();
        const std::string range = member.range ? member.range() : "";
        const std::string kind = m_kind.empty() ? "" : m_kind + ": ";
        Json schema = member.schema({m_place.book, path});
        if (!key.isRequired && key.fallback.empty() && !fallback.is_null())
        {
            schema["default"] = fallback;
        }
        schema["description"] = Sentences(kind + help, range);
        m_rows.push_back(
            {key.name, ShowDefault(key, fallback), ShowRange(range, member), m_kind, help});
        if (m_properties.contains(key.name))
        {
            Widen(m_properties[key.name], schema);
            return;
        }
        m_properties[key.name] = std::move(schema);
        if (key.isRequired && m_kind.empty())
        {
            m_required.push_back(key.name);
        }
    }

    void When(bool /* isSo */, const std::string& kind, const std::function<void()>& keys) override
    {
        const std::string around = std::exchange(m_kind, kind);
        keys();
        m_kind = around;
    }

    Json Finish()
    {
        m_place.book.tables[m_place.path] = m_rows;
        Json schema = {{"type", "object"}, {"additionalProperties", false}};
        if (!m_required.empty())
        {
            schema["required"] = m_required;
        }
        schema["properties"] = m_properties;
        return schema;
    }

    bool IsDescription() const override
    {
        return true;
    }

  private:
    /** \return the member's range, or the names that it may be */
    static std::string ShowRange(std::string range, const Member& member)
    {
        for (const auto& name : member.names ? member.names() : std::vector<std::string>())
        {
            range += (range.empty() ? "`" : ", `") + name + "`";
        }
        return range;
    }

    KeyPlace m_place;
    std::string m_kind;
    Json m_properties = Json::object();
    Json m_required = Json::array();
    std::vector<KeyRow> m_rows;
};

/** \return a function that gives the schema of a quantity: "rate", "time", "size" */
std::function<Json(const KeyPlace&)>
QuantitySchema(const std::string& quantity)
{
    return [quantity](const KeyPlace&) { return Refer(quantity); };
}

Member
TimeOf(std::optional<Time>& member, JsonRange<Time> range)
{
    return {[&member, range](const JsonValue& value) {
                if (value.IsPresent())
                {
                    member = value.Duration(member.value_or(range.min), range);
                }
            },
            [&member]() { return member ? Json(FormatDuration(*member)) : Json(); },
            QuantitySchema("time"),
            [range]() {
                const bool isOpen = range.max >= Hours(24 * 365 * 100);
                return isOpen && range.min.IsZero()
                           ? ""
                           : DescribeRange(range, isOpen ? range.max : Time::Max(), FormatDuration);
            }};
}

/** \param makeMember makes the member of one element, from a number of type Wide and the range */
template <typename Wide, typename T, typename Each>
Member
NumbersOf(std::vector<T>& list, JsonRange<Wide> range, Each&& makeMember)
{
    return {[&list, range, makeMember](const JsonValue& value) {
                if (value.IsArray())
                {
                    list.clear();
                }
                for (const auto& element : value.Array())
                {
                    Wide number = range.min == -range.max ? Wide{} : range.min;
                    makeMember(number, range).read(element);
                    list.push_back(static_cast<T>(number));
                }
            },
            [&list]() { return list.empty() ? Json() : Json(list); },
            [range, makeMember](const KeyPlace& place) {
                Wide number{};
                return ListSchema(makeMember(number, range).schema(place));
            },
            [range, makeMember]() {
                Wide number{};
                const std::string each = makeMember(number, range).range();
                return each.empty() ? each : each + " each";
            }};
}

Member
ListOf(const Keys::List& list)
{
    return {[&list](const JsonValue& value) {
                if (value.IsArray())
                {
                    list.clear();
                }
                for (const auto& element : value.Array())
                {
                    ReadKeys(element.Object(), list.add);
                }
                if (list.needsAny && value.IsArray() && value.Raw().empty())
                {
                    value.Report("is empty (a list of at least one)");
                }
            },
            [&list]() {
                Json json = Json::array();
                for (std::size_t i = 0; i < list.size; ++i)
                {
                    json.push_back(WriteKeys([&list, i](Keys& keys) { list.get(keys, i); }));
                }
                return json;
            },
            [&list](const KeyPlace& place) {
                return ListSchema(place.Describe(list.add),
                                  list.needsAny ? Json{{"minItems", 1}} : Json::object());
            }};
}

/** An attribute of a policy, as a key of its own. */
struct AttributeKey
{
    ObjectFactory* target; //!< factory that has the attribute; null: the value is only checked
    TypeId type;
    TypeId::AttributeInformation info;
    Json current; //!< value of the attribute
};

void
ReadAttribute(const AttributeKey& key, const JsonValue& value)
{
    const Json& raw = value.Raw();
    if (!value.IsPresent())
    {
        return;
    }
    const bool isList =
        dynamic_cast<const AttributeContainerChecker*>(PeekPointer(key.info.checker));
    const auto text = raw.is_array() && !isList ? std::nullopt : AttributeText(raw);
    if (!text || raw.is_object())
    {
        value.Report("must be a string, a number, true or false");
        return;
    }
    const JsonRange<uint64_t> range = FindCountRange(key.info);
    if (raw.is_number() && range.max > 0)
    {
        const uint64_t number = value.Unsigned(range, range.min == 0 ? 1 : 0);
        if (key.target && raw == number && number >= range.min) // not the fallback of a wrong value
        {
            key.target->Set(key.info.name, UintegerValue(number));
        }
        return;
    }
    const std::string problem = CheckAttribute(key.type, key.info.name, *text);
    if (!problem.empty())
    {
        value.Report(problem);
    }
    else if (key.target)
    {
        key.target->Set(key.info.name, StringValue(*text));
    }
}

Member
AttributeOf(const AttributeKey& key)
{
    const auto schema = [info = key.info](const KeyPlace&) {
        Json made = AttributeSchema(info);
        if (made.contains("type") && made["type"].is_array())
        {
            made["type"] = "string"; // ns-3's text of lists and objects is no JSON
        }
        return made;
    };
    return {[key](const JsonValue& value) { ReadAttribute(key, value); },
            [key]() { return key.target ? key.current : Json(); },
            schema,
            [info = key.info]() { return AttributeRange(info); },
            [info = key.info]() {
                const Json made = AttributeSchema(info);
                return made.contains("enum") ? made["enum"].get<std::vector<std::string>>()
                                             : std::vector<std::string>{};
            },
            [key]() { return key.current; }};
}

/** The name of a policy alone. */
Member
KindOf(ObjectFactory& member, TypeId family)
{
    const auto name = [&member, family]() { return GetShortName(family, member.GetTypeId()); };
    return {[&member, family, name](const JsonValue& value) {
                try
                {
                    member.SetTypeId(FindPolicy(family, value.String(name())));
                }
                catch (const InputError& error)
                {
                    value.Report(error.what());
                }
            },
            name,
            [family](const KeyPlace&) { return NamesSchema(family); },
            {},
            [family]() { return ListPolicies(family); }};
}

/** \return a Markdown table without the columns that are empty in all rows */
std::string
FormatTable(const std::vector<KeyRow>& rows)
{
    const bool hasRange =
        std::any_of(rows.begin(), rows.end(), [](const auto& row) { return !row.range.empty(); });
    const bool hasKind =
        std::any_of(rows.begin(), rows.end(), [](const auto& row) { return !row.kind.empty(); });
    const auto format = [&](const KeyRow& row, const std::string& quote) {
        std::vector<std::string> cells{quote + row.name + quote, row.fallback};
        if (hasRange)
        {
            cells.push_back(row.range);
        }
        if (hasKind)
        {
            cells.push_back(row.kind);
        }
        cells.push_back(row.help);
        return FormatMarkdownRow(cells);
    };
    std::string table = format({"key", "default", "range", "of", "meaning"}, "");
    table += "|" +
             std::string(hasRange && hasKind   ? "---|---|---|---|---|"
                         : hasRange || hasKind ? "---|---|---|---|"
                                               : "---|---|---|") +
             "\n";
    for (const KeyRow& row : rows)
    {
        table += format(row, "`");
    }
    return table;
}

} // namespace

std::string
RenewKeyTables(const std::string& page, const KeyTables& tables)
{
    return RenewParts(page, "keys", [&tables](const std::string& path) {
        const auto found = tables.find(path);
        if (found == tables.end())
        {
            throw InputError("there are no keys of \"" + path + "\"");
        }
        return FormatTable(found->second);
    });
}

Key
Required(const std::string& name)
{
    return Key(name, "", true);
}

Key
Optional(const std::string& name, const std::string& fallback)
{
    return Key(name, fallback, false);
}

std::string
KeyOf(std::string attribute)
{
    attribute[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(attribute[0])));
    return attribute;
}

Json
KeyPlace::Describe(const std::function<void(Keys&)>& keys) const
{
    KeySchema schema(*this);
    keys(schema);
    return schema.Finish();
}

void
ReadKeys(const JsonObject& object, const std::function<void(Keys&)>& describe)
{
    KeyReader reader(object);
    describe(reader);
}

Json
WriteKeys(const std::function<void(Keys&)>& describe)
{
    KeyWriter writer;
    describe(writer);
    return std::move(writer.m_json);
}

void
Keys::When(bool isSo, const std::string& /* kind */, const std::function<void()>& keys)
{
    if (isSo)
    {
        keys();
    }
}

void
Keys::Check(const std::function<void(const JsonObject&)>& /* check */)
{
}

bool
Keys::IsDescription() const
{
    return false;
}

void
Keys::Note(const Key& key, const std::string& help, const std::vector<std::string>& names)
{
    Visit(key,
          {[](const JsonValue& value) { value.String(""); },
           []() { return Json(); },
           [&names](const KeyPlace&) {
               return names.empty() ? Json{{"type", "string"}} : Json{{"enum", names}};
           },
           {},
           [&names]() { return names; }},
          help);
}

void
Keys::Add(const Key& key, bool& member, const std::string& help)
{
    Visit(key,
          {[&member](const JsonValue& value) { member = value.Bool(member); },
           [&member]() { return Json(member); },
           [](const KeyPlace&) {
               return Json{{"type", "boolean"}};
           }},
          help);
}

void
Keys::Add(const Key& key, std::string& member, const std::string& help)
{
    Visit(key, TextOf(member), help);
}

void
Keys::Add(const Key& key, double& member, JsonRange<double> range, const std::string& help)
{
    Visit(key, NumberOf(member, range), help);
}

void
Keys::Add(const Key& key,
          std::optional<double>& member,
          JsonRange<double> range,
          const std::string& help)
{
    double number = member.value_or(0);
    const Member plain = NumberOf(number, range);
    Visit(key,
          {[&](const JsonValue& value) {
               if (value.IsPresent())
               {
                   plain.read(value);
                   member = number;
               }
           },
           [&member]() { return member ? Json(*member) : Json(); },
           plain.schema,
           plain.range},
          help);
}

void
Keys::Add(const Key& key, Time& member, JsonRange<Time> range, const std::string& help)
{
    std::optional<Time> time = member;
    Add(key, time, range, help);
    member = *time;
}

void
Keys::Add(const Key& key,
          std::optional<Time>& member,
          JsonRange<Time> range,
          const std::string& help)
{
    Visit(key, TimeOf(member, range), help);
}

void
Keys::Add(const Key& key, DataRate& member, const std::string& help, JsonRange<DataRate> range)
{
    Visit(key,
          {[&](const JsonValue& value) { member = value.Rate(member, range); },
           [&member]() { return Json(FormatRate(member)); },
           QuantitySchema("rate"),
           []() { return "above 0"; }},
          help);
}

void
Keys::Add(const Key& key,
          std::vector<uint32_t>& list,
          JsonRange<uint64_t> each,
          const std::string& help)
{
    Visit(key, NumbersOf(list, each, CountOf), help);
}

void
Keys::Add(const Key& key,
          std::vector<uint64_t>& list,
          JsonRange<uint64_t> each,
          const std::string& help)
{
    Visit(key, NumbersOf(list, each, CountOf), help);
}

void
Keys::Add(const Key& key,
          std::vector<double>& list,
          JsonRange<double> each,
          const std::string& help)
{
    Visit(key, NumbersOf(list, each, NumberOf), help);
}

void
Keys::Size(const Key& key, uint64_t& member, const std::string& help, JsonRange<uint64_t> range)
{
    Visit(
        key,
        {[&](const JsonValue& value) { member = value.Bytes(member, range); },
         [&member]() { return Json(FormatBytes(member)); },
         QuantitySchema("size"),
         [range]() { return range.min == 0 ? "" : DescribeRange(range, MAX_BYTES, FormatBytes); }},
        help);
}

void
Keys::Policy(const Key& key, ObjectFactory& member, TypeId family, const std::string& help)
{
    Visit(key, PolicyOf(member, family), help);
}

void
Keys::Object(const Key& key, const std::function<void(Keys&)>& describe, const std::string& help)
{
    Visit(key, ObjectOf(describe), help);
}

void
Keys::AddOptional(const Key& key,
                  bool isThere,
                  const std::function<void(Keys&)>& describe,
                  const std::string& help)
{
    Member member = ObjectOf(describe);
    const auto read = member.read;
    const auto write = member.write;
    member.read = [read](const JsonValue& value) {
        if (value.IsPresent())
        {
            read(value);
        }
    };
    member.write = [write, isThere]() { return isThere ? write() : Json(); };
    member.fallback = []() { return Json(); };
    Visit(key, member, help);
}

void
Keys::Add(const Key& key, const List& list, const std::string& help)
{
    Visit(key, ListOf(list), help);
}

void
Keys::AddCount(const Key& key, uint64_t& member, JsonRange<uint64_t> range, const std::string& help)
{
    Visit(key, CountOf(member, range), help);
}

void
Keys::AddName(const Key& key,
              std::string& member,
              const std::vector<std::string>& names,
              const std::string& help)
{
    Visit(key,
          {[&](const JsonValue& value) { member = value.OneOf(names, member); },
           [&member]() { return Json(member); },
           [&names](const KeyPlace&) {
               return Json{{"enum", names}};
           },
           {},
           [&names]() { return names; }},
          help);
}

void
Keys::Kind(ObjectFactory& member, TypeId family, bool takesOthers, const std::string& help)
{
    Visit("kind", KindOf(member, family), help);
    std::vector<TypeId> types{member.GetTypeId()};
    for (const auto& name : ListPolicies(family))
    {
        const TypeId type = FindPolicy(family, name);
        if (type != types.front() && (takesOthers || IsDescription()))
        {
            types.push_back(type);
        }
    }
    std::vector<std::string> done;
    for (const TypeId& type : types)
    {
        ObjectFactory other;
        other.SetTypeId(type);
        for (const auto& [name, value] : AttributesOf(type == types.front() ? member : other))
        {
            if (std::find(done.begin(), done.end(), name) != done.end())
            {
                continue;
            }
            done.push_back(name);
            TypeId::AttributeInformation info;
            type.LookupAttributeByName(name, &info);
            std::string kinds;
            bool isOfAll = true;
            for (const auto& each : ListPolicies(family))
            {
                TypeId::AttributeInformation found;
                const bool hasIt = FindPolicy(family, each).LookupAttributeByName(name, &found);
                isOfAll = isOfAll && hasIt;
                kinds += hasIt ? (kinds.empty() ? "" : ", ") + each : "";
            }
            ObjectFactory* target = type == types.front() || IsDescription() ? &member : nullptr;
            const Member attribute = AttributeOf({target, type, info, value});
            When(true, isOfAll ? "" : kinds, [&]() {
                Visit(Optional(KeyOf(name), ""), attribute, info.help);
            });
        }
    }
}

Member
NumberOf(double& member, JsonRange<double> range)
{
    return {[&member, range](const JsonValue& value) { member = value.Number(range, member); },
            [&member]() { return Json(member); },
            [range](const KeyPlace&) {
                Json schema = {{"type", "number"}};
                if (range.min == ABOVE_ZERO)
                {
                    schema["exclusiveMinimum"] = 0;
                }
                else if (range.min != -NO_LIMIT)
                {
                    schema["minimum"] = range.min;
                }
                if (range.max != NO_LIMIT)
                {
                    schema["maximum"] = range.max;
                }
                return schema;
            },
            [range]() {
                const std::string text = DescribeNumbers(range); // "a number above 0"
                return range.min == -NO_LIMIT ? "" : text.substr(text.find(' ', 2) + 1);
            }};
}

Member
CountOf(uint64_t& member, JsonRange<uint64_t> range)
{
    return {[&member, range](const JsonValue& value) { member = value.Unsigned(range, member); },
            [&member]() { return Json(member); },
            [range](const KeyPlace&) {
                Json schema = {{"type", "integer"}, {"minimum", range.min}};
                if (range.max < MAX_UNSIGNED)
                {
                    schema["maximum"] = range.max;
                }
                return schema;
            },
            [range]() {
                return DescribeRange(range, MAX_UNSIGNED, [](uint64_t end) {
                    return std::to_string(end);
                });
            }};
}

Member
TextOf(std::string& member)
{
    return {[&member](const JsonValue& value) { member = value.String(member); },
            [&member]() { return Json(member); },
            [](const KeyPlace&) {
                return Json{{"type", "string"}};
            }};
}

Member
PolicyOf(ObjectFactory& member, TypeId family)
{
    const auto name = [&member, family]() {
        return member.IsTypeIdSet() ? GetShortName(family, member.GetTypeId()) : "";
    };
    return {
        [&member, family, name](const JsonValue& value) {
            if (value.IsPresent())
            {
                member = value.Factory(family, name());
            }
        },
        [&member, family]() { return member.IsTypeIdSet() ? PolicyJson(family, member) : Json(); },
        [family](const KeyPlace& place) { return PolicySchema(family, place.book); },
        {},
        [family]() {
            return family.GetParent() == ddl::Policy::GetTypeId() ? ListPolicies(family)
                                                                  : std::vector<std::string>{};
        },
        [name]() { return name().empty() ? Json() : Json(name()); }};
}

Member
ObjectOf(std::function<void(Keys&)> describe)
{
    return {[describe](const JsonValue& value) { ReadKeys(value.Object(), describe); },
            [describe]() { return WriteKeys(describe); },
            [describe](const KeyPlace& place) { return place.Describe(describe); },
            {},
            {},
            []() { return Json::object(); }};
}

Member
PairOf(const Member& first, const Member& second, bool& isThere)
{
    return {[&](const JsonValue& value) {
                const auto pair = value.Array();
                if (value.IsArray() && pair.size() != 2)
                {
                    value.Report("must be [start, end], two values");
                }
                else if (value.IsArray())
                {
                    first.read(pair[0]);
                    second.read(pair[1]);
                    isThere = true;
                }
            },
            [&]() {
                return isThere ? Json::array({first.write(), second.write()}) : Json();
            },
            [&](const KeyPlace& place) {
                return ListSchema(first.schema(place), {{"minItems", 2}, {"maxItems", 2}});
            }};
}

Member
FolderNameOf(std::string& member)
{
    Member name = TextOf(member);
    name.read = [&member](const JsonValue& value) {
        member = value.String("unnamed");
        const auto isLegal = [](unsigned char c) {
            return std::isalnum(c) || c == '-' || c == '_' || c == '.';
        };
        if (member.empty() || member[0] == '.' ||
            !std::all_of(member.begin(), member.end(), isLegal))
        {
            value.Report("must do as the name of a folder (letters, digits, '-', '_' and '.', "
                         "which is not first)");
        }
    };
    name.schema = [](const KeyPlace&) {
        return Json{{"type", "string"}, {"pattern", "^[A-Za-z0-9_-][A-Za-z0-9._-]*$"}};
    };
    return name;
}

Json
ListSchema(const Json& each, const Json& more)
{
    Json schema = {{"type", "array"}, {"items", each}};
    schema.update(more);
    return schema;
}

} // namespace ns3::ddl
