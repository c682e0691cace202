// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SEED_RULE_H
#define DDL_SEED_RULE_H

#include "app/results/ddl-result-set.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * When a comparison has run enough seeds. Each row is compared with its base, seed by seed; the
 * rule asks how well the mean of the ratios is known.
 *
 * The results are looked at again and again, which an ordinary interval does not allow for. So the
 * intervals of a rule are wider than those for a fixed number of seeds (see Look).
 */
struct SeedRule
{
    std::string metric; //!< a metric of `compare.csv`; "": the first that the runs have
    /** Set: run seeds until the ratio's interval is at most +- this. Not set: until the ratio is
     * certain to be above or below 1. */
    std::optional<double> width;
    uint64_t least{8};  //!< number of seeds before the first look, at least LEAST_SEEDS
    uint64_t most{100}; //!< number of seeds after which rows are left uncertain
};

/** Least number of seeds before a rule is asked: with fewer, the variance is hardly known. */
constexpr uint64_t LEAST_SEEDS = 8;

/**
 * \param text "METRIC<=X%", "sign" or "sign:METRIC"; X is a percentage of the base
 * \return the rule, with the default numbers of seeds
 * \throws InputError when the text is of no such form, or there is no such metric
 */
SeedRule ParseSeedRule(const std::string& text);

/** \return the rule as ParseSeedRule takes it: "sct_s<=2%"; without numbers of seeds */
std::string FormatSeedRule(const SeedRule& rule);

/** \return the rule in words: "the ratio of sct_s is known to ±2 %" */
std::string DescribeSeedRule(const SeedRule& rule);

/** What is known of a row at one look. */
struct SeedLook
{
    std::size_t pairs{0};        //!< seeds with a ratio
    double ratio{0};             //!< mean of the ratios; 0 without pairs
    std::optional<double> width; //!< half of the rule's 95 % interval; none from less than 2 pairs
    bool isSettled{false};       //!< the rule is met
    uint64_t more{0};            //!< seeds to add before the next look; 0 if settled
};

/**
 * Look at the ratios of a row.
 *
 * With a width d, the rule is that of Chow and Robbins ("On the Asymptotic Theory of Fixed-Width
 * Sequential Confidence Intervals for the Mean", Ann. Math. Stat. 36, 1965): stop as soon as the
 * interval by the variance so far is at most +- d. It stops rather when the variance happens to be
 * small, so that its intervals cover less than 95 %. For normal values and n_0 = z^2 sigma^2 / d^2,
 * which a known variance would take, coverage is, up to o(1/n_0),
 *
 *     0.95 + z phi(z) / n_0 (E[N] - n_0 - (z^2 + 1) / 2)        (Taylor series in N / n_0),
 *
 * and a rule n >= (1 + l/n) z^2 s_n^2 / d^2 has E[N] = n_0 - 1.1825 + l (Woodroofe, "Second Order
 * Approximations for Sequential Point and Interval Estimation", Ann. Stat. 5, 1977). Student's t in
 * place of z gives l = (z^2 + 1) / 2, so 1.1825 seeds are left to add. Real ratios are skewed. Mean
 * and variance then go together, and a rule that waits for a small variance stops at a small mean.
 * With 3.5 seeds coverage stays above 93 % with the skew of 0.9 of `grouper` on its testbed, where
 * a number of seeds that is fixed beforehand has 94 %. So a row is settled when t s_n / sqrt(n)
 * sqrt(1 + 3.5/n) is at most d. Half of the seeds that seem to lack are added at a time. If seeds
 * were added, the interval is then +- d: its width is fixed, and does not depend on the chance that
 * stopped it.
 *
 * For the sign, the interval holds at all looks together with 95 %, whenever one stops: it is the
 * confidence sequence of the t-test's mixture martingale (Wang and Ramdas, "Anytime-valid t-tests
 * and confidence sequences for Gaussian means with unknown variance", 2023), with a standard normal
 * prior of the mean in units of sigma. Its likelihood ratio
 * sqrt(1 / (1 + n)) [(1 + t^2 / (n - 1)) / (1 + t^2 / ((n - 1) (1 + n)))]^(n/2) is a martingale if
 * the tested mean is true. It exceeds 1 / 0.05 with a probability of at most 5 % ever (Ville).
 *
 * Both are exact, or as good as said, for normal ratios; a test measures them with real ones.
 *
 * \param rule the rule
 * \param ratios ratios to the base in the order of seeds, of all seeds so far that have one
 * \return what they say
 */
SeedLook LookAt(const SeedRule& rule, const std::vector<double>& ratios);

/** A row after the last look. */
struct SeedVerdict
{
    SeedLook look;
    bool isBase{false}; //!< other rows are compared with it
    uint64_t seeds{0};  //!< seeds that were run, also in vain
};

/**
 * Decide on the next seeds of all rows. Each row runs the same seeds from the first on. A row that
 * is settled gets no more; a base has as many as any row that is compared with it. A row gets no
 * more when its last 8 seeds have all failed.
 *
 * The answer follows from the results alone: it is the same however many runs go at a time, and
 * when runs of an earlier call are kept.
 */
class SeedPlan
{
  public:
    /**
     * \param rule the rule
     * \param bases for each row, the row that it is compared with: itself, if it is a base
     */
    SeedPlan(const SeedRule& rule, const std::vector<std::size_t>& bases);

    /**
     * \param values for each row, the metric of each seed so far; none where the run failed
     * \return number of seeds that each row is to have at the next look; as many as now if no row
     *         needs more
     */
    std::vector<uint64_t> Next(const std::vector<Replications>& values) const;

    /** \param values as of Next \return what is known of each row */
    std::vector<SeedVerdict> Judge(const std::vector<Replications>& values) const;

  private:
    SeedRule m_rule;
    std::vector<std::size_t> m_bases;
};

} // namespace ns3::ddl

#endif // DDL_SEED_RULE_H
