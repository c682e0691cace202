// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-progress.h"

#include <cmath>
#include <cstdio>

namespace ns3
{
namespace ddl
{

namespace
{

constexpr std::chrono::milliseconds TERMINAL_INTERVAL{200};
constexpr std::chrono::seconds PLAIN_INTERVAL{10};

/** \return "1.23 s", "4.56 ms", "7.89 us" */
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

} // namespace ddl
} // namespace ns3
