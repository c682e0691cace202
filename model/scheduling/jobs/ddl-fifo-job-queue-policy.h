// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_FIFO_JOB_QUEUE_POLICY_H
#define DDL_FIFO_JOB_QUEUE_POLICY_H

#include "ddl-job-queue-policy.h"

namespace ns3::ddl
{

/**
 * `fifo`: the group that arrived first is next, and while it does not fit, later ones wait as well,
 * unless LetsOthersPass.
 */
class FifoJobQueuePolicy : public JobQueuePolicy
{
  public:
    static TypeId GetTypeId();
    std::string GetSummary() const override;

    bool LetsOthersPass() const override
    {
        return m_letsPass;
    }

  private:
    double DoGetPriority(const GroupView& group) override;

    bool m_letsPass{false};
};

} // namespace ns3::ddl

#endif // DDL_FIFO_JOB_QUEUE_POLICY_H
