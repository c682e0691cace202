// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-json-reader.h"

#include "ns3/ddl-attribute-check.h"
#include "ns3/ddl-quantity.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace ns3::ddl
{

namespace
{

std::string
FormatWhole(uint64_t number)
{
    return std::to_string(number);
}

std::string
FormatNumber(double number)
{
    return Json(number).dump();
}

/** \return true if the value is a number without a fraction that fits */
bool
IsWhole(const Json& value)
{
    constexpr double EXACT = 9007199254740992; // 2^53: doubles are exact up to here
    return value.is_number_unsigned() ||
           (value.is_number_float() && value.get<double>() >= 0 && value.get<double>() <= EXACT &&
            std::trunc(value.get<double>()) == value.get<double>());
}

/** \return the value that a string was probably meant to be, or the value itself */
Json
Unquote(const Json& value)
{
    if (!value.is_string())
    {
        return value;
    }
    std::string problem;
    const auto& text = value.get_ref<const std::string&>();
    const bool isWord = text == "true" || text == "false";
    return isWord || ParseNumber(text, problem) ? Json::parse(text, nullptr, false) : value;
}

/** How many unknown keys of one object are listed: a file of another kind has very many. */
constexpr std::size_t MOST_UNKNOWN_KEYS = 20;

/** A place in a file: "file:line". */
struct Place
{
    std::string file; //!< path of the file; "" for a place without a line
    unsigned long line{0};
};

Place
FindPlace(const Diagnostic& diagnostic)
{
    constexpr std::size_t MOST_DIGITS = 18;
    const auto colon = diagnostic.where.rfind(':');
    const std::string digits =
        colon == std::string::npos ? "" : diagnostic.where.substr(colon + 1, MOST_DIGITS);
    const bool isNumber =
        !digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos;
    return isNumber ? Place{diagnostic.where.substr(0, colon), std::stoul(digits)} : Place{};
}

} // namespace

std::string
DescribeNumbers(const JsonRange<double>& range)
{
    if (range.min == ABOVE_ZERO)
    {
        const bool isOpen = range.max == NO_LIMIT;
        return "a number above 0" + (isOpen ? "" : " and at most " + FormatNumber(range.max));
    }
    return range.min == -NO_LIMIT ? "a number"
                                  : "a number " + DescribeRange(range, NO_LIMIT, FormatNumber);
}

JsonValue::JsonValue(JsonReader& reader, std::string pointer, const Json* value)
    : m_reader(&reader),
      m_pointer(std::move(pointer)),
      m_value(value)
{
}

const Json&
JsonValue::Raw() const
{
    static const Json none;
    return m_value ? *m_value : none;
}

void
JsonValue::Report(const std::string& what) const
{
    m_reader->Report(m_pointer, what);
}

std::string
JsonValue::Where() const
{
    return m_reader->m_document.Where(m_pointer);
}

std::vector<Diagnostic>&
JsonValue::GetDiagnostics() const
{
    return m_reader->m_diagnostics;
}

std::string
JsonValue::GetFolder() const
{
    return m_reader->m_document.GetFolder(m_pointer);
}

void
JsonValue::ReportType(const std::string& wanted, const std::string& example) const
{
    Report("must be " + wanted + ", is " + DescribeJson(*m_value) +
           (example.empty() ? "" : "; did you mean " + example + "?"));
}

uint64_t
JsonValue::Unsigned(JsonRange<uint64_t> range, uint64_t fallback) const
{
    const bool isWhole = m_value && IsWhole(*m_value);
    const uint64_t number = isWhole ? m_value->get<uint64_t>() : fallback;
    if (m_value && (!isWhole || number < range.min || number > range.max))
    {
        const Json meant = Unquote(*m_value);
        ReportType("a whole number " + DescribeRange(range, MAX_UNSIGNED, FormatWhole),
                   m_value->is_string() && IsWhole(meant) ? meant.dump() : "");
        return fallback;
    }
    return number;
}

double
JsonValue::Number(JsonRange<double> range, double fallback) const
{
    const bool isNumber = m_value && m_value->is_number();
    const double number = isNumber ? m_value->get<double>() : fallback;
    if (m_value && (!isNumber || number < range.min || number > range.max))
    {
        const Json meant = Unquote(*m_value);
        ReportType(DescribeNumbers(range),
                   m_value->is_string() && meant.is_number() ? meant.dump() : "");
        return fallback;
    }
    return number;
}

bool
JsonValue::Bool(bool fallback) const
{
    if (m_value && !m_value->is_boolean())
    {
        const Json meant = Unquote(*m_value);
        ReportType("true or false", meant.is_boolean() ? meant.dump() : "");
        return fallback;
    }
    const bool value = m_value ? m_value->get<bool>() : fallback;
    return value;
}

std::string
JsonValue::String(const std::string& fallback) const
{
    if (m_value && !m_value->is_string())
    {
        const bool isScalar = m_value->is_primitive() && !m_value->is_null();
        ReportType("a string", isScalar ? "\"" + m_value->dump() + "\"" : "");
        return fallback;
    }
    const std::string value = m_value ? m_value->get<std::string>() : fallback;
    return value;
}

std::string
JsonValue::OneOf(const std::vector<std::string>& names, const std::string& fallback) const
{
    const std::string name = IsString() ? m_value->get<std::string>() : fallback;
    if (m_value && (!IsString() || std::count(names.begin(), names.end(), name) == 0))
    {
        const std::string nearest = IsString() ? NearestName(name, names) : "";
        ReportType("one of " + JoinNames(names), nearest.empty() ? "" : "\"" + nearest + "\"");
        return fallback;
    }
    return name;
}

/** How a quantity is read and named. */
template <typename T>
struct JsonValue::Kind
{
    const char* wanted;
    T most; //!< upper end of a range that stands for "no upper end"
    std::optional<T> (*parse)(const std::string& text, std::string& problem);
    std::string (*format)(T value);
};

template <typename T>
T
JsonValue::Quantity(const Kind<T>& kind, T fallback, JsonRange<T> range) const
{
    if (!m_value)
    {
        return fallback;
    }
    if (!IsString() && !m_value->is_number())
    {
        ReportType(kind.wanted);
        return fallback;
    }
    std::string problem;
    const std::string text = IsString() ? m_value->get<std::string>() : m_value->dump();
    const auto value = kind.parse(text, problem);
    if (!value)
    {
        Report(problem);
        return fallback;
    }
    if (*value < range.min || *value > range.max)
    {
        ReportType(DescribeRange(range, kind.most, kind.format));
        return fallback;
    }
    return *value;
}

DataRate
JsonValue::Rate(DataRate fallback, JsonRange<DataRate> range) const
{
    const Kind<DataRate> kind{"a rate like \"10Gbps\"",
                              DataRate(MAX_UNSIGNED),
                              ParseRate,
                              FormatRate};
    return Quantity(kind, fallback, range);
}

Time
JsonValue::Duration(Time fallback, JsonRange<Time> range) const
{
    const Kind<Time> kind{"a time like \"5us\"", Time::Max(), ParseDuration, FormatDuration};
    return Quantity(kind, fallback, range);
}

uint64_t
JsonValue::Bytes(uint64_t fallback, JsonRange<uint64_t> range) const
{
    const Kind<uint64_t> kind{"a size like \"250MB\"", MAX_BYTES, ParseBytes, FormatBytes};
    return Quantity(kind, fallback, range);
}

PolicySpec
JsonValue::Policy(const std::string& fallback) const
{
    PolicySpec spec{fallback, {}, Where(), m_pointer};
    if (!IsObject())
    {
        if (m_value && !IsString())
        {
            ReportType("a name or an object with a \"type\"");
        }
        spec.name = IsString() ? m_value->get<std::string>() : fallback;
        return spec;
    }
    const JsonObject object = Object();
    for (const auto& name : object.Keys())
    {
        const JsonValue value = object.At(name);
        const auto text = AttributeText(value.Raw());
        if (name == "type")
        {
            spec.name = value.String(spec.name);
        }
        else if (text)
        {
            spec.attributes.push_back({name, *text, value.Where()});
        }
        else
        {
            value.ReportType("a number, true or false, a string, a list of these, or an object "
                             "with a \"type\"");
        }
    }
    return spec;
}

ObjectFactory
JsonValue::Factory(TypeId family, const std::string& fallback) const
{
    const PolicySpec policy = Policy(fallback);
    return policy.name.empty() && !IsPresent()
               ? ObjectFactory()
               : policy.MakeFactory(family, m_reader->m_diagnostics);
}

JsonObject
JsonValue::Object() const
{
    const bool isWrong = m_value && !IsObject();
    if (isWrong)
    {
        ReportType("an object");
    }
    return JsonObject(*m_reader, m_pointer, IsObject() ? m_value : nullptr, isWrong);
}

std::vector<JsonValue>
JsonValue::Array() const
{
    std::vector<JsonValue> elements;
    if (m_value && !IsArray())
    {
        ReportType("a list");
    }
    if (!IsArray())
    {
        return elements;
    }
    for (const auto& element : *m_value)
    {
        const std::string index = std::to_string(elements.size());
        elements.emplace_back(*m_reader, JsonPointer(m_pointer, index), &element);
    }
    return elements;
}

JsonObject::JsonObject(JsonReader& reader, std::string pointer, const Json* object, bool isWrong)
    : m_reader(&reader),
      m_pointer(std::move(pointer)),
      m_object(object),
      m_isWrong(isWrong)
{
    m_reader->m_visited[m_pointer].object = m_object;
}

bool
JsonObject::IsPresent() const
{
    return m_object != nullptr;
}

const std::string&
JsonObject::GetPointer() const
{
    return m_pointer;
}

void
JsonObject::Report(const std::string& what) const
{
    m_reader->Report(m_pointer, what);
}

std::vector<Diagnostic>&
JsonObject::GetDiagnostics() const
{
    return m_reader->m_diagnostics;
}

bool
JsonObject::Has(const std::string& key) const
{
    return At(key).IsPresent();
}

bool
JsonObject::Require(const std::string& key) const
{
    const JsonValue value = At(key);
    if (!value.IsPresent() && !m_isWrong)
    {
        value.Report("is missing");
    }
    return value.IsPresent();
}

std::vector<std::string>
JsonObject::Keys() const
{
    AllowAnyKey();
    std::vector<std::string> keys;
    if (m_object)
    {
        for (const auto& member : m_object->items())
        {
            keys.push_back(member.key());
        }
    }
    return keys;
}

void
JsonObject::AllowAnyKey() const
{
    m_reader->m_visited[m_pointer].isAnyKnown = true;
}

JsonValue
JsonObject::At(const std::string& key) const
{
    m_reader->m_visited[m_pointer].known.insert(key);
    const Json* value = nullptr;
    if (m_object)
    {
        const auto found = m_object->find(key);
        value = found == m_object->end() ? nullptr : &*found;
    }
    return JsonValue(*m_reader, JsonPointer(m_pointer, key), value);
}

void
SortByLine(std::vector<Diagnostic>& diagnostics)
{
    std::map<std::string, std::size_t> ranks;
    for (const auto& diagnostic : diagnostics)
    {
        ranks.emplace(FindPlace(diagnostic).file, ranks.size());
    }
    ranks[""] = diagnostics.size();
    const auto isEarlier = [&ranks](const Diagnostic& a, const Diagnostic& b) {
        const Place one = FindPlace(a);
        const Place other = FindPlace(b);
        return std::make_pair(ranks.at(one.file), one.line) <
               std::make_pair(ranks.at(other.file), other.line);
    };
    std::stable_sort(diagnostics.begin(), diagnostics.end(), isEarlier);
}

JsonReader::JsonReader(const JsonDocument& document, std::vector<Diagnostic>& diagnostics)
    : m_document(document),
      m_diagnostics(diagnostics)
{
}

JsonObject
JsonReader::Root()
{
    return JsonValue(*this, "", &m_document.GetRoot()).Object();
}

void
JsonReader::Report(const std::string& pointer, const std::string& what)
{
    m_diagnostics.push_back({m_document.Where(pointer), pointer, what});
}

void
JsonReader::Finish()
{
    for (const auto& [pointer, visited] : m_visited)
    {
        if (visited.object && !visited.isAnyKnown)
        {
            ReportUnknownKeys(pointer, visited);
        }
    }
    SortByLine(m_diagnostics);
}

void
JsonReader::ReportUnknownKeys(const std::string& pointer, const Visited& visited)
{
    const std::vector<std::string> known(visited.known.begin(), visited.known.end());
    const std::string allowed =
        known.empty() ? " (no keys are known here)" : " (known: " + JoinNames(known) + ")";
    std::size_t count = 0;
    for (const auto& [key, value] : visited.object->get_ref<const Json::object_t&>())
    {
        const std::string at = JsonPointer(pointer, key);
        if (visited.known.count(key) > 0 || m_document.IsOfOtherKind(at) ||
            ++count > MOST_UNKNOWN_KEYS)
        {
            continue;
        }
        Report(at, "unknown key" + allowed + SuggestName(key, known));
    }
    if (count > MOST_UNKNOWN_KEYS)
    {
        Report(pointer, std::to_string(count - MOST_UNKNOWN_KEYS) + " more unknown keys");
    }
}

} // namespace ns3::ddl
