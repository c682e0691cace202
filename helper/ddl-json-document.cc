// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-json-document.h"

#include "ddl-text-file.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace ddl
{

namespace
{

constexpr const char* OVERRIDE = "--set";   //!< what stands for "file:line" of an override
constexpr std::size_t OVERRIDE_LINE = 0;    //!< line number that stands for it in the map
constexpr std::size_t MAX_INDEX_DIGITS = 9; //!< longer indices are out of range anyway

std::vector<std::string>
SplitPath(const std::string& path)
{
    std::vector<std::string> tokens(1);
    for (const char c : path)
    {
        if (c == '.')
        {
            tokens.emplace_back();
        }
        else
        {
            tokens.back() += c;
        }
    }
    return tokens;
}

/** What stops an override: caught by Override(), never seen outside. */
struct Refusal
{
    std::string pointer;
    std::string what;
};

/**
 * \return the value of `--set=PATH=VALUE`. Text that was meant as JSON is not taken for a string:
 *         a missing bracket would be found much later, as a wrong type
 */
Json
ParseValue(const std::string& text, const std::string& pointer)
{
    try
    {
        CheckUtf8(text.empty() ? " " : text, OVERRIDE);
    }
    catch (const InputError& error)
    {
        throw Refusal{pointer, error.GetDiagnostics().front().what};
    }
    try
    {
        return ParseJson(text, OVERRIDE, false).root;
    }
    catch (const InputError& error)
    {
        if (text.find_first_of("{[\"") == 0)
        {
            throw Refusal{pointer, error.GetDiagnostics().front().what};
        }
        return text;
    }
}

/** \return element of a list, by the index in a path */
Json&
Element(Json& list, const std::string& token, const std::string& pointer)
{
    const bool isNumber = !token.empty() && token.size() <= MAX_INDEX_DIGITS &&
                          token.find_first_not_of("0123456789") == std::string::npos;
    const std::size_t index = isNumber ? std::stoul(token) : list.size();
    if (index < list.size())
    {
        return list[index];
    }
    const std::string allowed =
        list.empty() ? "the list is empty" : "indices are 0 to " + std::to_string(list.size() - 1);
    throw Refusal{pointer,
                  (isNumber ? "there is no element " : "no index of a list: ") + token + " (" +
                      allowed + ")"};
}

/** One step along a path. \return the member or element, created if it is a missing key */
Json&
Step(Json& value, const std::string& token, const std::string& around, bool isPreset)
{
    const std::string pointer = JsonPointer(around, token);
    if (value.is_array())
    {
        return Element(value, token, pointer);
    }
    if (value.is_string())
    {
        Json named = Json::object();
        named[isPreset ? "preset" : "type"] = std::move(value);
        value = std::move(named);
    }
    if (value.is_null()) // nothing, or a key that was created one step before
    {
        value = Json::object();
    }
    if (!value.is_object())
    {
        throw Refusal{pointer,
                      (around.empty() ? "the scenario" : around) + " is " + DescribeJson(value) +
                          ", which has no keys"};
    }
    return value[token];
}

/** \return objects and lists inside each other in the value, itself counted */
std::size_t
Depth(const Json& value)
{
    std::size_t deepest = 0;
    if (value.is_structured())
    {
        for (const auto& inner : value)
        {
            deepest = std::max(deepest, Depth(inner));
        }
        ++deepest;
    }
    return deepest;
}

/** Sets the value at a path. \return its pointer */
std::string
Assign(Json& root,
       const std::string& path,
       const std::string& valueText,
       const std::set<std::string>& presets)
{
    const auto tokens = SplitPath(path);
    Json* value = &root;
    std::string pointer;
    for (const auto& token : tokens)
    {
        if (token.empty())
        {
            throw Refusal{pointer, "\"" + path + "\" is no path of keys such as a.b.0.c"};
        }
        value = &Step(*value, token, pointer, presets.count(pointer) > 0);
        pointer = JsonPointer(pointer, token);
    }
    *value = ParseValue(valueText, pointer);
    if (tokens.size() + Depth(*value) > MAX_JSON_DEPTH)
    {
        throw Refusal{"", "more than " + std::to_string(MAX_JSON_DEPTH) + " levels"};
    }
    return pointer;
}

bool
IsOtherKind(const Json& given, const Json& preset)
{
    for (const char* key : {"kind", "type"})
    {
        if (given.contains(key) && preset.contains(key) && given.at(key) != preset.at(key))
        {
            return true;
        }
    }
    return false;
}

void
Merge(Json& given, const Json& preset)
{
    if (IsOtherKind(given, preset))
    {
        return;
    }
    for (const auto& [key, value] : preset.items())
    {
        if (!given.contains(key))
        {
            given[key] = value;
        }
        else if (given[key].is_object() && value.is_object())
        {
            Merge(given[key], value);
        }
    }
}

} // namespace

JsonDocument::JsonDocument(std::string name)
    : m_name(std::move(name))
{
}

JsonDocument
JsonDocument::ParseFile(const std::string& path)
{
    return ParseText(ReadTextFile(path), path);
}

JsonDocument
JsonDocument::ParseText(const std::string& text, const std::string& name)
{
    JsonDocument document(name);
    document.m_json = ParseJson(text, name, true);
    return document;
}

const Json&
JsonDocument::GetRoot() const
{
    return m_json.root;
}

std::string
JsonDocument::Where(const std::string& pointer) const
{
    std::string around = pointer;
    auto found = m_json.lines.find(around);
    while (found == m_json.lines.end() && !around.empty())
    {
        around = ParentPointer(around);
        found = m_json.lines.find(around);
    }
    return found->second == OVERRIDE_LINE ? OVERRIDE : m_name + ":" + std::to_string(found->second);
}

void
JsonDocument::Override(const std::string& path,
                       const std::string& valueText,
                       std::vector<Diagnostic>& diagnostics,
                       const std::set<std::string>& presets)
{
    try
    {
        Json root = m_json.root; // changed in full or not at all
        const std::string pointer = Assign(root, path, valueText, presets);
        m_json.root = std::move(root);
        const std::string below = pointer + "/";
        auto line = m_json.lines.lower_bound(below);
        while (line != m_json.lines.end() && line->first.compare(0, below.size(), below) == 0)
        {
            line = m_json.lines.erase(line);
        }
        m_json.lines[pointer] = OVERRIDE_LINE;
    }
    catch (const Refusal& refusal)
    {
        diagnostics.push_back({OVERRIDE, refusal.pointer, refusal.what});
    }
}

void
JsonDocument::FillIn(const std::string& pointer, const Json& preset)
{
    Json& given = m_json.root.at(Json::json_pointer(pointer));
    if (!given.is_object())
    {
        given = preset;
        return;
    }
    Merge(given, preset);
}

} // namespace ddl
} // namespace ns3
