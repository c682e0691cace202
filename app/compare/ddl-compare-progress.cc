// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-compare-progress.h"

#include "app/text/ddl-text-table.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace ddl
{

CompareProgress::CompareProgress(std::ostream& os, Style style, std::size_t runs, std::size_t width)
    : m_progress(os, style == Style::TERMINAL),
      m_style(style),
      m_runs(runs),
      m_width(width)
{
}

CompareProgress::~CompareProgress()
{
    m_progress.Clear();
}

void
CompareProgress::SayLine(const std::string& name, const std::string& what)
{
    if (m_style == Style::LINES)
    {
        m_progress.Say("[" + std::to_string(m_kept + m_ended) + " of " + std::to_string(m_runs) +
                       "] " + name + ": " + what);
    }
}

void
CompareProgress::Keep(const std::string& name)
{
    ++m_kept;
    SayLine(name, "finished before");
}

void
CompareProgress::Start()
{
    ++m_running;
    Tick();
}

void
CompareProgress::End(const std::string& name, double seconds, const std::string& failure)
{
    --m_running;
    ++m_ended;
    m_failed += failure.empty() ? 0 : 1;
    m_seconds += seconds;
    const std::string left = FormatTimeLeft();
    SayLine(name,
            (failure.empty() ? "done in " : failure + " after ") + FormatWallTime(seconds) +
                (left.empty() ? "" : ", " + left));
}

void
CompareProgress::Tick()
{
    if (m_style == Style::TERMINAL)
    {
        const std::string left = FormatTimeLeft();
        m_progress.Say(std::to_string(m_kept + m_ended) + " of " + std::to_string(m_runs) +
                       " runs done, " + std::to_string(m_running) + " running" +
                       (m_failed > 0 ? ", " + std::to_string(m_failed) + " failed" : "") +
                       (left.empty() ? "" : ", " + left));
    }
}

std::string
CompareProgress::FormatTimeLeft() const
{
    const std::size_t left = m_runs - m_kept - m_ended;
    if (m_ended == 0 || left == 0)
    {
        return "";
    }
    const double each = m_seconds / static_cast<double>(m_ended);
    const auto rounds = static_cast<double>(left) / static_cast<double>(std::min(left, m_width));
    return "about " + FormatWallTime(each * rounds) + " left";
}

std::string
FormatWallTime(double seconds)
{
    if (seconds < 60)
    {
        return FormatNumber(seconds, seconds < 10 ? 2 : 1) + " s";
    }
    const auto minutes = static_cast<uint64_t>(std::lround(seconds / 60));
    return minutes < 60
               ? std::to_string(minutes) + " min"
               : std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}

} // namespace ddl
} // namespace ns3
