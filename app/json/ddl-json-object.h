// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JSON_OBJECT_H
#define DDL_JSON_OBJECT_H

#include "ddl-json-value.h"

#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * An object of the document, read key by key. A key that is asked for, in any way, is known; all
 * other keys are reported by JsonReader::Finish(). Objects are views: reading one from several
 * places is fine.
 */
class JsonObject
{
  public:
    /**
     * \param reader where complaints go
     * \param pointer of the object (RFC 6901)
     * \param object null if there is none: then it has no keys
     * \param isWrong whether there is something else in its place, which has been complained about
     */
    JsonObject(JsonReader& reader, std::string pointer, const Json* object, bool isWrong);

    bool IsPresent() const;
    const std::string& GetPointer() const;
    /** Complains about this object. */
    void Report(const std::string& what) const;

    /** \return where all complaints of the document are */
    std::vector<Diagnostic>& GetDiagnostics() const;

    /** \return true if the key is there */
    bool Has(const std::string& key) const;
    /** Complains when the key is not there. \return true if it is */
    bool Require(const std::string& key) const;
    /** \return all keys, in the order of the file; all of them are known from now on */
    std::vector<std::string> Keys() const;
    /** Makes all keys known, because what has been read does not tell which ones are legal. */
    void AllowAnyKey() const;

    /** \return the value, or the place where it could be */
    JsonValue At(const std::string& key) const;

    // The same as At(key).Unsigned(range, fallback) and so on.
    uint64_t Unsigned(const std::string& key, JsonRange<uint64_t> range, uint64_t fallback) const;
    double Number(const std::string& key, JsonRange<double> range, double fallback) const;
    bool Bool(const std::string& key, bool fallback) const;
    std::string String(const std::string& key, const std::string& fallback) const;
    std::string OneOf(const std::string& key,
                      const std::vector<std::string>& names,
                      const std::string& fallback) const;
    DataRate Rate(const std::string& key, DataRate fallback) const;
    DataRate Rate(const std::string& key, DataRate fallback, JsonRange<DataRate> range) const;
    Time Duration(const std::string& key, Time fallback) const;
    Time Duration(const std::string& key, Time fallback, JsonRange<Time> range) const;
    uint64_t Bytes(const std::string& key,
                   uint64_t fallback,
                   JsonRange<uint64_t> range = {0, MAX_BYTES}) const;
    PolicySpec Policy(const std::string& key, const std::string& fallback) const;
    JsonObject Object(const std::string& key) const;
    std::vector<JsonValue> Array(const std::string& key) const;

  private:
    JsonReader* m_reader;
    std::string m_pointer;
    const Json* m_object;
    bool m_isWrong;
};

} // namespace ns3::ddl

#endif // DDL_JSON_OBJECT_H
