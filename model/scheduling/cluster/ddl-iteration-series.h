// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ITERATION_SERIES_H
#define DDL_ITERATION_SERIES_H

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::ddl
{

/**
 * The iterations of a job since the jobs that contend with it changed last: what their mean length
 * is, and whether it is known well enough to count with. Memory is bounded: after 128 cells of
 * iterations, two become one.
 *
 * Checks come at 32 iterations, and whenever there are a quarter more than at the last one. A check
 * drops the first quarter of the iterations as a warm-up, and forms 16 batches of the others (32,
 * when there are enough). The series is steady when two checks in a row have found
 *
 *  - no correlation of batches: their lag-1 autocorrelation is at most 0.3. So a beat longer than a
 *    batch asks for more iterations;
 *  - no difference between the means of the two halves beyond twice the half-width of the mean's
 *    95 % interval, which is by Student's t, and widened by what correlation is left.
 *
 * It is so until a check finds that the halves differ by thrice what batches without correlation
 * would have as half-width. Whoever waits for a half-width takes the greater one of the last two
 * checks. Both make up for stopping at a lucky check: for autocorrelated series of known mean,
 * stopped when the half-width is small enough, the interval
 * covers the mean in 90 to 96 % of cases (its test). The method is that of batch means (Law,
 * "Simulation Modeling and Analysis", 5th edition, section 9.5).
 */
class IterationSeries
{
  public:
    /** A mean and what it is based on. */
    struct Mean
    {
        double length{0};        //!< s
        double deviation{0};     //!< standard error of `length`, s
        double halfWidth{0};     //!< of its 95 % interval, s
        double greaterWidth{0};  //!< the greater one of this check and the last, s
        double spread{0};        //!< how much longer the mean is than the shortest iteration, s
        double communication{0}; //!< from when the last worker has computed to the end, s
        double count{0};         //!< iterations in the batches
    };

    static constexpr uint64_t FIRST_CHECK = 32; //!< iterations at the first check

    /** \param first number of iterations at the first check, at least FIRST_CHECK */
    explicit IterationSeries(uint64_t first = FIRST_CHECK);

    /**
     * An iteration is over.
     *
     * \param iteration its number, greater than that of the one before
     * \param end its end, s, no earlier than that of the one before
     * \param length time since the end of the one before, s; none: it does not count, because
     *        something besides iterations was in that time
     * \param communication the part after the last worker had computed, s
     * \return whether a check was due, so that what follows may have changed
     */
    bool Add(uint64_t iteration, double end, std::optional<double> length, double communication);

    /** The job was not watched for a while: check again as soon as there are some more. */
    void Resume();

    /** \return whether the last checks found no change, and enough was seen since Resume */
    bool IsSteady() const
    {
        return m_isSteady && !m_isResumed;
    }

    /** \return the mean at the last check; only if IsSteady */
    const Mean& GetMean() const
    {
        return m_mean;
    }

    /** \return when the part that counts begins, s; only if IsSteady */
    double GetBegin() const;

    /** \return end of the last iteration, s; only after one */
    double GetEnd() const
    {
        return m_cells.empty() ? m_open.end : m_cells.back().end;
    }

    /**
     * \param time from GetBegin to GetEnd, s
     * \return number of iterations that are over, interpolated
     */
    double GetPosition(double time) const;

  private:
    struct Cell
    {
        double length{0};        //!< sum, s
        double communication{0}; //!< sum, s
        uint64_t count{0};       //!< iterations in these sums
        double position{0};      //!< number of the last iteration
        double end{0};           //!< its end, s
    };

    std::size_t GetWarmUp() const;
    void Merge();
    void Check();

    uint64_t m_perCell{1};
    std::vector<Cell> m_cells;
    Cell m_open;
    double m_shortest; //!< s
    uint64_t m_counted{0};
    uint64_t m_nextCheck;
    bool m_isSteady{false};
    bool m_isResumed{false}; //!< whether no check has followed Resume yet
    uint32_t m_passed{0};    //!< checks that passed since one failed
    double m_lastWidth{0};   //!< half-width that the last check found, s
    Mean m_mean;
};

/**
 * How long two jobs go on to meet as they did. If one of them gains on the other by a whole turn or
 * more (they meet in all ways), or stays in step with it, then for ever. Otherwise their phases
 * drift through situations that nobody has seen.
 *
 * \param a a steady series
 * \param b another one
 * \param enough s that are enough in any case
 * \return seconds after which their phases have drifted by a tenth of an iteration; infinity: they
 *         will not differ from what was seen; none: they differ too fast, and more must be seen
 */
std::optional<double> FindHorizon(const IterationSeries& a,
                                  const IterationSeries& b,
                                  double enough);

/** What batches of equal size tell of the mean of a series that they follow. */
struct BatchMeans
{
    double mean{0};
    double deviation{0};  //!< standard error of the mean
    double halfWidth{0};  //!< half of its 95 % interval
    bool isSteady{false}; //!< neither correlated nor different in the two halves
    bool isMoving{false}; //!< clearly different in the two halves
};

/** \param batches means of 16 or 32 batches of equal size, in order */
BatchMeans CheckBatches(const std::vector<double>& batches);

} // namespace ns3::ddl

#endif // DDL_ITERATION_SERIES_H
