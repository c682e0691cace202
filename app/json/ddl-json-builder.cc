// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-json-builder.h"

#include "app/text/ddl-text-file.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace ns3::ddl
{

namespace
{

/** \return what nlohmann says, less its own place and its copy of the text */
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

} // namespace

JsonBuilder::JsonBuilder(const std::string& text,
                         const std::string& name,
                         const std::size_t& consumed)
    : m_text(text),
      m_name(name),
      m_consumed(consumed)
{
}

ParsedJson
JsonBuilder::Finish()
{
    if (!m_diagnostics.empty())
    {
        throw InputError(std::move(m_diagnostics));
    }
    return std::move(m_result);
}

bool
JsonBuilder::null()
{
    return Add(nullptr);
}

bool
JsonBuilder::boolean(bool value)
{
    return Add(value);
}

bool
JsonBuilder::number_integer(number_integer_t value)
{
    return Add(value);
}

bool
JsonBuilder::number_unsigned(number_unsigned_t value)
{
    return Add(value);
}

bool
JsonBuilder::number_float(number_float_t value, const string_t& digits)
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

bool
JsonBuilder::string(string_t& value)
{
    return Add(std::move(value));
}

bool
JsonBuilder::binary(binary_t& /* value */)
{
    return false; // never in text
}

bool
JsonBuilder::start_object(std::size_t /* elements */)
{
    return Open(Json::object());
}

bool
JsonBuilder::end_object()
{
    return Close();
}

bool
JsonBuilder::start_array(std::size_t /* elements */)
{
    return Open(Json::array());
}

bool
JsonBuilder::end_array()
{
    return Close();
}

bool
JsonBuilder::key(string_t& value)
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

bool
JsonBuilder::Add(Json value)
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

bool
JsonBuilder::Open(Json value)
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

bool
JsonBuilder::Close()
{
    m_open.pop_back();
    return true;
}

std::size_t
JsonBuilder::CountLine()
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

bool
JsonBuilder::parse_error(std::size_t position,
                         const std::string& /* token */,
                         const nlohmann::detail::exception& error)
{
    // the parser counts the bytes up to and with the one that it cannot take, or the end
    const std::size_t offset = std::min(position == 0 ? 0 : position - 1, m_text.size());
    m_diagnostics.push_back({WhereInText(m_text, offset, m_name),
                             "",
                             "column " + std::to_string(ColumnInText(m_text, offset)) + ": " +
                                 Reword(error.what()) + Explain(offset)});
    return false;
}

std::string
JsonBuilder::Explain(std::size_t offset) const
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

void
JsonBuilder::Complain(std::size_t line, const std::string& pointer, const std::string& what)
{
    m_diagnostics.push_back({m_name + ":" + std::to_string(line), pointer, what});
}

} // namespace ns3::ddl
