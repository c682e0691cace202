// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JSON_READER_H
#define DDL_JSON_READER_H

#include "ddl-json-document.h"
#include "ddl-json-policy.h"

#include "ns3/data-rate.h"
#include "ns3/ddl-error.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3::ddl
{

class JsonObject;
class JsonReader;

/** What is allowed for a value in a document, both ends included. */
template <typename T>
struct JsonRange
{
    T min;
    T max;
};

constexpr uint64_t MAX_BYTES = uint64_t{1} << 63; //!< upper end, in bytes, of a size without one
constexpr uint64_t MAX_UNSIGNED = std::numeric_limits<uint64_t>::max(); //!< no upper end of a count
constexpr double NO_LIMIT = std::numeric_limits<double>::max();   //!< no upper end of a number
constexpr double ABOVE_ZERO = std::numeric_limits<double>::min(); //!< lower end of positive numbers

/**
 * \param range the range that is allowed
 * \param most the upper end that stands for "no upper end"
 * \param format writes one end as text
 * \return text of the range: "from 1 to 8" or "at least 1"
 */
template <typename T, typename Format>
std::string
DescribeRange(const JsonRange<T>& range, T most, Format format)
{
    return range.max < most ? "from " + format(range.min) + " to " + format(range.max)
                            : "at least " + format(range.min);
}

/** \return text of a range of numbers: "a number from 1 to 8" */
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
     * \param reader reader that gets complaints
     * \param pointer JSON pointer of the value (RFC 6901)
     * \param value the value; null if there is none
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
    /** \return where the value was written: "file:line", or the option ("--set") */
    std::string Where() const;
    /** \return all complaints about the document so far */
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
    /** A data rate, "10Gbps"; by default any but 0. */
    DataRate Rate(DataRate fallback,
                  JsonRange<DataRate> range = {DataRate(1), DataRate(MAX_UNSIGNED)}) const;
    /** A duration, "5us"; by default 0 or more. */
    Time Duration(Time fallback, JsonRange<Time> range = {Time(0), Time::Max()}) const;
    /** A number of bytes, "250MB". */
    uint64_t Bytes(uint64_t fallback, JsonRange<uint64_t> range = {0, MAX_BYTES}) const;
    /**
     * A policy: its name, "lwf", or an object with its attributes, {"type": "lwf", "Kappa": 2}.
     * Values of attributes are written as they are for ns-3: numbers, truth values, strings, lists
     * of these, and objects, {"type": "ns3::UniformRandomVariable", "Max": 2}. Only their form is
     * checked here; PolicySpec::MakeFactory() checks name and attributes.
     */
    PolicySpec Policy(const std::string& fallback) const;
    /** A factory of a policy; it has no TypeId if the policy is wrong, or there is none. */
    ObjectFactory Factory(TypeId family, const std::string& fallback) const;

    /** \return the value as an object; one without keys if the value is missing or wrong */
    JsonObject Object() const;
    /** \return the elements of the value, a list; none if the value is missing or wrong */
    std::vector<JsonValue> Array() const;

  private:
    /** Complains that the value has the wrong type. \param example text to write instead */
    void ReportType(const std::string& wanted, const std::string& example = "") const;
    template <typename T>
    struct Kind;
    template <typename T>
    T Quantity(const Kind<T>& kind, T fallback, JsonRange<T> range) const;

    JsonReader* m_reader;
    std::string m_pointer;
    const Json* m_value;
};

/**
 * An object of the document, read key by key. A key that is asked for, in any way, is known; all
 * other keys are reported by JsonReader::Finish(). Objects are views: reading one from several
 * places is fine.
 */
class JsonObject
{
  public:
    /**
     * \param reader reader that gets complaints
     * \param pointer JSON pointer of the object (RFC 6901)
     * \param object the object; null if there is none, which reads like one without keys
     * \param isWrong whether a value of another type, already reported, is in the object's place
     */
    JsonObject(JsonReader& reader, std::string pointer, const Json* object, bool isWrong);

    bool IsPresent() const;
    const std::string& GetPointer() const;
    /** Complains about this object. */
    void Report(const std::string& what) const;

    /** \return all complaints about the document so far */
    std::vector<Diagnostic>& GetDiagnostics() const;

    /** \return true if the key is there */
    bool Has(const std::string& key) const;
    /** Complains when the key is not there. \return true if it is */
    bool Require(const std::string& key) const;
    /** \return all keys, in the order of the file; all of them are known from now on */
    std::vector<std::string> Keys() const;
    /** Makes all keys known: for objects whose possible keys are not listed anywhere. */
    void AllowAnyKey() const;

    /** \return the value of a key, or the place where it could be */
    JsonValue At(const std::string& key) const;

  private:
    JsonReader* m_reader;
    std::string m_pointer;
    const Json* m_object;
    bool m_isWrong;
};

/**
 * Reads a document strictly. The caller asks for each key that it knows, through JsonObject and
 * JsonValue. Errors are collected, and reading goes on with defaults, so that a user sees all
 * errors at once. At the end, Finish() reports the keys that nobody asked for.
 *
 *     std::vector<Diagnostic> diagnostics;
 *     JsonReader reader(document, diagnostics);
 *     JsonObject topology = reader.Root().At("cluster").Object().At("topology").Object();
 *     spec.leaves = topology.At("leaves").Unsigned({1, 4096}, 2);
 *     spec.hostRate = topology.At("hostRate").Rate(DataRate("10Gbps"));
 *     reader.Finish();
 *     if (!diagnostics.empty()) throw InputError(diagnostics);
 *
 * The document and the diagnostics must outlive the reader, the reader all objects and values.
 */
class JsonReader
{
  public:
    JsonReader(const JsonDocument& document, std::vector<Diagnostic>& diagnostics);
    JsonReader(const JsonReader&) = delete;
    JsonReader& operator=(const JsonReader&) = delete;

    /** \return the root, which must be an object */
    JsonObject Root();
    /** Adds a complaint about the value at a pointer (RFC 6901). */
    void Report(const std::string& pointer, const std::string& what);
    /**
     * Complains about every key that nobody asked for in the objects that were read, and sorts all
     * complaints. Call it once, when all has been read.
     */
    void Finish();

  private:
    friend class JsonObject;
    friend class JsonValue;

    /** An object of the document whose keys were asked for. */
    struct Visited
    {
        const Json* object{nullptr};
        std::set<std::string> known;
        bool isAnyKnown{false};
    };

    void ReportUnknownKeys(const std::string& pointer, const Visited& visited);

    const JsonDocument& m_document;
    std::vector<Diagnostic>& m_diagnostics;
    std::map<std::string, Visited> m_visited; //!< visited objects, by JSON pointer
};

/**
 * Sorts by file, in the order in which the files are first named, and by line; complaints without
 * a line (options) come last. Complaints about one line keep their order.
 */
void SortByLine(std::vector<Diagnostic>& diagnostics);

} // namespace ns3::ddl

#endif // DDL_JSON_READER_H
