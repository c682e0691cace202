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
     * \param os stream for the lines
     * \param isTerminal whether a line can be overwritten
     */
    Progress(std::ostream& os, bool isTerminal);
    /** Clears the line, so that an error does not end up behind it. */
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /** \return true when it is time to say something again; asked often, it is cheap */
    bool IsDue() const;

    /** \param line text to show, without a line break */
    void Say(const std::string& line);

    /** Clear the line on a terminal, so that others can write. */
    void Clear();

    /** \return wall-clock seconds since construction */
    double GetElapsed() const;

  private:
    using Clock = std::chrono::steady_clock;

    std::ostream& m_os;
    bool m_isTerminal;
    bool m_isShown{false}; //!< a line is shown on the terminal
    Clock::time_point m_start;
    Clock::time_point m_due;
};

/**
 * \param simulated simulated time so far
 * \param done number of stages that are over
 * \param of number of all stages
 * \param elapsed wall-clock seconds so far
 * \return text: "12.3 ms simulated, 5 of 14 stages, 800 us a second, about 12 s left"
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
     * \param os stream for the lines; must outlive this object
     * \param style how lines are written
     * \param runs number of all runs
     * \param width number of runs at a time
     */
    CompareProgress(std::ostream& os, Style style, std::size_t runs, std::size_t width);
    /** Wipes the line on a terminal. */
    ~CompareProgress();
    CompareProgress(const CompareProgress&) = delete;
    CompareProgress& operator=(const CompareProgress&) = delete;

    /** \param name name of a run that is kept from an earlier call */
    void Keep(const std::string& name);
    /** A run starts. */
    void Start();
    /**
     * \param name name of a run that has ended
     * \param seconds wall-clock seconds that the run took
     * \param failure why the run failed, "" if it did not
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
    std::size_t m_failed{0}; //!< number of ended runs that failed
    double m_seconds{0};     //!< sum of the wall-clock seconds of ended runs
};

/** \return text of a wall-clock time: "45 s", "12 min", "3 h 20 min" */
std::string FormatWallTime(double seconds);

} // namespace ns3::ddl

#endif // DDL_PROGRESS_H
