// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-json-object.h"

#include "ddl-json-reader.h"

#include <utility>

namespace ns3::ddl
{

JsonObject::JsonObject(JsonReader& reader, std::string pointer, const Json* object, bool isWrong)
    : m_reader(&reader),
      m_pointer(std::move(pointer)),
      m_object(object),
      m_isWrong(isWrong)
{
    m_reader->NoteObject(m_pointer, m_object);
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
    return m_reader->GetDiagnostics();
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
    m_reader->NoteAnyKey(m_pointer);
}

JsonValue
JsonObject::At(const std::string& key) const
{
    m_reader->NoteKey(m_pointer, key);
    const Json* value = nullptr;
    if (m_object)
    {
        const auto found = m_object->find(key);
        value = found == m_object->end() ? nullptr : &*found;
    }
    return JsonValue(*m_reader, JsonPointer(m_pointer, key), value);
}

uint64_t
JsonObject::Unsigned(const std::string& key, JsonRange<uint64_t> range, uint64_t fallback) const
{
    return At(key).Unsigned(range, fallback);
}

double
JsonObject::Number(const std::string& key, JsonRange<double> range, double fallback) const
{
    return At(key).Number(range, fallback);
}

bool
JsonObject::Bool(const std::string& key, bool fallback) const
{
    return At(key).Bool(fallback);
}

std::string
JsonObject::String(const std::string& key, const std::string& fallback) const
{
    return At(key).String(fallback);
}

std::string
JsonObject::OneOf(const std::string& key,
                  const std::vector<std::string>& names,
                  const std::string& fallback) const
{
    return At(key).OneOf(names, fallback);
}

DataRate
JsonObject::Rate(const std::string& key, DataRate fallback) const
{
    return At(key).Rate(fallback);
}

DataRate
JsonObject::Rate(const std::string& key, DataRate fallback, JsonRange<DataRate> range) const
{
    return At(key).Rate(fallback, range);
}

Time
JsonObject::Duration(const std::string& key, Time fallback) const
{
    return At(key).Duration(fallback);
}

Time
JsonObject::Duration(const std::string& key, Time fallback, JsonRange<Time> range) const
{
    return At(key).Duration(fallback, range);
}

uint64_t
JsonObject::Bytes(const std::string& key, uint64_t fallback, JsonRange<uint64_t> range) const
{
    return At(key).Bytes(fallback, range);
}

PolicySpec
JsonObject::Policy(const std::string& key, const std::string& fallback) const
{
    return At(key).Policy(fallback);
}

JsonObject
JsonObject::Object(const std::string& key) const
{
    return At(key).Object();
}

std::vector<JsonValue>
JsonObject::Array(const std::string& key) const
{
    return At(key).Array();
}

} // namespace ns3::ddl
