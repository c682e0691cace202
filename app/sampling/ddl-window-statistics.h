// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_WINDOW_STATISTICS_H
#define DDL_WINDOW_STATISTICS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/**
 * Statistics of sampled runs, without any simulation. A cheap model (fluids) is run in full. A
 * costly model, here called "dear" (packets), is run only in windows that are drawn at random. Both
 * are measured in each window. The ratio of their times corrects the cheap model.
 */

/**
 * What one window showed of one job. A step is the mean of the second half of the iterations less
 * that of the first, times sqrt(m n) / (m + n) for halves of m and n iterations. If iterations vary
 * independently of each other, the expectation of its square is the variance that this gives to the
 * window's mean.
 */
struct WindowRow
{
    std::vector<std::string> strata; //!< strata of the row, narrowest first; never empty
    double weight{0};                //!< inverse of its probability of being drawn
    double dear{0};                  //!< time of an iteration in the dear model
    double cheap{0};                 //!< time of an iteration in the cheap model
    double expected{0};              //!< mean of `cheap` over more windows of the same visit
    double dearStep{0};
    double cheapStep{0};
    double iterations{1}; //!< number of iterations in the window
    bool isLong{false};   //!< the window came after a long warm-up
};

/** The rows of one window: one observation, as its jobs are not independent of each other. */
using Window = std::vector<WindowRow>;

/** Groups of the delete-a-group jackknife. Each costs two more runs on fluids. With 7 degrees of
 * freedom an interval is 1.2 times as wide as with very many (Student's t 2.36 over 1.96), with
 * half as many groups 1.6 times. */
constexpr uint32_t SAMPLE_GROUPS = 8;
/** Windows that a stratum needs to stand by itself, half of the groups. With fewer, most replicates
 * leave out none of its windows, and differ too little for an interval. */
constexpr uint32_t LEAST_WINDOWS = 4;

/**
 * The ratio estimator (Cochran, Sampling Techniques, 3rd ed., 1977, §6.2 and §6.11), by stratum:
 * r = sum of weight times adjusted dear / sum of weight times expected. With weights inverse to the
 * probability of being drawn, numerator and denominator are Hansen-Hurwitz estimates (1943) of what
 * the stratum takes in all.
 *
 * Adjusted dear is dear - slope x (cheap - expected): if a window is long in the cheap model, then
 * probably also in the dear one (regression estimator with double sampling, Cochran §12.7). The
 * slope is that of the regression of dear on cheap, both relative to expected, within strata, over
 * all windows; at least 0 and at most the ratio of all. It is 0 if the two models vary
 * independently. If it is the ratio, dear / cheap of the window counts.
 *
 * A narrow stratum stands by itself when LEAST_WINDOWS windows have seen it. Those that were seen
 * less often, or never, are pooled with others of their wider stratum that do not stand by
 * themselves either (and not with those that do, whose ratio would pull at theirs), and so on. The
 * widest pool is used even if very few windows have seen it: a wide interval contains the truth, a
 * pool with others that differ does not. Only if that pool is empty, all rows are used.
 *
 * Where LEAST_WINDOWS long windows have seen a narrowest stratum, only these count there: the short
 * ones show a state that does not last.
 *
 * The window numbered i is in group i modulo GetGroups(). Windows that were drawn evenly from a
 * line come in the order of their places on it, so that each group is spread evenly, too.
 */
class RatioEstimator
{
  public:
    explicit RatioEstimator(const std::vector<Window>& windows);

    /** \return number of groups of windows: SAMPLE_GROUPS, or that of the windows if it is lower */
    uint32_t GetGroups() const
    {
        return m_groups;
    }

    /** The estimates that hold for a job in a situation. */
    struct Stratum
    {
        std::string name;    //!< name of the stratum; "": no window gives an estimate
        uint32_t windows{0}; //!< number of windows that have seen it
        double ratio{1};
        /** Variances of the logarithm of a row's own ratio: `lasting` stays while the job does one
         * iteration after the other, `passing` is that of one iteration and averages out. Those
         * of all rows if fewer than LEAST_WINDOWS windows have seen the stratum. At least half of
         * the rows' variance counts as lasting: periodic changes about as long as a window make its
         * halves differ although its mean does not vary. */
        double lasting{0};
        double passing{0};
        bool isPooled{false}; //!< the stratum is not the narrowest one of the job
    };

