// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-json-parser.h"

#include "app/text/ddl-text-file.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>
#include <vector>

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
     * \param text that is parsed; it, \p name and \p consumed must outlive the builder
     * \param name of the text in messages
     * \param consumed bytes that the parser has taken so far
     */
    JsonBuilder(const std::string& text, const std::string& name, const std::size_t& consumed)
        : m_text(text),
          m_name(name),
          m_consumed(consumed)
    {
    }

    /** \throws InputError with all that was wrong */
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
        Json* value; //!< stable: what is around it does not grow while it is open
        std::string pointer;
        std::size_t line;
        std::map<std::string, std::size_t> keys{}; //!< line of each key of an object so far
        std::string key{};                         //!< its newest key
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

    /** \return what may have led to the error at an offset, "; ..." or "" */
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
    std::size_t m_counted{0}; //!< bytes in which the newlines have been counted
    std::size_t m_line{1};    //!< line of the byte at m_counted
    std::vector<Level> m_open;
    ParsedJson m_result;
    Json* m_newest{nullptr};     //!< value that was added last
    std::string m_newestPointer; //!< its pointer
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

} // namespace

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

} // namespace ns3::ddl
