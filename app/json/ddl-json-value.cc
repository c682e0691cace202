// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-json-value.h"

#include "ddl-json-object.h"
#include "ddl-json-policy.h"
#include "ddl-json-reader.h"

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
    constexpr double EXACT = 9007199254740992; // 2^53: up to here a double is the number written
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
    return m_reader->Where(m_pointer);
}

std::vector<Diagnostic>&
JsonValue::GetDiagnostics() const
{
    return m_reader->GetDiagnostics();
}

std::string
JsonValue::GetFolder() const
{
    return m_reader->GetFolder(m_pointer);
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
    T most; //!< upper end of a range that stands for none
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
    return ReadPolicy(*this, fallback);
}

ObjectFactory
JsonValue::Factory(TypeId family, const std::string& fallback) const
{
    const PolicySpec policy = Policy(fallback);
    return policy.name.empty() && !IsPresent()
               ? ObjectFactory()
               : policy.MakeFactory(family, m_reader->GetDiagnostics());
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

} // namespace ns3::ddl
