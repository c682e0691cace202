// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-task-run.h"
#include "ddl-training-job.h"

#include "ns3/ddl-cluster.h"

namespace ns3::ddl
{

/**
 * A round of a job, its iteration, consists of tasks, each of which runs by itself on any free GPU
 * (Hare, §II-B). Its parameter server collects their gradients, and leads the run.
 */
class TasksTrainingJob : public TrainingJob
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "a round consists of tasks, each of which runs by itself on any free GPU (Hare)";
    }

    bool UsesRounds() const override
    {
        return true;
    }

    std::vector<std::string> Refuse(const RunSetting& setting) const override;
    std::vector<std::string> Refuse(const JobSpec& job, const CojobSpec& group) const override;
    std::shared_ptr<RunPart> MakePart(std::shared_ptr<const RunSpec> run,
                                      const RunSite& site) const override;

  private:
    RunSpec DoMakeRun(const JobSpec& job,
                      CojobId cojob,
                      const Placement& placement,
                      const Cluster& cluster,
                      PlanMemo& plans) const override;
};

NS_OBJECT_ENSURE_REGISTERED(TasksTrainingJob);

TypeId
TasksTrainingJob::GetTypeId()
{
    static TypeId tid = TypeId("ns3::ddl::TasksTrainingJob")
                            .SetParent<TrainingJob>()
                            .SetGroupName("Ddl")
                            .AddConstructor<TasksTrainingJob>();
    return tid;
}

std::vector<std::string>
TasksTrainingJob::Refuse(const RunSetting& setting) const
{
    std::vector<std::string> refused;
    const auto refuse = [&refused](bool isThere, const std::string& what) {
        if (isThere)
        {
            refused.push_back("jobs of tasks " + what);
        }
    };
    refuse(setting.leaps, "run without leaps (leap)");
    refuse(setting.samples, "run without samples (fidelity)");
    refuse(setting.failures, "run without failures of servers (cluster.failures)");
    refuse(setting.estimates, "run without estimates (scheduler.estimator)");
    refuse(setting.checkpoints, "make no checkpoints (scheduler.switch)");
    refuse(setting.coflows, "have no coflows (another scheduler.network)");
    return refused;
}

std::vector<std::string>
TasksTrainingJob::Refuse(const JobSpec& job, const CojobSpec& group) const
{
    std::vector<std::string> refused;
    const auto refuse = [&refused](bool isThere, const std::string& what) {
        if (isThere)
        {
            refused.push_back("is made of tasks" + what);
        }
    };
    refuse(job.servers != 1, " and has " + std::to_string(job.servers) + " parameter servers (1)");
    refuse(job.serverGpus > 0, ", whose server takes no GPU (serverGpus 0)");
    refuse(job.model.input.IsStrictlyPositive(), ", which have no input phase (model.input 0s)");
    refuse(group.iterations.size() > 1, " and has more than one stage");
    refuse(job.placement && !job.placement->workers.empty(),
           ", whose GPUs the round scheduler chooses (a placement may name the server alone)");
    return refused;
}

/** \param placement of its server. Of the bytes, hostBytes has what goes through the server's NIC
 * when no task runs on its machine. */
RunSpec
TasksTrainingJob::DoMakeRun(const JobSpec& job,
                            CojobId cojob,
                            const Placement& placement,
                            const Cluster& cluster,
                            PlanMemo& /* plans */) const
{
    const HostId server = placement.servers.front().host;
    RunSpec run(job, cojob);
    run.placement.servers = {{server, NO_GPU}};
    run.rankHosts = {server};
    run.parts[server].ranks = {job.workers};
    const ModelProfile& model = job.model;
    for (const HostId host : cluster.GetHosts())
    {
        const Ptr<Machine> machine = cluster.GetMachine(host);
        if (machine->GetGpuCount() > 0)
        {
            run.parts[host]; // it may get tasks
            run.cost.compute =
                Max(run.cost.compute,
                    machine->GetGpuType().GetTime(model.forward + model.backward, model.name));
        }
    }
    for (const auto& [host, part] : run.parts)
    {
        run.machines.push_back(host);
    }
    run.workerHosts = 1; // the server's machine says how far the job is
    run.asksByTask = true;
    JobPlan plan; // without ranks
    plan.transfers = 2 * job.workers;
    plan.bytes = plan.transfers * model.bytes;
    run.plan = std::make_shared<const JobPlan>(std::move(plan));
    run.hostBytes = {{server, job.workers * model.bytes, job.workers * model.bytes}};
    run.cost.communication = GetUncontendedCommunication(run.hostBytes, cluster);
    run.cost.gpus = job.workers;
    return run;
}

std::shared_ptr<RunPart>
TasksTrainingJob::MakePart(std::shared_ptr<const RunSpec> run, const RunSite& site) const
{
    return std::make_shared<TaskRun>(std::move(run), site);
}

} // namespace ns3::ddl
