// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COMPARE_PROGRESS_H
#define DDL_COMPARE_PROGRESS_H

#include "app/text/ddl-progress.h"

#include <cstddef>
#include <ostream>
#include <string>

namespace ns3
{
namespace ddl
{

/**
 * Tells how far a comparison is: on a terminal one line that is overwritten, elsewhere a line for
 * each run that ends.
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

} // namespace ddl
} // namespace ns3

#endif // DDL_COMPARE_PROGRESS_H
