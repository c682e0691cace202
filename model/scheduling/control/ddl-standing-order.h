// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_STANDING_ORDER_H
#define DDL_STANDING_ORDER_H

#include "ns3/ddl-scheduler-view.h"

#include <map>
#include <tuple>

namespace ns3
{
namespace ddl
{

/** Names a unit from one run of the network scheduler to the next. */
struct UnitKey
{
    CojobId cojob;
    uint32_t stage{0};     //!< of a unit of kind STAGE, otherwise 0
    JobId job;             //!< 0 for a unit of kind STAGE
    uint32_t iteration{0}; //!< of a unit of kind COFLOW, otherwise 0

    bool operator<(const UnitKey& other) const
    {
        return std::tie(cojob, stage, job, iteration) <
               std::tie(other.cojob, other.stage, other.job, other.iteration);
    }
};

/** \return the key of the unit to which an iteration in a stage of a job belongs */
UnitKey GetUnitKey(UnitKind kind, CojobId cojob, uint32_t stage, JobId job, uint32_t iteration = 0);

/**
 * The order that holds until the network scheduler runs again. A unit that came since the last run
 * goes last, those that came first before others.
 */
class StandingOrder
{
  public:
    /** Replace the order by the answer of a network scheduler. */
    void Set(const SchedulerView& view, const UnitOrder& order, UnitKind kind);

    /** \return the place of a unit, 1 = first; an unknown unit is put last from now on */
    uint32_t GetPlace(const UnitKey& unit);

  private:
    std::map<UnitKey, uint32_t> m_places;
    uint32_t m_last{0}; //!< highest place given
};

} // namespace ddl
} // namespace ns3

#endif // DDL_STANDING_ORDER_H
