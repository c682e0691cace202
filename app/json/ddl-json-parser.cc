// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-json-parser.h"

#include "app/text/ddl-text-file.h"
#include "ddl-json-builder.h"

#include <iterator>

namespace ns3::ddl
{

namespace
{

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
