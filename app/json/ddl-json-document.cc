// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-json-document.h"

#include "app/text/ddl-text-file.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <filesystem>
#include <utility>

namespace ns3::ddl
{

namespace
{

constexpr std::size_t MAX_INDEX_DIGITS = 9; //!< longer indices are out of range anyway

std::vector<std::string>
SplitPath(const std::string& path)
{
    std::vector<std::string> tokens;
    return boost::split(tokens, path, [](char c) { return c == '.'; });
}

/** Stops an override: caught by Override(), which says where the value comes from. */
[[noreturn]] void
Refuse(const std::string& pointer, const std::string& what)
{
    throw InputError({{"", pointer, what}});
}

/**
 * \return the value of `--set=PATH=VALUE`. Text that was meant as JSON is not taken for a string:
 *         a missing bracket would be found much later, as a wrong type
 */
Json
ParseValue(const std::string& text, const std::string& pointer)
{
    const std::string name = "value";
    bool isText = false;
    try
    {
        CheckUtf8(text.empty() ? " " : text, name);
        isText = text.find_first_of("{[\"") != 0;
        return ParseJson(text, name, false).root;
    }
    catch (const InputError& error)
    {
        if (!isText)
        {
            Refuse(pointer, error.GetDiagnostics().front().what);
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
    Refuse(pointer,
           (isNumber ? "there is no element " : "no index of a list: ") + token + " (" + allowed +
               ")");
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

/** \return true if what the lower object says means nothing in the upper one */
bool
IsOfOtherType(const Json& lower, const Json& upper)
{
    return lower.contains("type") && upper.contains("type") && lower.at("type") != upper.at("type");
}

bool
NamesOtherKind(const Json& lower, const Json& upper)
{
    return upper.contains("kind") &&
           (!lower.contains("kind") || lower.at("kind") != upper.at("kind"));
}

/** \return the object that a name alone stands for */
Json
NameObject(const Json& name, const std::string& pointer)
{
    Json object = Json::object();
    object[pointer == "/cluster" ? "preset" : "type"] = name;
    return object;
}

} // namespace

JsonDocument
JsonDocument::ParseFile(const std::string& path)
{
    return ParseText(ReadTextFile(path), path);
}

JsonDocument
JsonDocument::ParseText(const std::string& text, const std::string& name)
{
    ParsedJson parsed = ParseJson(text, name, true);
    JsonDocument document;
    document.m_root = std::move(parsed.root);
    const auto shared = std::make_shared<const std::string>(name);
    for (const auto& [pointer, line] : parsed.lines)
    {
        document.m_origins.emplace_hint(document.m_origins.end(),
                                        pointer,
                                        JsonOrigin{shared, line});
    }
    return document;
}

const Json&
JsonDocument::GetRoot() const
{
    return m_root;
}

const JsonOrigin&
JsonDocument::FindOrigin(const std::string& pointer) const
{
    std::string around = pointer;
    auto found = m_origins.find(around);
    while (found == m_origins.end())
    {
        around = ParentPointer(around);
        found = m_origins.find(around);
    }
    return found->second;
}

std::string
JsonDocument::Where(const std::string& pointer) const
{
    const JsonOrigin& origin = FindOrigin(pointer);
    return *origin.name + (origin.line == 0 ? "" : ":" + std::to_string(origin.line));
}

std::string
JsonDocument::GetFolder(const std::string& pointer) const
{
    const JsonOrigin& origin = FindOrigin(pointer);
    return origin.line == 0 ? "" : std::filesystem::path(*origin.name).parent_path().string();
}

bool
JsonDocument::IsOfOtherKind(const std::string& pointer) const
{
    const auto found = m_origins.find(pointer);
    return found != m_origins.end() && found->second.isOfOtherKind;
}

void
JsonDocument::Erase(const std::string& key)
{
    if (m_root.is_object())
    {
        m_root.erase(key);
    }
    EraseOrigins(JsonPointer("", key));
}

void
JsonDocument::LayOver(const JsonDocument& upper)
{
    Lay(m_root, upper.m_root, "", upper);
}

void
JsonDocument::LayUnder(const std::string& key, const JsonDocument& lower)
{
    const std::string pointer = JsonPointer("", key);
    JsonDocument nested;
    nested.m_root[key] = lower.m_root;
    for (const auto& [below, origin] : lower.m_origins)
    {
        nested.m_origins[pointer + below] = origin;
    }
    nested.m_origins[""] = FindOrigin("");
    JsonDocument named = *this;
    if (named.m_root[key].is_string())
    {
        named.m_root[key] = NameObject(named.m_root[key], pointer);
    }
    nested.LayOver(named);
    *this = std::move(nested);
}

void
JsonDocument::Override(const std::string& path,
                       const std::string& valueText,
                       std::vector<Diagnostic>& diagnostics,
                       const std::string& option)
{
    try
    {
        JsonDocument changed = *this; // in full or not at all
        changed.Set(path, valueText, option);
        *this = std::move(changed);
    }
    catch (const InputError& error)
    {
        const Diagnostic& refusal = error.GetDiagnostics().front();
        diagnostics.push_back({option, refusal.pointer, refusal.what});
    }
}

void
JsonDocument::Set(const std::string& path, const std::string& valueText, const std::string& option)
{
    const auto tokens = SplitPath(path);
    Json* value = &m_root; // as far as the path leads into what is there
    std::string pointer;
    Json* at = value; // what the rest of the path is laid over: the root, or an element of a list
    std::string start;
    std::size_t behind = 0; // tokens that lead there
    std::string end;        // pointer of the whole path
    for (std::size_t i = 0; i < tokens.size(); ++i)
    {
        if (tokens[i].empty())
        {
            Refuse(end, "\"" + path + "\" is no path of keys such as a.b.0.c");
        }
        end = JsonPointer(end, tokens[i]);
        if (value && value->is_array())
        {
            value = &Element(*value, tokens[i], end);
            at = value;
            start = end;
            behind = i + 1;
        }
        else if (value && value->is_object())
        {
            const auto found = value->find(tokens[i]);
            value = found == value->end() ? nullptr : &*found;
        }
        else if (value && !value->is_string() && !value->is_null())
        {
            Refuse(end,
                   (pointer.empty() ? "the scenario" : pointer) + " is " + DescribeJson(*value) +
                       ", which has no keys");
        }
        else
        {
            value = nullptr;
        }
        pointer = end;
    }
    JsonDocument upper;
    upper.m_origins[""] = {std::make_shared<const std::string>(option), 0};
    Json layer = ParseValue(valueText, end);
    if (tokens.size() + Depth(layer) > MAX_JSON_DEPTH)
    {
        Refuse("", "more than " + std::to_string(MAX_JSON_DEPTH) + " levels");
    }
    for (std::size_t i = tokens.size(); i > behind; --i)
    {
        Json around = Json::object();
        around[tokens[i - 1]] = std::move(layer);
        layer = std::move(around);
    }
    Lay(*at, layer, start, upper);
}

void
JsonDocument::Lay(Json& lower,
                  const Json& upper,
                  const std::string& pointer,
                  const JsonDocument& from)
{
    if (upper.is_object() && lower.is_string())
    {
        lower = NameObject(lower, pointer);
    }
    if (upper.is_object() && lower.is_object() && !IsOfOtherType(lower, upper))
    {
        LayKeys(lower, upper, pointer, from);
    }
    else
    {
        lower = upper;
        CopyOrigins(pointer, from);
    }
}

void
JsonDocument::LayKeys(Json& lower,
                      const Json& upper,
                      const std::string& pointer,
                      const JsonDocument& from)
{
    JsonOrigin inherited = FindOrigin(pointer);
    inherited.isOfOtherKind = false;
    const bool isOtherKind = NamesOtherKind(lower, upper);
    Json::object_t::Container& members = lower.get_ref<Json::object_t&>();
    std::map<std::string, std::size_t> indices; // ordered_map looks through all keys for one
    for (const auto& [key, value] : members)
    {
        const std::string inner = JsonPointer(pointer, key);
        m_origins.emplace(inner, inherited).first->second.isOfOtherKind |= isOtherKind;
        indices.emplace(key, indices.size());
    }
    m_origins[pointer] = from.FindOrigin(pointer);
    for (const auto& [key, value] : upper.get_ref<const Json::object_t&>())
    {
        const std::string inner = JsonPointer(pointer, key);
        const auto found = indices.find(key);
        if (found != indices.end())
        {
            Lay(members[found->second].second, value, inner, from);
        }
        else
        {
            members.emplace_back(key, value);
            CopyOrigins(inner, from);
        }
    }
}

void
JsonDocument::CopyOrigins(const std::string& pointer, const JsonDocument& from)
{
    EraseOrigins(pointer);
    m_origins[pointer] = from.FindOrigin(pointer);
    const std::string below = pointer + "/";
    for (auto it = from.m_origins.lower_bound(below);
         it != from.m_origins.end() && it->first.compare(0, below.size(), below) == 0;
         ++it)
    {
        m_origins[it->first] = it->second;
    }
}

void
JsonDocument::EraseOrigins(const std::string& pointer)
{
    const std::string below = pointer + "/";
    auto at = m_origins.lower_bound(below);
    while (at != m_origins.end() && at->first.compare(0, below.size(), below) == 0)
    {
        at = m_origins.erase(at);
    }
    m_origins.erase(pointer);
}

} // namespace ns3::ddl
