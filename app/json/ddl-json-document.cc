// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-json-document.h"

#include "app/text/ddl-text-file.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <utility>

namespace ns3::ddl
{

namespace
{

/** A JSON text and where its values stand. */
struct ParsedJson
{
    Json root;
    /**
     * Line of the values, by JSON pointer (RFC 6901). A value without a line of its own stands on
     * the line of the nearest value around it; the root's pointer is "".
     */
    std::map<std::string, std::size_t> lines;
};

/** \return nlohmann's message without its own position and its copy of the text */
std::string
Reword(std::string message)
{
    const auto begin = message.find("syntax error");
    message.erase(0, begin == std::string::npos ? message.find("] ") + 2 : begin);
    const auto copy = message.find("; last read: ");
    if (copy != std::string::npos)
    {
        const auto expected = message.rfind("; expected ");
        const bool follows = expected != std::string::npos && expected > copy;
        message.erase(copy, follows ? expected - copy : std::string::npos);
    }
    return message;
}

/**
 * Builds values and their lines from the events of nlohmann's parser, which gives no positions with
 * them: the builder finds them from the number of bytes that the parser has taken.
 *
 * Every event returns whether the parser shall go on. A key given twice or a number that is too
 * long is noted and the rest still read, so that all of them are reported at once.
 */
class JsonBuilder : public Json::json_sax_t
{
  public:
    /**
     * \param text the text that is parsed; it, \p name and \p consumed must outlive the builder
     * \param name name of the text in messages
     * \param consumed number of bytes that the parser has taken so far
     */
    JsonBuilder(const std::string& text, const std::string& name, const std::size_t& consumed)
        : m_text(text),
          m_name(name),
          m_consumed(consumed)
    {
    }

    /** \throws InputError with all errors of the text */
    ParsedJson Finish()
    {
        if (!m_diagnostics.empty())
        {
            throw InputError(std::move(m_diagnostics));
        }
        return std::move(m_result);
    }

    bool null() override
    {
        return Add(nullptr);
    }

    bool boolean(bool value) override
    {
        return Add(value);
    }

    bool number_integer(number_integer_t value) override
    {
        return Add(value);
    }

    bool number_unsigned(number_unsigned_t value) override
    {
        return Add(value);
    }

    bool number_float(number_float_t value, const string_t& digits) override
    {
        Add(value);
        if (digits.find_first_of(".eE") == std::string::npos)
        {
            Complain(CountLine(),
                     m_newestPointer,
                     "the whole number " + digits.substr(0, 40) + " has more than 64 bits");
        }
        return true;
    }

    bool string(string_t& value) override
    {
        return Add(std::move(value));
    }

    bool binary(binary_t& /* value */) override
    {
        return false; // never in text
    }

    bool start_object(std::size_t /* elements */) override
    {
        return Open(Json::object());
    }

    bool end_object() override
    {
        return Close();
    }

    bool start_array(std::size_t /* elements */) override
    {
        return Open(Json::array());
    }

    bool end_array() override
    {
        return Close();
    }

    bool key(string_t& value) override
    {
        Level& level = m_open.back();
        level.key = value;
        level.keyLine = CountLine();
        const auto [first, isNew] = level.keys.emplace(value, level.keyLine);
        if (!isNew)
        {
            Complain(level.keyLine,
                     JsonPointer(level.pointer, value),
                     "key given twice; the first one is on line " + std::to_string(first->second));
        }
        return true;
    }

    bool parse_error(std::size_t position,
                     const std::string& /* token */,
                     const nlohmann::detail::exception& error) override
    {
        // the parser counts the bytes up to and with the one that it cannot take, or the end
        const std::size_t offset = std::min(position == 0 ? 0 : position - 1, m_text.size());
        m_diagnostics.push_back({WhereInText(m_text, offset, m_name),
                                 "",
                                 "column " + std::to_string(ColumnInText(m_text, offset)) + ": " +
                                     Reword(error.what()) + Explain(offset)});
        return false;
    }

