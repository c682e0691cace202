// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-error.h"

#include <algorithm>
#include <numeric>

namespace ns3
{
namespace ddl
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

/** Levenshtein distance, one row at a time. */
std::size_t
EditDistance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i)
    {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j)
        {
            const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

} // namespace

std::string
Diagnostic::ToString() const
{
    std::string text;
    for (const auto& part : {where, pointer, what})
    {
        text += (text.empty() || part.empty() ? "" : ": ") + part;
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

const std::vector<Diagnostic>&
InputError::GetDiagnostics() const
{
    return m_diagnostics;
}

std::string
NearestName(const std::string& given, const std::vector<std::string>& legal)
{
    std::string nearest;
    std::size_t least = SIZE_MAX;
    for (const auto& name : legal)
    {
        const std::size_t distance = EditDistance(given, name);
        const std::size_t allowed = std::max<std::size_t>(1, std::max(given.size(), name.size()) / 3);
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
    std::string text;
    for (const auto& name : names)
    {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

} // namespace ddl
} // namespace ns3
