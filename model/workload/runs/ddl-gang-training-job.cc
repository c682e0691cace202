// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-job-hosts.h"
#include "ddl-local-run.h"
#include "ddl-training-job.h"

#include "ns3/abort.h"
#include "ns3/ddl-cluster.h"

namespace ns3::ddl
{

namespace
{

/** \return time of both passes of the slowest worker, without noise */
Time
GetTaskTime(const RunSpec& run, const Cluster& cluster)
{
    const ModelProfile& model = run.job.model;
    const Time both = model.forward + model.backward;
    Time longest;
    for (const GpuId& gpu : run.placement.workers)
    {
        const bool hasGpu = gpu.index != NO_GPU;
        longest = Max(longest,
                      hasGpu ? cluster.GetMachine(gpu.host)->GetGpuType().GetTime(both, model.name)
                             : both);
    }
    return longest;
}

/** \return part of a worker's compute time after which it sends its first bucket */
double
GetSendsFrom(const RunSpec& run)
{
    const ModelProfile& model = run.job.model;
    const Time both = model.forward + model.backward;
    const Time first = model.forward + run.buckets.GetFirstSend(model.backward);
    return both.IsZero() ? 1 : first.GetDouble() / both.GetDouble();
}

} // namespace

/** `gang`: all ranks of a job compute and communicate together, each on its own GPU or machine. */
class GangTrainingJob : public TrainingJob
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::GangTrainingJob")
                                .SetParent<TrainingJob>()
                                .SetGroupName("Ddl")
                                .AddConstructor<GangTrainingJob>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "all workers and parameter servers run together, on GPUs of their own";
    }

    std::shared_ptr<RunPart> MakePart(std::shared_ptr<const RunSpec> run,
                                      const RunSite& site) const override
    {
        return std::make_shared<LocalRun>(std::move(run), site);
    }

  private:
    RunSpec DoMakeRun(const JobSpec& job,
                      CojobId cojob,
                      const Placement& placement,
                      const Cluster& cluster,
                      PlanMemo& plans) const override
    {
        NS_ABORT_MSG_IF(placement.workers.size() != job.workers ||
                            placement.servers.size() != job.servers,
                        "the placement of job " << job.id << " does not fit it");
        RunSpec run(job, cojob);
        run.placement = placement;
        run.rankHosts = ListRankHosts(placement);
        run.machines = ListHosts(run.rankHosts);
        const std::vector<HostId> workers(run.rankHosts.begin(),
                                          run.rankHosts.begin() + job.workers);
        run.plan = plans.Get(job.pattern,
                             {job.workers,
                              job.servers,
                              job.model.bytes,
                              cluster.ListServers(workers),
                              cluster.ListRacks(workers)},
                             run.buckets);
        run.hostBytes = CountHostBytes(*run.plan, run.rankHosts, cluster);
        run.SetParts();
        run.cost = {GetTaskTime(run, cluster),
                    GetUncontendedCommunication(run.hostBytes, cluster),
                    job.CountGpus(),
                    job.workers * (job.model.forward + job.model.backward).GetSeconds(),
                    GetSendsFrom(run)};
        return run;
    }
};

NS_OBJECT_ENSURE_REGISTERED(GangTrainingJob);

} // namespace ns3::ddl
