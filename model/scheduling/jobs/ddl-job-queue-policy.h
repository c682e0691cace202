// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_QUEUE_POLICY_H
#define DDL_JOB_QUEUE_POLICY_H

#include "ns3/ddl-ids.h"
#include "ns3/ddl-policy.h"
#include "ns3/nstime.h"

namespace ns3::ddl
{

/** A cojob, or a plain job as a group of one, that waits for GPUs. */
struct WaitingGroup
{
    CojobId id;
    Time submit;
    uint32_t jobs{1};
    uint32_t gpus{1}; //!< that all its jobs need together
    Time remaining{}; //!< compute time that its longest job has before it, all stages
    Time service{};   //!< sum over its jobs of compute time before it x GPUs
};

/**
 * Policy family: in what order are GPUs offered to waiting groups (cojobs, or single plain jobs)?
 *
 * Whenever GPUs may have come free, the waiting groups are tried in the order of their priorities;
 * those that fit start. If the policy lets others pass, all groups are tried; otherwise all groups
 * behind the first one that does not fit wait as well.
 *
 * A group's priority is asked for once, when it arrives. Where the group will run is not known yet,
 * so its communication counts 0 (Ada-SRSF §IV-A).
 */
class JobQueuePolicy : public Policy
{
  public:
    static TypeId GetTypeId();

    /**
     * \param group that has arrived
     * \return its priority: the least is first, of equals the group that arrived first. A number,
     *         or infinite
     * \throws RunError with the policy's name when the policy answers with NaN
     */
    double GetPriority(const WaitingGroup& group);

    /** \return true if groups may start while one of a smaller priority does not fit */
    virtual bool LetsOthersPass() const
    {
        return true;
    }

  private:
    virtual double DoGetPriority(const WaitingGroup& group) = 0;
};

} // namespace ns3::ddl

#endif // DDL_JOB_QUEUE_POLICY_H
