// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-estimator.h"

#include "ns3/ddl-policy-source.h"

namespace ns3::ddl
{

/**
 * `oracle`: what the job would use alone, from its model and its pattern. Its real usage differs by
 * contention, noise, and ranks that share a machine.
 */
class OracleEstimator : public Estimator
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::OracleEstimator")
                                .SetParent<Estimator>()
                                .SetGroupName("Ddl")
                                .AddConstructor<OracleEstimator>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "what the job would use alone, by its model and its pattern";
    }

  private:
    std::optional<JobUsage> DoEstimate(const EstimateQuestion& question) override
    {
        return question.uncontended;
    }
};

NS_OBJECT_ENSURE_REGISTERED(OracleEstimator);
DDL_POLICY_SOURCE(OracleEstimator, "", 0, "what jobs use");

} // namespace ns3::ddl
