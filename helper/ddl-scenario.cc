// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-scenario.h"

#include "ns3/ddl-fair-share-network-scheduler.h"
#include "ns3/ddl-fifo-job-queue-policy.h"
#include "ns3/ddl-fifo-task-queue-policy.h"
#include "ns3/ddl-first-fit-placement-policy.h"
#include "ns3/ddl-in-band-control-plane.h"
#include "ns3/ddl-none-communication-gate.h"
#include "ns3/ddl-none-search-algorithm.h"
#include "ns3/ddl-tcp-transport.h"

namespace ns3
{
namespace ddl
{

Scenario::Scenario()
{
    transport.SetTypeId(TcpTransport::GetTypeId());
    scheduling.network.SetTypeId(FairShareNetworkScheduler::GetTypeId());
    scheduling.gate.SetTypeId(NoneCommunicationGate::GetTypeId());
    scheduling.jobs.SetTypeId(FifoJobQueuePolicy::GetTypeId());
    scheduling.placement.SetTypeId(FirstFitPlacementPolicy::GetTypeId());
    scheduling.tasks.SetTypeId(FifoTaskQueuePolicy::GetTypeId());
    scheduling.control.SetTypeId(InBandControlPlane::GetTypeId());
}

Time
GetLongestTime()
{
    return Hours(100 * 365 * 24);
}

CojobSpec
MakePlainJob(const JobSpec& job, Time submit, const std::vector<uint32_t>& iterations)
{
    CojobSpec group;
    group.id = CojobId{job.id.value};
    group.plain = true;
    group.submit = submit;
    group.iterations = iterations;
    group.search.SetTypeId(NoneSearchAlgorithm::GetTypeId());
    group.jobs = {job};
    return group;
}

} // namespace ddl
} // namespace ns3
