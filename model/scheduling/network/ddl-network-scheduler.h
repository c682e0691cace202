// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_NETWORK_SCHEDULER_H
#define DDL_NETWORK_SCHEDULER_H

#include "ddl-scheduler-view.h"

#include "ns3/ddl-policy.h"

namespace ns3
{
namespace ddl
{

/**
 * Family: in what order do these units go?
 *
 * A policy is a function of the view. Rank() checks its answer: every unit exactly once, no empty
 * group. Unit loads count every stage that a live job may run, unless the policy is clairvoyant.
 */
class NetworkScheduler : public Policy
{
  public:
    /** When the coordinator asks. */
    enum class Trigger
    {
        CHANGE, //!< whenever units come or go: stages, jobs, coflows as GetUnitKind() says
        PERIOD, //!< every scheduling period; a unit that came since goes last
        NEVER   //!< machines rank by themselves, see GetDemotionThresholds()
    };

    static TypeId GetTypeId();

    /**
     * \param view what there is to order
     * \return the order
     */
    UnitOrder Rank(const SchedulerView& view);

    virtual UnitKind GetUnitKind() const = 0;
    virtual Trigger GetTrigger() const;

    /**
     * \return true if loads must be current: before each run, leaders are asked for the iterations
     *         that are done, or, where coflows are ordered, machines for the bytes that they moved
     */
    virtual bool NeedsProgress() const;

    /** \return true if loads count only the stages that each job will really run */
    virtual bool IsClairvoyant() const;

    /**
     * \return bytes, ascending, that a message has to attain to fall by one rank each, from rank 1;
     *         none: ranks follow from the order. The agents do it alone, without messages.
     */
    virtual std::vector<uint64_t> GetDemotionThresholds() const;

  private:
    virtual UnitOrder DoRank(const SchedulerView& view) = 0;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_NETWORK_SCHEDULER_H
