// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GITTINS_INDEX_H
#define DDL_GITTINS_INDEX_H

#include "ns3/nstime.h"

#include <cstddef>
#include <vector>

namespace ns3::ddl
{

/** How a Gittins index is computed from the services of past jobs. */
struct GittinsRule
{
    Time quantum{}; //!< the service quantum; 0: the one that gives the greatest index
    /** Whether the mean counts the whole service of the jobs that end within the quantum, not what
     * was left of it: E[min(S, Delta)] where E[min(S - a, Delta)] is printed. */
    bool countsWhole{false};
};

/**
 * The Gittins index of a job, of which nothing is known but the service a that it has attained and
 * that its own S is one of the services of past jobs, all equally likely (Tiresias, NSDI 2019,
 * Pseudocode 1, line 11):
 *
 *     G(a) = max over Delta > 0 of  P(S - a <= Delta | S > a) / E[min(S - a, Delta) | S > a]
 *
 * It is computed at 0 and at each of these services, and holds from there to the next one: just
 * before a service of a past job it would otherwise grow without bound. A job that has attained
 * more than all of them has the index 0.
 */
class GittinsIndex
{
  public:
    /** An index without past jobs: IsEmpty. */
    GittinsIndex() = default;

    /** \param services services of past jobs, in any order; those that are not above 0 do not count
     * \param rule how it is computed. O(n^2) for n services */
    GittinsIndex(const std::vector<Time>& services, const GittinsRule& rule);

    /** \return whether there are no past jobs */
    bool IsEmpty() const
    {
        return m_steps.empty();
    }

    /** \return G, per second of service; 0 if there are no past jobs. \param attained a, >= 0 */
    double Get(Time attained) const;

    /** \return how many greater values G takes at some a; O(log n). \param attained a, >= 0 */
    std::size_t GetRank(Time attained) const;

    /** \return number of values that G takes */
    std::size_t CountRanks() const
    {
        return m_ranks;
    }

    /** \return the least service above a at which G is another one; Time::Max(): none */
    Time GetNextChange(Time attained) const;

  private:
    /** A range of attained service in which the index is one. */
    struct Step
    {
        Time start;
        double index{0};
        std::size_t rank{0};
    };

    std::vector<Step>::const_iterator Find(Time attained) const;
    void Rank();

    std::vector<Step> m_steps; //!< by start, the first of which is 0; neighbours differ
    std::size_t m_ranks{0};
};

} // namespace ns3::ddl

#endif // DDL_GITTINS_INDEX_H