    /**
     * \param strata strata of a job, narrowest first
     * \return the narrowest stratum that stands by itself, or the pool of those that do not; with
     *         ratio 1 and no windows if no window has seen a job of theirs that took any time
     */
    Stratum Find(const std::vector<std::string>& strata) const;

    /**
     * \param strata strata of a job, narrowest first
     * \param group group that is left out, less than GetGroups()
     * \return ratio of the stratum that Find() gives, without that group; the full ratio if the
     *         stratum has no other windows
     */
    double GetRatioWithout(const std::vector<std::string>& strata, uint32_t group) const;

  private:
    struct Sums
    {
        double dear{0};
        double excess{0}; //!< sum of cheap time less expected time
        double expected{0};
        double weight{0};       //!< weight of the next four sums
        double log{0};          //!< logarithm of adjusted dear over expected
        double squaredLog{0};   //!< square of that logarithm
        double steps{0};        //!< squared relative steps
        double oneIteration{0}; //!< squared relative steps times iterations
        double squaredWeight{0};

        void Add(const WindowRow& row, double slope);
        double GetRatio(double slope) const;
        double GetLasting() const;
        double GetPassing() const;
    };

    struct Counted
    {
        uint32_t windows{0};
        std::vector<Sums> groups;
        Sums all;
    };

    using Rows = std::vector<std::pair<std::size_t, const WindowRow*>>; //!< windows, and rows

    std::map<std::string, Counted> Count(const Rows& rows, std::size_t level) const;
    void DropShort(Rows& rows) const;
    void CountAll(const Rows& rows);
    double FindSlope(const Rows& rows, std::optional<uint32_t> without) const;
    std::pair<std::string, const Counted*> Choose(const std::vector<std::string>& strata) const;

    uint32_t m_groups;
    double m_slope{0};
    std::vector<double> m_slopes;                         //!< slope without each group
    std::vector<std::map<std::string, Counted>> m_levels; //!< strata that stand, level by level
    std::map<std::string, Counted> m_widest;              //!< widest strata, with all rows
};

/**
 * Delete-a-group jackknife (Kott, J. Official Statistics 17(4), 2001).
 *
 * \param full estimate from all windows
 * \param without estimate without each group; at least 2 groups
 * \return variance of the estimate, (G - 1) / G times the sum of squared differences
 */
double JackknifeVariance(double full, const std::vector<double>& without);

/**
 * A replicate for an estimate that takes a whole simulation. Without a group, a ratio differs from
 * the full one by 1 / sqrt(G - 1) of its standard error, on average. When the input of a simulation
 * changes a little, its result changes partly by chance, and the jackknife multiplies the variance
 * of that chance by G - 1. So the difference is stretched to the size of a standard error, by
 * sqrt(G - 1) in the logarithm, as Fay's method does it for half-samples (Judkins, J. Official
 * Statistics 6(3), 1990). Where the estimate is linear in the logarithms, StretchedVariance() of
 * such replicates is JackknifeVariance().
 *
 * \param full ratio from all windows, more than 0
 * \param without ratio without a group, more than 0
 * \param groups number of groups, at least 2
 * \return ratio of the replicate
 */
double StretchRatio(double full, double without, uint32_t groups);

/** \return mean of squared differences. \param replicates estimates with stretched ratios, >= 1 */
double StretchedVariance(double full, const std::vector<double>& replicates);

/** An estimate of a variance, and the degrees of freedom that it has. */
struct VarianceEstimate
{
    double variance{0};
    double degrees{1};
};

/**
 * \return half the width of the 95 % interval of a sum of independent parts. The degrees of freedom
 *         of the sum are (sum v)^2 / sum(v^2 / degrees), rounded down (Welch, Biometrika 34, 1947;
 *         Satterthwaite, Biometrics Bulletin 2, 1946)
 */
double GetHalfWidth(const std::vector<VarianceEstimate>& parts);

} // namespace ns3::ddl

#endif // DDL_WINDOW_STATISTICS_H
