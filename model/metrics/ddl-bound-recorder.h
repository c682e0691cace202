// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_BOUND_RECORDER_H
#define DDL_BOUND_RECORDER_H

#include "ddl-run-result.h"

#include "ns3/data-rate.h"
#include "ns3/ddl-job-observer.h"
#include "ns3/ddl-live-jobs.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/**
 * Records the bytes that cojobs really move and how long their stages take. So the sum of their
 * stage completion times can be compared with the lower bound of ComputeSctBound().
 *
 * The bound applies to cojobs whose iterations have one phase and no compute, all released at 0 and
 * all over; otherwise the certificate says why it does not apply. Neither side counts plain jobs:
 * without their load, the bound is still a lower bound.
 */
class BoundRecorder
{
  public:
    BoundRecorder() = default;
    BoundRecorder(const BoundRecorder&) = delete;
    BoundRecorder& operator=(const BoundRecorder&) = delete;

    /** Observe the cojobs. \param rates rate of each machine's NIC, by HostId */
    void Watch(Ptr<JobManager> manager,
               Ptr<JobObserver> observer,
               const std::vector<DataRate>& rates);

    SctCertificate GetCertificate() const;

  private:
    using StageKey = std::pair<CojobId, uint32_t>;

    void NotifyArrival(const CojobSpec& cojob);
    void NotifyJobStart(Ptr<Job> job);
    void NotifyJobStageEnd(Ptr<const Job> job, uint32_t stage);
    void NotifyStageEnd(const StageRecord& stage);
    void NotifyCojobEnd(CojobId cojob);
    void Refuse(const std::string& reason);

    std::vector<DataRate> m_rates;
    std::set<CojobId> m_open;               //!< cojobs that are not over
    std::map<StageKey, LoadByPort> m_loads; //!< loads of the stages that ran
    double m_sctSeconds{0};
    std::string m_reason; //!< first reason why no bound applies; "" when it does
};

} // namespace ns3::ddl

#endif // DDL_BOUND_RECORDER_H
