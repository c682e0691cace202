// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_QUEUE_POLICY_H
#define DDL_JOB_QUEUE_POLICY_H

#include "ns3/ddl-ids.h"
#include "ns3/ddl-policy.h"
#include "ns3/nstime.h"

#include <optional>
#include <vector>

namespace ns3
{
namespace ddl
{

/** A cojob, or a plain job as a group of one, that waits for GPUs. */
struct WaitingGroup
{
    CojobId id;
    Time submit;
    uint32_t jobs{1};
    uint32_t gpus{1};    //!< that all its jobs need together
    Time remaining{};    //!< compute time that its longest job has before it, all stages
    Time service{};      //!< sum over its jobs of compute time before it x GPUs
    bool refused{false}; //!< was named at this moment already, and does not fit
};

/** All that a job queue policy may know: values, a copy of the state at one moment. */
struct JobQueueView
{
    Time now;
    uint32_t freeGpus{0};
    std::vector<WaitingGroup> waiting; //!< in the order of arrival
};

/**
 * Family: which waiting group gets GPUs next?
 *
 * The group named is placed if it fits; otherwise it is marked as refused. Either way the policy is
 * asked again, until it names nobody: to let others pass, it names one that is not refused.
 *
 * Where a job will run is not known yet, so its communication counts 0 (Ada-SRSF §IV-A).
 */
class JobQueuePolicy : public Policy
{
  public:
    static TypeId GetTypeId();

    /**
     * \param view who waits
     * \return index into `waiting`, checked: in range, not refused; or nothing when nobody is to
     *         start now
     */
    std::optional<uint32_t> SelectNext(const JobQueueView& view);

  private:
    virtual std::optional<uint32_t> DoSelectNext(const JobQueueView& view) = 0;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_JOB_QUEUE_POLICY_H
