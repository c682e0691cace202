// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-json-reader.h"

#include <algorithm>
#include <utility>

namespace ns3::ddl
{

namespace
{

/** Unknown keys of one object that are listed; a file of another kind would fill the screen. */
constexpr std::size_t MOST_UNKNOWN_KEYS = 20;

/** A place in a file: "file:line". */
struct Place
{
    std::string file; //!< "" where there is no line
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
    m_diagnostics.push_back({Where(pointer), pointer, what});
}

std::vector<Diagnostic>&
JsonReader::GetDiagnostics()
{
    return m_diagnostics;
}

std::string
JsonReader::Where(const std::string& pointer) const
{
    return m_document.Where(pointer);
}

std::string
JsonReader::GetFolder(const std::string& pointer) const
{
    return m_document.GetFolder(pointer);
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
        const std::string nearest = NearestName(key, known);
        Report(at,
               "unknown key" + allowed +
                   (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
    }
    if (count > MOST_UNKNOWN_KEYS)
    {
        Report(pointer, std::to_string(count - MOST_UNKNOWN_KEYS) + " more unknown keys");
    }
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

} // namespace ns3::ddl