  private:
    /** An object or list whose end has not been read. */
    struct Level
    {
        Json* value; //!< pointer to the value; its parent does not grow while the value is open
        std::string pointer;
        std::size_t line;
        std::map<std::string, std::size_t> keys{}; //!< line of each key of an object so far
        std::string key{};                         //!< newest key of an object
        std::size_t keyLine{0};
    };

    /** Appends to the innermost open value. \return true */
    bool Add(Json value)
    {
        if (m_open.empty())
        {
            m_result.root = std::move(value);
            m_newest = &m_result.root;
            m_newestPointer = "";
            m_result.lines[""] = CountLine();
            return true;
        }
        Level& level = m_open.back();
        std::size_t line = level.keyLine;
        if (level.value->is_object())
        {
            // Past ordered_map::emplace(), which compares with every key; level.keys has done that.
            Json::object_t::Container& members = level.value->get_ref<Json::object_t&>();
            members.emplace_back(level.key, std::move(value));
            m_newest = &members.back().second;
            m_newestPointer = JsonPointer(level.pointer, level.key);
        }
        else
        {
            line = CountLine();
            m_newestPointer = JsonPointer(level.pointer, std::to_string(level.value->size()));
            level.value->push_back(std::move(value));
            m_newest = &level.value->back();
        }
        if (line != level.line)
        {
            m_result.lines[m_newestPointer] = line;
        }
        return true;
    }

    bool Open(Json value)
    {
        Add(std::move(value));
        if (m_open.size() == MAX_JSON_DEPTH)
        {
            Complain(CountLine(),
                     "",
                     "more than " + std::to_string(MAX_JSON_DEPTH) +
                         " objects and lists inside each other");
            return false;
        }
        const auto own = m_result.lines.find(m_newestPointer);
        const std::size_t line = own != m_result.lines.end() ? own->second : m_open.back().line;
        m_open.push_back({m_newest, m_newestPointer, line});
        return true;
    }

    bool Close()
    {
        m_open.pop_back();
        return true;
    }

    /** \return line of the end of the newest token */
    std::size_t CountLine()
    {
        std::size_t end = m_consumed;
        while (end > m_counted && std::isspace(static_cast<unsigned char>(m_text[end - 1])))
        {
            --end; // the parser takes the byte behind a number, too; no token ends in a newline
        }
        const auto begin = m_text.begin();
        m_line += std::count(begin + m_counted, begin + end, '\n');
        m_counted = end;
        return m_line;
    }

    /** \return a hint on the cause of the error at an offset, "; ..." or "" */
    std::string Explain(std::size_t offset) const
    {
        if (offset == m_text.size() && !m_open.empty())
        {
            const Level& level = m_open.back();
            return std::string("; the text ends inside the ") +
                   (level.value->is_object() ? "object" : "list") + " of line " +
                   std::to_string(level.line) + ", is it complete?";
        }
        const auto before =
            offset == 0 ? std::string::npos : m_text.find_last_not_of(" \t\r\n", offset - 1);
        const bool isClosing =
            offset < m_text.size() && (m_text[offset] == '}' || m_text[offset] == ']');
        if (isClosing && before != std::string::npos && m_text[before] == ',')
        {
            return "; remove the comma before it";
        }
        return "";
    }

    void Complain(std::size_t line, const std::string& pointer, const std::string& what)
    {
        m_diagnostics.push_back({m_name + ":" + std::to_string(line), pointer, what});
    }

    const std::string& m_text;
    const std::string& m_name;
    const std::size_t& m_consumed;
    std::size_t m_counted{0}; //!< number of bytes whose newlines have been counted
    std::size_t m_line{1};    //!< line of the byte at m_counted
    std::vector<Level> m_open;
    ParsedJson m_result;
    Json* m_newest{nullptr};     //!< value that was added last
    std::string m_newestPointer; //!< JSON pointer of the newest value
    std::vector<Diagnostic> m_diagnostics;
};

/**
 * Walks over a text and tells how far the parser has come: nlohmann's events carry no positions.
 */
class CountingIterator
{
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* at, std::size_t* consumed)
        : m_at(at),
          m_consumed(consumed)
    {
    }

    reference operator*() const
    {
        return *m_at;
    }

