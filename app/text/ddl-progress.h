// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PROGRESS_H
#define DDL_PROGRESS_H

#include "ns3/nstime.h"

#include <chrono>
#include <ostream>
#include <string>

namespace ns3
{
namespace ddl
{

/**
 * Says how far something is: one line that is written over again and again on a terminal, a plain
 * line now and then otherwise.
 */
class Progress
{
  public:
    /**
     * \param os where it says so
     * \param isTerminal whether a line can be written over
     */
    Progress(std::ostream& os, bool isTerminal);
    /** Clears the line, so that an error does not end up behind it. */
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /** \return true when it is time to say something again; asked often, it is cheap */
    bool IsDue() const;

    /** \param line what to say, without a line break */
    void Say(const std::string& line);

    /** Clear the line on a terminal, so that others can write. */
    void Clear();

    /** \return wall-clock seconds since construction */
    double GetElapsed() const;

  private:
    using Clock = std::chrono::steady_clock;

    std::ostream& m_os;
    bool m_isTerminal;
    bool m_isShown{false}; //!< there is a line on the terminal
    Clock::time_point m_start;
    Clock::time_point m_due;
};

/**
 * \param simulated time so far
 * \param done stages that are over
 * \param of all stages
 * \param elapsed wall-clock seconds so far
 * \return "12.3 ms simulated, 5 of 14 stages, 800 us a second, about 12 s left"
 */
std::string DescribeProgress(Time simulated, std::size_t done, std::size_t of, double elapsed);

} // namespace ddl
} // namespace ns3

#endif // DDL_PROGRESS_H
