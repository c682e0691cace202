// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_NONE_ESTIMATOR_H
#define DDL_NONE_ESTIMATOR_H

#include "ddl-estimator.h"

namespace ns3::ddl
{

/** `none`: nothing is estimated; jobs take the memory of their model, and all distances have the
 * same weight. */
class NoneEstimator : public Estimator
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "nothing is estimated";
    }

    bool IsAsked() const override
    {
        return false;
    }

  private:
    std::optional<JobUsage> DoEstimate(const EstimateQuestion& /* question */) override
    {
        return std::nullopt;
    }
};

} // namespace ns3::ddl

#endif // DDL_NONE_ESTIMATOR_H
