// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_NETWORK_SCHEDULER_H
#define DDL_NETWORK_SCHEDULER_H

#include "ddl-scheduler-view.h"

#include "ns3/ddl-policy.h"

namespace ns3::ddl
{

/**
 * Policy family: in what order do stages, jobs or coflows use the network, and on which paths?
 *
 * A policy is a function of the view. Order() checks its answer: every unit exactly once, no empty
 * group. Unit loads count every stage that a live job may run, unless the policy is clairvoyant.
 *
 * A policy that chooses paths is asked for them first; Order() then sees the paths chosen.
 */
class NetworkScheduler : public Policy
{
  public:
    /** When the coordinator invokes the scheduler. */
    enum class Trigger
    {
        CHANGE, //!< whenever units (stages, jobs or coflows, see GetUnitKind()) come or go
        PERIOD, //!< every scheduling period; units that have arrived since go last
        NEVER   //!< never, and no priorities are sent: every unit has priority 1
    };

    static TypeId GetTypeId();

    /**
     * \param view the units to order
     * \return the order, checked
     */
    UnitOrder Order(const SchedulerView& view);

    /**
     * \param view units with their flows
     * \return the path of each flow, checked
     */
    PathChoice ChoosePaths(const SchedulerView& view);

    virtual UnitKind GetUnitKind() const = 0;

    virtual Trigger GetTrigger() const
    {
        return Trigger::CHANGE;
    }

    /**
     * \return true if loads must be current: before each invocation, leaders are asked for the
     *         iterations that are done, or, where coflows are ordered, machines for the bytes moved
     */
    virtual bool NeedsProgress() const
    {
        return false;
    }

    /** \return true if loads count only the stages that each job will really run */
    virtual bool IsClairvoyant() const
    {
        return false;
    }

    /** \return true if the order depends on the weights of units, which are those of their jobs */
    virtual bool UsesWeights() const
    {
        return false;
    }

    /** \return true if units have to have flows (IterationView::flows): JOB only */
    virtual bool NeedsFlows() const
    {
        return false;
    }

    /** \return true if ChoosePaths is to be called: it NeedsFlows */
    virtual bool ChoosesPaths() const
    {
        return false;
    }

    /** \return true if the n-th group has priority n everywhere, whoever else is there; otherwise
     * priorities are counted at each server (PriorityBook) */
    virtual bool GivesLevels() const
    {
        return false;
    }

    /**
     * \return the demotion thresholds of every stream: bytes of a message, ascending, at each of
     *         which it falls by one priority below that of its unit; none: messages keep the
     *         priority. Machines apply them without control messages, so they never change
     */
    virtual std::vector<uint64_t> GetDemotionThresholds() const
    {
        return {};
    }

  private:
    virtual UnitOrder DoOrder(const SchedulerView& view) = 0;

    /** By default every flow stays where it is. */
    virtual PathChoice DoChoosePaths(const SchedulerView& view);
};

} // namespace ns3::ddl

#endif // DDL_NETWORK_SCHEDULER_H
