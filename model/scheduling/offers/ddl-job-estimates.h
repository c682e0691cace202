// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JOB_ESTIMATES_H
#define DDL_JOB_ESTIMATES_H

#include "ns3/data-rate.h"
#include "ns3/ddl-estimator.h"
#include "ns3/ddl-job-oracle.h"
#include "ns3/ddl-job-record.h"
#include "ns3/ddl-trace-records.h"

#include <vector>

namespace ns3::ddl
{

/** What jobs are expected to use (JobRecord::estimate), by an estimator that learns from those that
 * leave. Without an estimator nothing is expected. */
class JobEstimates
{
  public:
    JobEstimates() = default;

    /**
     * \param estimator predicts the usage of jobs; null: nobody does
     * \param oracle knows what jobs have used
     * \param rate bit rate of a machine's network interface
     * \param largestGpu memory of the largest GPU in bytes; 0: GPUs are not shared by memory
     */
    JobEstimates(Ptr<Estimator> estimator,
                 const JobOracle* oracle,
                 DataRate rate,
                 uint64_t largestGpu);

    /**
     * Estimate the jobs of a group that waits. Of GPUs that are shared, a plain job gets the memory
     * that is estimated, and no more (Liquid §6.2).
     */
    void Estimate(GroupRecord& group) const;

    /** What has been learnt from jobs that leave. */
    struct Lesson
    {
        std::vector<EstimateRecord> records; //!< expected and used, job by job
        bool isNew{false};                   //!< others may get other estimates now
    };

    /** \param jobs those of the group that leave */
    Lesson Learn(const GroupRecord& group, const std::vector<JobId>& jobs) const;

  private:
    bool IsAsked() const;
    EstimateQuestion MakeQuestion(const JobRecord& job) const;

    Ptr<Estimator> m_estimator;
    const JobOracle* m_oracle{nullptr};
    DataRate m_rate;
    uint64_t m_largestGpu{0};
};

} // namespace ns3::ddl

#endif // DDL_JOB_ESTIMATES_H
