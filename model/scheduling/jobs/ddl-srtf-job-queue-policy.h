// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SRTF_JOB_QUEUE_POLICY_H
#define DDL_SRTF_JOB_QUEUE_POLICY_H

#include "ddl-job-queue-policy.h"

namespace ns3
{
namespace ddl
{

/**
 * `srtf`: the group whose longest job has the least compute time before it goes first; one that
 * does not fit lets the others pass. Of equals, the one that arrived first.
 */
class SrtfJobQueuePolicy : public JobQueuePolicy
{
  public:
    static TypeId GetTypeId();
    std::string GetSummary() const override;

  private:
    double DoGetPriority(const WaitingGroup& group) override;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_SRTF_JOB_QUEUE_POLICY_H
