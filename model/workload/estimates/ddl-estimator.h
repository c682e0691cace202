// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ESTIMATOR_H
#define DDL_ESTIMATOR_H

#include "ddl-job-usage.h"

#include "ns3/ddl-job-spec.h"
#include "ns3/ddl-policy.h"

#include <cstdint>
#include <optional>

namespace ns3::ddl
{

/** A job as an estimator sees it. */
struct EstimateQuestion
{
    const JobSpec& job;
    uint64_t iterations{0}; //!< its iterations, over all stages
    /** Its usage alone on GPUs of speed 1, each rank on a machine of its own. */
    JobUsage uncontended{};
};

/**
 * Policy family: what will this job use? Placement uses the answers to choose candidate GPUs by
 * memory, and to weight distances by traffic (Liquid §4).
 *
 * It predicts for each waiting job, when the job arrives and again whenever Learn returns true. It
 * learns from each job that has left.
 */
class Estimator : public Policy
{
  public:
    static TypeId GetTypeId();

    /** \return false if the estimator never predicts anything */
    virtual bool IsAsked() const
    {
        return true;
    }

    /**
     * \return what the job will use; none: not known yet, and MakeDefaultUsage() is taken
     * \throws RunError with the policy's name when a value is negative or no number
     */
    std::optional<JobUsage> Estimate(const EstimateQuestion& question);

    /**
     * \param question a job that has left
     * \param used what the job has used
     * \return whether later answers may differ from earlier ones
     */
    bool Learn(const EstimateQuestion& question, const JobUsage& used);

  private:
    virtual std::optional<JobUsage> DoEstimate(const EstimateQuestion& question) = 0;

    /** Learn from a job that has left. By default nothing is learnt. */
    virtual bool DoLearn(const EstimateQuestion& /* question */, const JobUsage& /* used */)
    {
        return false;
    }
};

} // namespace ns3::ddl

#endif // DDL_ESTIMATOR_H
