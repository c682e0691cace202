// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-progress.h"

#include "ddl-text-table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ns3::ddl
{

namespace
{

constexpr std::chrono::milliseconds TERMINAL_INTERVAL{200};
constexpr std::chrono::seconds PLAIN_INTERVAL{10};

/** \return text of a duration: "1.23 s", "4.56 ms", "7.89 us" */
std::string
FormatDuration(double seconds)
{
    const char* unit = "s";
    if (seconds < 1e-3)
    {
        seconds *= 1e6;
        unit = "us";
    }
    else if (seconds < 1)
    {
        seconds *= 1e3;
        unit = "ms";
    }
    char text[48];
    std::snprintf(text, sizeof text, seconds < 1000 ? "%.4g %s" : "%.0f %s", seconds, unit);
    return text;
}

} // namespace

Progress::Progress(std::ostream& os, bool isTerminal)
    : m_os(os),
      m_isTerminal(isTerminal),
      m_start(Clock::now()),
      m_due(m_start +
            (isTerminal ? Clock::duration(TERMINAL_INTERVAL) : Clock::duration(PLAIN_INTERVAL)))
{
}

Progress::~Progress()
{
    Clear();
}

bool
Progress::IsDue() const
{
    return Clock::now() >= m_due;
}

void
Progress::Say(const std::string& line)
{
    if (m_isTerminal)
    {
        m_os << "\r\033[K" << line << std::flush;
        m_isShown = true;
        m_due = Clock::now() + TERMINAL_INTERVAL;
    }
    else
    {
        m_os << line << std::endl;
        m_due = Clock::now() + PLAIN_INTERVAL;
    }
}

void
Progress::Clear()
{
    if (m_isTerminal && m_isShown)
    {
        m_os << "\r\033[K" << std::flush;
        m_isShown = false;
    }
}

double
Progress::GetElapsed() const
{
    return std::chrono::duration<double>(Clock::now() - m_start).count();
}

std::string
DescribeProgress(Time simulated, std::size_t done, std::size_t of, double elapsed)
{
    std::string text = FormatDuration(simulated.GetSeconds()) + " simulated, " +
                       std::to_string(done) + " of " + std::to_string(of) + " stages, " +
                       FormatDuration(elapsed > 0 ? simulated.GetSeconds() / elapsed : 0) +
                       " a second";
    if (done > 0 && done < of)
    {
        const double left = elapsed * static_cast<double>(of - done) / static_cast<double>(done);
        text += ", about " + std::to_string(std::lround(left)) + " s left";
    }
    return text;
}

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

} // namespace ns3::ddl
