// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PROGRESS_H
#define DDL_PROGRESS_H

#include "ns3/nstime.h"

#include <chrono>
#include <cstddef>
#include <ostream>
#include <string>

namespace ns3::ddl
{

/**
 * Tells the user how far some work is: on a terminal in one line that is overwritten, elsewhere in
 * a plain line every few seconds.
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

/**
 * Tells the user how far a comparison of several runs is: on a terminal in one line that is
 * overwritten, elsewhere in a line for each run that ends.
 */
class CompareProgress
{
  public:
    /** How lines are written. */
    enum class Style
    {
        NONE,
        LINES,
        TERMINAL
    };

    /**
     * \param os where it goes; must outlive this
     * \param style how
     * \param runs how many there are
     * \param width how many run at a time
     */
    CompareProgress(std::ostream& os, Style style, std::size_t runs, std::size_t width);
    /** Wipes the line on a terminal. */
    ~CompareProgress();
    CompareProgress(const CompareProgress&) = delete;
    CompareProgress& operator=(const CompareProgress&) = delete;

    /** \param name of a run that is kept from before */
    void Keep(const std::string& name);
    /** A run starts. */
    void Start();
    /**
     * \param name of a run that has ended
     * \param seconds how long it took
     * \param failure why it failed, "" if it did not
     */
    void End(const std::string& name, double seconds, const std::string& failure);
    /** Brings the line on a terminal up to date. */
    void Tick();

  private:
    void SayLine(const std::string& name, const std::string& what);
    std::string FormatTimeLeft() const;

    Progress m_progress;
    Style m_style;
    std::size_t m_runs;
    std::size_t m_width;
    std::size_t m_kept{0};
    std::size_t m_running{0};
    std::size_t m_ended{0};
    std::size_t m_failed{0}; //!< of those that have ended
    double m_seconds{0};     //!< that the ended ones took, together
};

/** \return "45 s", "12 min", "3 h 20 min" */
std::string FormatWallTime(double seconds);

} // namespace ns3::ddl

#endif // DDL_PROGRESS_H
