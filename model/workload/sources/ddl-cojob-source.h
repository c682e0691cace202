// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COJOB_SOURCE_H
#define DDL_COJOB_SOURCE_H

#include "ns3/ddl-job-spec.h"

#include <optional>

namespace ns3::ddl
{

/**
 * Source of cojobs and plain jobs, one at a time, so that a long workload need not be in memory all
 * at once. Ids of cojobs and of jobs never repeat.
 *
 * It gives the same groups in each simulation with the same seed, except for the times at which
 * successors are requested.
 */
class CojobSource
{
  public:
    CojobSource() = default;
    virtual ~CojobSource() = default;
    CojobSource(const CojobSource&) = delete;
    CojobSource& operator=(const CojobSource&) = delete;

    /** \return the next group to arrive, not earlier than the one before; none after the last */
    virtual std::optional<CojobSpec> Next() = 0;

    /**
     * Called when at most one job of a cojob is left, so that a random search goes on (Grouper
     * §V-B).
     *
     * \param cojob a cojob with at most one job left
     * \param now present time
     * \return the successor that arrives now, if there is one
     */
    virtual std::optional<CojobSpec> NextAfter(const CojobSpec& /* cojob */, Time /* now */)
    {
        return std::nullopt;
    }
};

} // namespace ns3::ddl

#endif // DDL_COJOB_SOURCE_H