    CountingIterator& operator++()
    {
        ++m_at;
        ++*m_consumed;
        return *this;
    }

    CountingIterator operator++(int)
    {
        const CountingIterator before = *this;
        ++*this;
        return before;
    }

    bool operator==(const CountingIterator& other) const
    {
        return m_at == other.m_at;
    }

    bool operator!=(const CountingIterator& other) const
    {
        return m_at != other.m_at;
    }

  private:
    const char* m_at;
    std::size_t* m_consumed;
};

/**
 * Reads JSON strictly: on top of the grammar (RFC 8259), a key twice in one object, a number beyond
 * 64 bits or beyond double, and nesting deeper than MAX_JSON_DEPTH are errors.
 *
 * \param text UTF-8
 * \param name name of the text in messages
 * \param comments whether C and C++ comments may stand between tokens
 * \throws InputError with line and column
 */
ParsedJson
ParseJson(const std::string& text, const std::string& name, bool comments)
{
    CheckUtf8(text, name);
    std::size_t consumed = 0;
    JsonBuilder builder(text, name, consumed);
    const CountingIterator first(text.data(), &consumed);
    const CountingIterator last(text.data() + text.size(), &consumed);
    Json::sax_parse(first, last, &builder, Json::input_format_t::json, true, comments);
    return builder.Finish();
}

constexpr std::size_t MAX_INDEX_DIGITS = 9; //!< longer indices are out of range anyway

std::vector<std::string>
SplitPath(const std::string& path)
{
    std::vector<std::string> tokens;
    return boost::split(tokens, path, [](char c) { return c == '.'; });
}

/** Refuse an override. Override() catches the error and adds where the value comes from. */
[[noreturn]] void
Refuse(const std::string& pointer, const std::string& what)
{
    throw InputError({{"", pointer, what}});
}

/**
 * \return the value of `--set=PATH=VALUE`. A text that looks like JSON is never taken for a string,
 *         since a missing bracket would then be found much later, as a wrong type
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

/** \return nesting depth of the value: 0 for a scalar, 1 for an object or list of scalars */
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

/** \return true if the keys of the lower object have no meaning in the upper one */
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
    const bool isPreset = pointer == "/cluster" || pointer == "/scheduler";
    object[isPreset ? "preset" : "type"] = name;
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
JsonDocument::Erase(const std::string& pointer)
{
    const Json::json_pointer at(pointer);
    if (m_root.contains(at))
    {
        m_root[at.parent_pointer()].erase(at.back());
    }
    EraseOrigins(pointer);
}

void
JsonDocument::LayOver(const JsonDocument& upper)
{
    Lay(m_root, upper.m_root, "", upper);
}

JsonDocument
JsonDocument::Nest(const std::string& key) const
{
    JsonDocument nested;
    nested.m_root[key] = m_root;
    for (const auto& [below, origin] : m_origins)
    {
        nested.m_origins[JsonPointer("", key) + below] = origin;
    }
    nested.m_origins[""] = FindOrigin("");
    return nested;
}

void
JsonDocument::LayUnder(const JsonDocument& lower)
{
    JsonDocument named = *this;
    for (const auto& [key, value] : lower.m_root.items())
    {
        if (value.is_object() && named.m_root.contains(key) && named.m_root[key].is_string())
        {
            named.m_root[key] = NameObject(named.m_root[key], JsonPointer("", key));
        }
    }
    JsonDocument laid = lower;
    laid.m_origins[""] = FindOrigin("");
    laid.LayOver(named);
    *this = std::move(laid);
}

void
JsonDocument::Override(const std::string& path,
                       const std::string& valueText,
                       std::vector<Diagnostic>& diagnostics,
                       const std::string& option)
{
    try
    {
        JsonDocument changed = *this; // the override is applied in full or not at all
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
    Json* value = &m_root; // the last value on the path that exists
    std::string pointer;
    Json* at = value; // what the rest of the path is laid over: the root, or an element of a list
    std::string start;
    std::size_t behind = 0; // number of tokens of the path that lead to `at`
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
    std::map<std::string, std::size_t> indices; // ordered_map would search all keys for each
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
