// SPDX-License-Identifier: GPL-2.0-only
// Who has waited longest compared with what it has run is next, and takes the GPUs of others. Its
// name in a scenario is "most-waited".
#include "ns3/ddl-job-queue-policy.h"

namespace ns3::ddl
{
class MostWaitedJobQueuePolicy : public JobQueuePolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::MostWaitedJobQueuePolicy")
                                .SetParent<JobQueuePolicy>()
                                .AddConstructor<MostWaitedJobQueuePolicy>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "who has waited longest for each second that it has run";
    }

    bool IsPreemptive() const override
    {
        return true;
    }

  private:
    double DoGetPriority(const GroupView& group) override
    {
        return -group.waited.GetSeconds() / (1 + group.occupied.GetSeconds());
    }

    // While a group waits its turn comes nearer: look again after a second.
    std::optional<Time> DoGetNextChange(const GroupView& group) override
    {
        return group.running ? std::nullopt : std::make_optional(Seconds(1));
    }
};

NS_OBJECT_ENSURE_REGISTERED(MostWaitedJobQueuePolicy);
} // namespace ns3::ddl
