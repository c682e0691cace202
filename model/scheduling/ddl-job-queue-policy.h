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
    uint32_t gpus{1}; //!< that all its jobs need together
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
 * The group named is placed if it fits, and otherwise nobody is: to let others pass, a policy names
 * one that fits. It is asked again after every group that was placed.
 */
class JobQueuePolicy : public Policy
{
  public:
    static TypeId GetTypeId();

    /**
     * \param view who waits
     * \return index into `waiting`, checked; or nothing when nobody is to start now
     */
    std::optional<uint32_t> SelectNext(const JobQueueView& view);

  private:
    virtual std::optional<uint32_t> DoSelectNext(const JobQueueView& view) = 0;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_JOB_QUEUE_POLICY_H
