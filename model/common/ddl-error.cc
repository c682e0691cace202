// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-error.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <nlohmann/json.hpp>
#include <numeric>

namespace ns3::ddl
{

namespace
{

std::string
JoinLines(const std::vector<Diagnostic>& diagnostics)
{
    std::string text;
    for (const auto& diagnostic : diagnostics)
    {
        text += (text.empty() ? "" : "\n") + diagnostic.ToString();
    }
    return text;
}

/**
 * Edit distance with swaps: insertions, deletions, substitutions and swaps of neighbours cost 1
 * each, and no part is edited twice (optimal string alignment; Damerau 1964). Three rows of the
 * table at a time.
 */
std::size_t
EditDistance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> before(b.size() + 1); // row i - 2 of the table
    std::vector<std::size_t> above(b.size() + 1);  // row i - 1 of the table
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i)
    {
        std::swap(before, above);
        std::swap(above, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j)
        {
            const std::size_t substituted = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({substituted, above[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
        }
    }
    return row[b.size()];
}

/** \return the text with control characters, newlines above all, written as \n, \t, \x1B... */
std::string
EscapeControls(const std::string& text)
{
    std::string escaped;
    for (const char c : text)
    {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\n' || c == '\r' || c == '\t')
        {
            escaped += c == '\n' ? "\\n" : (c == '\r' ? "\\r" : "\\t");
        }
        else if (byte < 0x20 || byte == 0x7F)
        {
            const char* const digits = "0123456789ABCDEF";
            escaped += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
        }
        else
        {
            escaped += c;
        }
    }
    return escaped;
}

/**
 * \return the text with what stands between two separators cut to its beginning and "..." where it
 *         is too long: such values are the user's, who need not read them again
 */
std::string
CutBetween(const std::string& text, char separator, std::size_t longest)
{
    constexpr std::size_t KEPT = 60;
    std::string cut;
    for (std::size_t begin = 0; begin <= text.size();)
    {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        std::size_t length = end - begin;
        const bool isLong = length > longest;
        for (length = isLong ? KEPT : length;
             isLong && length > 0 && (text[begin + length] & 0xC0) == 0x80;)
        {
            --length; // do not cut within a character of UTF-8
        }
        cut.append(text, begin, length);
        cut += isLong ? "..." : "";
        cut += end < text.size() ? std::string(1, separator) : "";
        begin = end + 1;
    }
    return cut;
}

/** \return the text with long quoted values and overlong words cut; lists of names stay whole */
std::string
CutValues(const std::string& text)
{
    constexpr std::size_t LONGEST_QUOTED = 200;
    constexpr std::size_t LONGEST_WORD = 1000; // paths are words, too
    std::string cut;
    std::size_t begin = 0;
    while (begin < text.size())
    {
        const std::size_t open = std::min(text.find('"', begin), text.size());
        const std::size_t close = std::min(text.find('"', open + 1), text.size());
        cut += text.substr(begin, open - begin);
        cut += CutBetween(text.substr(open, close - open + 1), '"', LONGEST_QUOTED);
        begin = close + 1;
    }
    return CutBetween(cut, ' ', LONGEST_WORD);
}

} // namespace

std::string
Diagnostic::ToString() const
{
    constexpr std::size_t LONGEST_KEY = 200;
    std::string text;
    for (const auto& part : {where, CutBetween(pointer, '/', LONGEST_KEY), CutValues(what)})
    {
        text += (text.empty() || part.empty() ? "" : ": ") + EscapeControls(part);
    }
    return text;
}

InputError::InputError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(JoinLines(diagnostics)),
      m_diagnostics(std::move(diagnostics))
{
}

InputError::InputError(const std::string& what)
    : InputError(std::vector<Diagnostic>{{"", "", what}})
{
}

std::string
NearestName(const std::string& given, const std::vector<std::string>& legal)
{
    std::string nearest;
    std::size_t least = SIZE_MAX;
    for (const auto& name : legal)
    {
        const std::size_t distance = EditDistance(given, name);
        const std::size_t allowed =
            std::max<std::size_t>(1, std::max(given.size(), name.size()) / 3);
        if (distance <= allowed && distance < least)
        {
            least = distance;
            nearest = name;
        }
    }
    return nearest;
}

std::string
JoinNames(const std::vector<std::string>& names)
{
    return boost::join(names, ", ");
}

std::string
QuoteText(const std::string& text)
{
    constexpr std::size_t LONGEST = 60;
    std::string shown(text, 0, LONGEST);
    if (text.size() > LONGEST)
    {
        shown += "...";
    }
    return nlohmann::json(shown).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace ns3::ddl
