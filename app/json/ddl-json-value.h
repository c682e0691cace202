// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JSON_VALUE_H
#define DDL_JSON_VALUE_H

#include "ddl-json-range.h"
#include "ddl-json-text.h"
#include "ddl-policy-spec.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::ddl
{

class JsonObject;
class JsonReader;

/** \return "a number from 1 to 8" */
std::string DescribeNumbers(const JsonRange<double>& range);

/**
 * A value of the document, or the place where one could be. Each reading function returns the value
 * if it is there and right, and \p fallback otherwise; it complains to the reader when it is there
 * and of the wrong type, out of range, or has a wrong unit.
 */
class JsonValue
{
  public:
    /**
     * \param reader where complaints go
     * \param pointer of the value (RFC 6901)
     * \param value null if there is none
     */
    JsonValue(JsonReader& reader, std::string pointer, const Json* value);

    bool IsPresent() const
    {
        return m_value != nullptr;
    }

    bool IsString() const
    {
        return m_value && m_value->is_string();
    }

    bool IsObject() const
    {
        return m_value && m_value->is_object();
    }

    bool IsArray() const
    {
        return m_value && m_value->is_array();
    }

    const std::string& GetPointer() const
    {
        return m_pointer;
    }

    /** \return the value as it was given, null if there is none; nothing is checked */
    const Json& Raw() const;
    /** Complains about this value. */
    void Report(const std::string& what) const;
    /** \return "file:line", or the option that gave it: "--set" */
    std::string Where() const;
    /** \return where all complaints of the document are */
    std::vector<Diagnostic>& GetDiagnostics() const;
    /** \return folder that a relative path in this value starts from; "": the current folder */
    std::string GetFolder() const;

    /** A whole number; 3.7, -3 and "3" are wrong, 1e6 is not. */
    uint64_t Unsigned(JsonRange<uint64_t> range, uint64_t fallback) const;
    /** A number without a unit. */
    double Number(JsonRange<double> range, double fallback) const;
    bool Bool(bool fallback) const;
    std::string String(const std::string& fallback) const;
    std::string OneOf(const std::vector<std::string>& names, const std::string& fallback) const;
    /** "10Gbps"; by default any but 0. */
    DataRate Rate(DataRate fallback,
                  JsonRange<DataRate> range = {DataRate(1), DataRate(MAX_UNSIGNED)}) const;
    /** "5us"; by default 0 or more. */
    Time Duration(Time fallback, JsonRange<Time> range = {Time(0), Time::Max()}) const;
    /** "250MB" */
    uint64_t Bytes(uint64_t fallback, JsonRange<uint64_t> range = {0, MAX_BYTES}) const;
    /** "lwf" or {"type": "lwf", "Kappa": 2}, see ReadPolicy() */
    PolicySpec Policy(const std::string& fallback) const;
    /** The same as a factory: one without a TypeId if the policy is wrong, or there is none. */
    ObjectFactory Factory(TypeId family, const std::string& fallback) const;

    /** \return the object; one without keys if there is none or it is wrong */
    JsonObject Object() const;
    /** \return the elements of the list; none if there is no list or it is wrong */
    std::vector<JsonValue> Array() const;

  private:
    /** Complains that the value is not what it should be. \param example text to write instead */
    void ReportType(const std::string& wanted, const std::string& example = "") const;
    template <typename T>
    struct Kind;
    template <typename T>
    T Quantity(const Kind<T>& kind, T fallback, JsonRange<T> range) const;

    JsonReader* m_reader;
    std::string m_pointer;
    const Json* m_value;
};

} // namespace ns3::ddl

#endif // DDL_JSON_VALUE_H
