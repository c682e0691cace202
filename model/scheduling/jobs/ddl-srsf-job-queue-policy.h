// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SRSF_JOB_QUEUE_POLICY_H
#define DDL_SRSF_JOB_QUEUE_POLICY_H

#include "ddl-job-queue-policy.h"

namespace ns3
{
namespace ddl
{

/**
 * `srsf`: the group with the least remaining service, compute time x GPUs, goes first; one that
 * does not fit lets the others pass (Ada-SRSF §IV-A, Algorithm 3 lines 6 to 14). Of equals, the one
 * that arrived first.
 */
class SrsfJobQueuePolicy : public JobQueuePolicy
{
  public:
    static TypeId GetTypeId();
    std::string GetSummary() const override;

  private:
    double DoGetPriority(const WaitingGroup& group) override;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_SRSF_JOB_QUEUE_POLICY_H
