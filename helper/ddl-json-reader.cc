// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-json-reader.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3
{
namespace ddl
{

namespace
{

/** Unknown keys of one object that are listed; a file of another kind would fill the screen. */
constexpr std::size_t MOST_UNKNOWN_KEYS = 20;

/** \return the line in "file:line", or the largest number */
unsigned long
LineOf(const Diagnostic& diagnostic)
{
    constexpr std::size_t MOST_DIGITS = 18;
    const auto colon = diagnostic.where.rfind(':');
    const std::string digits =
        colon == std::string::npos ? "" : diagnostic.where.substr(colon + 1, MOST_DIGITS);
    const bool isNumber =
        !digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos;
    return isNumber ? std::stoul(digits) : std::numeric_limits<unsigned long>::max();
}

} // namespace

void
SortByLine(std::vector<Diagnostic>& diagnostics)
{
    const auto isEarlier = [](const Diagnostic& a, const Diagnostic& b) {
        return LineOf(a) < LineOf(b);
    };
    std::stable_sort(diagnostics.begin(), diagnostics.end(), isEarlier);
}

JsonReader::JsonReader(const JsonDocument& document, std::vector<Diagnostic>& diagnostics)
    : m_document(document),
      m_diagnostics(diagnostics),
      m_resolved(Json::object())
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
    m_diagnostics.push_back({Where(pointer), pointer, what});
}

std::string
JsonReader::Where(const std::string& pointer) const
{
    return m_document.Where(pointer);
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
        if (visited.known.count(key) > 0 || ++count > MOST_UNKNOWN_KEYS)
        {
            continue;
        }
        const std::string nearest = NearestName(key, known);
        Report(JsonPointer(pointer, key),
               "unknown key" + allowed +
                   (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
    }
    if (count > MOST_UNKNOWN_KEYS)
    {
        Report(pointer, std::to_string(count - MOST_UNKNOWN_KEYS) + " more unknown keys");
    }
}

const Json&
JsonReader::GetResolved() const
{
    return m_resolved;
}

void
JsonReader::NoteObject(const std::string& pointer, const Json* object)
{
    m_visited[pointer].object = object;
}

void
JsonReader::NoteKey(const std::string& pointer, const std::string& key)
{
    m_visited[pointer].known.insert(key);
}

void
JsonReader::NoteAnyKey(const std::string& pointer)
{
    m_visited[pointer].isAnyKnown = true;
}

void
JsonReader::NoteResolved(const std::string& pointer, Json value)
{
    try
    {
        m_resolved[Json::json_pointer(pointer)] = std::move(value);
    }
    catch (const Json::exception&)
    {
        // One value was read both as a scalar and as an object, which has been complained about.
    }
}

} // namespace ddl
} // namespace ns3
