// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PLACEMENT_SCORER_H
#define DDL_PLACEMENT_SCORER_H

#include "ddl-job-traffic.h"

#include "ns3/ddl-job-spec.h"
#include "ns3/ddl-policy.h"

#include <optional>
#include <vector>

namespace ns3::ddl
{

/** Foresees what jobs send where. */
class TrafficForecast
{
  public:
    virtual ~TrafficForecast() = default;

    /** \return the traffic of all jobs that have GPUs now */
    virtual std::vector<JobTraffic> ListPresent() const = 0;

    /** \return the traffic that a job would have in that place; the job has not left */
    virtual JobTraffic Foresee(JobId job, const Placement& placement) const = 0;
};

/**
 * Policy family: which of several places for a job is best? The places are candidates of the
 * placement policy (PlacementPolicy::SetScorer).
 */
class PlacementScorer : public Policy
{
  public:
    static TypeId GetTypeId();

    /** \return how many candidates are wanted, from 1; with 1 nothing is scored */
    virtual uint32_t CountCandidates() const = 0;

    /**
     * \param present traffic of the jobs that have GPUs
     * \param job traffic of the job in a candidate's place
     * \return the candidate's score, the greatest is the best; none: the candidate is discarded
     */
    std::optional<double> Score(const std::vector<JobTraffic>& present, const JobTraffic& job);

  private:
    virtual std::optional<double> DoScore(const std::vector<JobTraffic>& present,
                                          const JobTraffic& job) = 0;
};

/** `none`: the placement policy alone decides. */
class NonePlacementScorer : public PlacementScorer
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override;

    uint32_t CountCandidates() const override
    {
        return 1;
    }

  private:
    std::optional<double> DoScore(const std::vector<JobTraffic>& /* present */,
                                  const JobTraffic& /* job */) override
    {
        return 0;
    }
};

} // namespace ns3::ddl

#endif // DDL_PLACEMENT_SCORER_H
