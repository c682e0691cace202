// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-keys.h"

#include "app/text/ddl-attribute-check.h"
#include "ddl-attribute-schema.h"
#include "ddl-json-policy.h"
#include "ddl-policy-json.h"

#include "ns3/attribute-container.h"
#include "ns3/ddl-policy.h"
#include "ns3/ddl-quantity.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace ns3
{
namespace ddl
{

namespace
{

/** \return "a. From 1 to 8." */
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

Json
Refer(const std::string& definition)
{
    return {{"$ref", "#/definitions/" + definition}};
}

/** \return what two kinds of an object take for the same key */
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

    void Visit(const Key& key, Member& member, const std::string& /* help */) override
    {
        if (key.isRequired)
        {
            m_object.Require(key.name);
        }
        member.Read(m_object.At(key.name));
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
    void Visit(const Key& key, Member& member, const std::string& /* help */) override
    {
        Json value = member.Write();
        if (!value.is_null())
        {
            m_json[key.name] = std::move(value);
        }
    }

    Json m_json = Json::object();
};

/** Notes the keys as schema, and as rows of a table. */
class KeySchema : public Keys
{
  public:
    explicit KeySchema(const KeyPlace& place)
        : m_place(place)
    {
    }

    void Visit(const Key& key, Member& member, const std::string& help) override
    {
        const std::string path = m_place.path.empty() ? key.name : m_place.path + "." + key.name;
        const Json fallback = member.Default();
        const std::string kind = m_kind.empty() ? "" : m_kind + ": ";
        Json schema = member.Schema({m_place.book, path});
        if (!key.isRequired && key.fallback.empty() && !fallback.is_null())
        {
            schema["default"] = fallback;
        }
        schema["description"] = Sentences(kind + help, member.Range());
        m_rows.push_back({key.name, ShowDefault(key, fallback), ShowRange(member), m_kind, help});
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
    /** \return the range, or the names that there are */
    static std::string ShowRange(const Member& member)
    {
        std::string range = member.Range();
        for (const auto& name : member.Names())
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

class BoolMember : public Member
{
  public:
    explicit BoolMember(bool& member)
        : m_member(member)
    {
    }

    void Read(const JsonValue& value) override
    {
        m_member = value.Bool(m_member);
    }

    Json Write() const override
    {
        return m_member;
    }

    Json Schema(const KeyPlace& /* place */) const override
    {
        return {{"type", "boolean"}};
    }

  private:
    bool& m_member;
};

class StringMember : public Member
{
  public:
    explicit StringMember(std::string& member)
        : m_member(member)
    {
    }

    void Read(const JsonValue& value) override
    {
        m_member = value.String(m_member);
    }

    Json Write() const override
    {
        return m_member;
    }

    Json Schema(const KeyPlace& /* place */) const override
    {
        return {{"type", "string"}};
    }

  private:
    std::string& m_member;
};

/** A string that is read elsewhere. */
class NoteMember : public Member
{
  public:
    explicit NoteMember(const std::vector<std::string>& names)
        : m_names(names)
    {
    }

    void Read(const JsonValue& value) override
    {
        value.String("");
    }

    Json Write() const override
    {
        return nullptr;
    }

    Json Schema(const KeyPlace& /* place */) const override
    {
        return m_names.empty() ? Json{{"type", "string"}} : Json{{"enum", m_names}};
    }

    std::vector<std::string> Names() const override
    {
        return m_names;
    }

  private:
    const std::vector<std::string>& m_names;
};

class NameMember : public Member
{
  public:
    NameMember(std::string& member, const std::vector<std::string>& names)
        : m_member(member),
          m_names(names)
    {
    }

    void Read(const JsonValue& value) override
    {
        m_member = value.OneOf(m_names, m_member);
    }

    Json Write() const override
    {
        return m_member;
    }

    Json Schema(const KeyPlace& /* place */) const override
    {
        return {{"enum", m_names}};
    }

    std::vector<std::string> Names() const override
    {
        return m_names;
    }

  private:
    std::string& m_member;
    const std::vector<std::string>& m_names;
};

class TimeMember : public Member
{
  public:
    TimeMember(std::optional<Time>& member, JsonRange<Time> range)
        : m_member(member),
          m_range(range)
    {
    }

    void Read(const JsonValue& value) override
    {
        if (value.IsPresent())
        {
            m_member = value.Duration(m_member.value_or(m_range.min), m_range);
        }
    }

    Json Write() const override
    {
        return m_member ? Json(FormatDuration(*m_member)) : Json();
    }

    Json Schema(const KeyPlace& /* place */) const override
    {
        return {{"allOf", Json::array({Refer("time")})}};
    }

    std::string Range() const override
    {
        const bool isOpen = m_range.max >= Hours(24 * 365 * 100);
        return isOpen && m_range.min.IsZero()
                   ? ""
                   : DescribeRange(m_range, isOpen ? m_range.max : Time::Max(), FormatDuration);
    }

  private:
    std::optional<Time>& m_member;
    JsonRange<Time> m_range;
};

class RateMember : public Member
{
  public:
    RateMember(DataRate& member, JsonRange<DataRate> range)
        : m_member(member),
          m_range(range)
    {
    }

    void Read(const JsonValue& value) override
    {
        m_member = value.Rate(m_member, m_range);
    }

    Json Write() const override
    {
        return FormatRate(m_member);
    }

    Json Schema(const KeyPlace& /* place */) const override
    {
        return {{"allOf", Json::array({Refer("rate")})}};
    }

    std::string Range() const override
    {
        return "above 0";
    }

  private:
    DataRate& m_member;
    JsonRange<DataRate> m_range;
};

class SizeMember : public Member
{
  public:
    SizeMember(uint64_t& member, JsonRange<uint64_t> range)
        : m_member(member),
          m_range(range)
    {
    }

    void Read(const JsonValue& value) override
    {
        m_member = value.Bytes(m_member, m_range);
    }

    Json Write() const override
    {
        return FormatBytes(m_member);
    }

    Json Schema(const KeyPlace& /* place */) const override
    {
        return {{"allOf", Json::array({Refer("size")})}};
    }

    std::string Range() const override
    {
        return m_range.min == 0 ? "" : DescribeRange(m_range, MAX_BYTES, FormatBytes);
    }

  private:
    uint64_t& m_member;
    JsonRange<uint64_t> m_range;
};

/** \tparam Each member of one element, of type T \tparam Wide what it refers to */
template <typename T, typename Each, typename Wide>
class NumbersMember : public Member
{
  public:
    NumbersMember(std::vector<T>& list, JsonRange<Wide> range)
        : m_list(list),
          m_range(range)
    {
    }

    void Read(const JsonValue& value) override
    {
        if (value.IsArray())
        {
            m_list.clear();
        }
        for (const auto& element : value.Array())
        {
            Wide number = m_range.min == -m_range.max ? Wide{} : m_range.min;
            Each(number, m_range).Read(element);
            m_list.push_back(static_cast<T>(number));
        }
    }

    Json Write() const override
    {
        return m_list.empty() ? Json() : Json(m_list);
    }

    Json Schema(const KeyPlace& place) const override
    {
        Wide number{};
        return {{"type", "array"}, {"items", Each(number, m_range).Schema(place)}};
    }

    std::string Range() const override
    {
        Wide number{};
        const std::string each = Each(number, m_range).Range();
        return each.empty() ? "" : each + " each";
    }

  private:
    std::vector<T>& m_list;
    JsonRange<Wide> m_range;
};

class ObjectMember : public Member
{
  public:
    ObjectMember(const std::function<void(Keys&)>& describe, bool isOptional, bool isThere)
        : m_describe(describe),
          m_isOptional(isOptional),
          m_isThere(isThere)
    {
    }

    void Read(const JsonValue& value) override
    {
        if (value.IsPresent() || !m_isOptional)
        {
            ReadKeys(value.Object(), m_describe);
        }
    }

    Json Write() const override
    {
        return m_isThere ? WriteKeys(m_describe) : Json();
    }

    Json Schema(const KeyPlace& place) const override
    {
        return place.Describe(m_describe);
    }

    Json Default() const override
    {
        return m_isOptional ? Json() : Json::object();
    }

  private:
    const std::function<void(Keys&)>& m_describe;
    bool m_isOptional;
    bool m_isThere;
};

class ListMember : public Member
{
  public:
    explicit ListMember(const Keys::List& list)
        : m_list(list)
    {
    }

    void Read(const JsonValue& value) override
    {
        if (value.IsArray())
        {
            m_list.clear();
        }
        for (const auto& element : value.Array())
        {
            ReadKeys(element.Object(), m_list.add);
        }
    }

    Json Write() const override
    {
        Json json = Json::array();
        for (std::size_t i = 0; i < m_list.size; ++i)
        {
            json.push_back(WriteKeys([this, i](Keys& keys) { m_list.get(keys, i); }));
        }
        return json;
    }

    Json Schema(const KeyPlace& place) const override
    {
        return {{"type", "array"}, {"items", place.Describe(m_list.add)}};
    }

  private:
    const Keys::List& m_list;
};

/** An attribute of a policy as a key of its own. */
class AttributeMember : public Member
{
  public:
    /**
     * \param target whose attribute it is; null: the value is only checked
     * \param current value
     */
    AttributeMember(ObjectFactory* target, TypeId type, const std::string& name, Json current)
        : m_target(target),
          m_type(type),
          m_name(name),
          m_current(std::move(current))
    {
        type.LookupAttributeByName(name, &m_info);
    }

    void Read(const JsonValue& value) override
    {
        const Json& raw = value.Raw();
        const bool isList =
            dynamic_cast<const AttributeContainerChecker*>(PeekPointer(m_info.checker));
        const auto text = raw.is_array() && !isList ? std::nullopt : AttributeText(raw);
        if (!value.IsPresent())
        {
            return;
        }
        if (!text || raw.is_object())
        {
            value.Report("must be a string, a number, true or false");
            return;
        }
        const JsonRange<uint64_t> range = FindCountRange(m_info);
        if (raw.is_number() && range.max > 0)
        {
            const uint64_t none = range.min == 0 ? 1 : 0;
            const uint64_t number = value.Unsigned(range, none);
            if (m_target && number >= range.min && raw == number)
            {
                m_target->Set(m_name, UintegerValue(number));
            }
            return;
        }
        const std::string problem = CheckAttribute(m_type, m_name, *text);
        if (!problem.empty())
        {
            value.Report(problem);
        }
        else if (m_target)
        {
            m_target->Set(m_name, StringValue(*text));
        }
    }

    Json Write() const override
    {
        return m_target ? m_current : Json();
    }

    Json Schema(const KeyPlace& /* place */) const override
    {
        Json schema = AttributeSchema(m_info);
        if (schema.contains("type") && schema["type"].is_array())
        {
            schema["type"] = "string"; // no list and no object stands for text here
        }
        return schema;
    }

    std::string Range() const override
    {
        return AttributeRange(m_info);
    }

    std::vector<std::string> Names() const override
    {
        const Json schema = AttributeSchema(m_info);
        return schema.contains("enum") ? schema["enum"].get<std::vector<std::string>>()
                                       : std::vector<std::string>{};
    }

    Json Default() const override
    {
        return m_current;
    }

  private:
    ObjectFactory* m_target;
    TypeId m_type;
    std::string m_name;
    Json m_current;
    TypeId::AttributeInformation m_info;
};

/** The name of a policy alone. */
class KindMember : public Member
{
  public:
    KindMember(ObjectFactory& member, TypeId family)
        : m_member(member),
          m_family(family)
    {
    }

    void Read(const JsonValue& value) override
    {
        try
        {
            m_member.SetTypeId(FindPolicy(m_family, value.String(Write().get<std::string>())));
        }
        catch (const InputError& error)
        {
            value.Report(error.what());
        }
    }

    Json Write() const override
    {
        return GetShortName(m_family, m_member.GetTypeId());
    }

    Json Schema(const KeyPlace& /* place */) const override
    {
        return NamesSchema(m_family);
    }

    std::vector<std::string> Names() const override
    {
        return ListPolicies(m_family);
    }

  private:
    ObjectFactory& m_member;
    TypeId m_family;
};

} // namespace

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

std::string
Member::Range() const
{
    return "";
}

std::vector<std::string>
Member::Names() const
{
    return {};
}

Json
Member::Default() const
{
    return Write();
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
    NoteMember member(names);
    Visit(key, member, help);
}

void
Keys::Add(const Key& key, bool& member, const std::string& help)
{
    BoolMember adapter(member);
    Visit(key, adapter, help);
}

void
Keys::Add(const Key& key, std::string& member, const std::string& help)
{
    StringMember adapter(member);
    Visit(key, adapter, help);
}

void
Keys::Add(const Key& key, double& member, JsonRange<double> range, const std::string& help)
{
    NumberMember adapter(member, range);
    Visit(key, adapter, help);
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
    TimeMember adapter(member, range);
    Visit(key, adapter, help);
}

void
Keys::Add(const Key& key, DataRate& member, const std::string& help, JsonRange<DataRate> range)
{
    RateMember adapter(member, range);
    Visit(key, adapter, help);
}

void
Keys::Add(const Key& key,
          std::vector<uint32_t>& list,
          JsonRange<uint64_t> each,
          const std::string& help)
{
    NumbersMember<uint32_t, CountMember, uint64_t> adapter(list, each);
    Visit(key, adapter, help);
}

void
Keys::Add(const Key& key,
          std::vector<double>& list,
          JsonRange<double> each,
          const std::string& help)
{
    NumbersMember<double, NumberMember, double> adapter(list, each);
    Visit(key, adapter, help);
}

void
Keys::Size(const Key& key, uint64_t& member, const std::string& help, JsonRange<uint64_t> range)
{
    SizeMember adapter(member, range);
    Visit(key, adapter, help);
}

void
Keys::Policy(const Key& key, ObjectFactory& member, TypeId family, const std::string& help)
{
    PolicyMember adapter(member, family);
    Visit(key, adapter, help);
}

void
Keys::Object(const Key& key, const std::function<void(Keys&)>& describe, const std::string& help)
{
    ObjectMember adapter(describe, false, true);
    Visit(key, adapter, help);
}

void
Keys::AddOptional(const Key& key,
                  bool isThere,
                  const std::function<void(Keys&)>& describe,
                  const std::string& help)
{
    ObjectMember adapter(describe, true, isThere);
    Visit(key, adapter, help);
}

void
Keys::Add(const Key& key, const List& list, const std::string& help)
{
    ListMember adapter(list);
    Visit(key, adapter, help);
}

void
Keys::AddCount(const Key& key, uint64_t& member, JsonRange<uint64_t> range, const std::string& help)
{
    CountMember adapter(member, range);
    Visit(key, adapter, help);
}

void
Keys::AddName(const Key& key,
              std::string& member,
              const std::vector<std::string>& names,
              const std::string& help)
{
    NameMember adapter(member, names);
    Visit(key, adapter, help);
}

void
Keys::Kind(ObjectFactory& member, TypeId family, bool takesOthers, const std::string& help)
{
    KindMember kind(member, family);
    Visit("kind", kind, help);
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
            AttributeMember attribute(target, type, name, value);
            When(true, isOfAll ? "" : kinds, [&]() {
                Visit(Optional(KeyOf(name), ""), attribute, info.help);
            });
        }
    }
}

NumberMember::NumberMember(double& member, JsonRange<double> range)
    : m_member(member),
      m_range(range)
{
}

void
NumberMember::Read(const JsonValue& value)
{
    m_member = value.Number(m_range, m_member);
}

Json
NumberMember::Write() const
{
    return m_member;
}

Json
NumberMember::Schema(const KeyPlace& /* place */) const
{
    Json schema = {{"type", "number"}};
    if (m_range.min == ABOVE_ZERO)
    {
        schema["exclusiveMinimum"] = 0;
    }
    else if (m_range.min != -NO_LIMIT)
    {
        schema["minimum"] = m_range.min;
    }
    if (m_range.max != NO_LIMIT)
    {
        schema["maximum"] = m_range.max;
    }
    return schema;
}

std::string
NumberMember::Range() const
{
    const std::string range = DescribeNumbers(m_range); // "a number above 0"
    return m_range.min == -NO_LIMIT ? "" : range.substr(range.find(' ', 2) + 1);
}

CountMember::CountMember(uint64_t& member, JsonRange<uint64_t> range)
    : m_member(member),
      m_range(range)
{
}

void
CountMember::Read(const JsonValue& value)
{
    m_member = value.Unsigned(m_range, m_member);
}

Json
CountMember::Write() const
{
    return m_member;
}

Json
CountMember::Schema(const KeyPlace& /* place */) const
{
    Json schema = {{"type", "integer"}, {"minimum", m_range.min}};
    if (m_range.max < MAX_UNSIGNED)
    {
        schema["maximum"] = m_range.max;
    }
    return schema;
}

std::string
CountMember::Range() const
{
    return DescribeRange(m_range, MAX_UNSIGNED, [](uint64_t end) { return std::to_string(end); });
}

PolicyMember::PolicyMember(ObjectFactory& member, TypeId family)
    : m_member(member),
      m_family(family)
{
}

void
PolicyMember::Read(const JsonValue& value)
{
    if (value.IsPresent())
    {
        const bool hasDefault = m_member.IsTypeIdSet();
        m_member =
            value.Factory(m_family, hasDefault ? GetShortName(m_family, m_member.GetTypeId()) : "");
    }
}

Json
PolicyMember::Write() const
{
    return m_member.IsTypeIdSet() ? PolicyJson(m_family, m_member) : Json();
}

Json
PolicyMember::Schema(const KeyPlace& place) const
{
    return PolicySchema(m_family, place.book);
}

Json
PolicyMember::Default() const
{
    return m_member.IsTypeIdSet() ? Json(GetShortName(m_family, m_member.GetTypeId())) : Json();
}

std::vector<std::string>
PolicyMember::Names() const
{
    return m_family.GetParent() == ddl::Policy::GetTypeId() ? ListPolicies(m_family)
                                                            : std::vector<std::string>{};
}

PairMember::PairMember(Member& first, Member& second, bool& isThere)
    : m_first(first),
      m_second(second),
      m_isThere(isThere)
{
}

void
PairMember::Read(const JsonValue& value)
{
    const auto pair = value.Array();
    if (value.IsArray() && pair.size() != 2)
    {
        value.Report("must be [start, end], two values");
    }
    else if (value.IsArray())
    {
        m_first.Read(pair[0]);
        m_second.Read(pair[1]);
        m_isThere = true;
    }
}

Json
PairMember::Write() const
{
    return m_isThere ? Json::array({m_first.Write(), m_second.Write()}) : Json();
}

Json
PairMember::Schema(const KeyPlace& place) const
{
    return {{"type", "array"}, {"minItems", 2}, {"maxItems", 2}, {"items", m_first.Schema(place)}};
}

} // namespace ddl
} // namespace ns3
