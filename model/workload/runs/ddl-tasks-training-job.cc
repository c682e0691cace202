// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-task-run.h"
#include "ddl-training-job.h"

#include "ns3/ddl-cluster.h"

#include <initializer_list>
#include <utility>

namespace ns3::ddl
{

namespace
{

/** \return for each end that holds, a sentence of the common start and this end */
std::vector<std::string>
MakeSentences(const std::string& start, std::initializer_list<std::pair<bool, std::string>> ends)
{
    std::vector<std::string> sentences;
    for (const auto& [holds, end] : ends)
    {
        if (holds)
        {
            sentences.push_back(start + end);
        }
    }
    return sentences;
}

} // namespace

/**
 * `tasks`: an iteration of a job is a round of tasks, each of which runs by itself on any free GPU
 * (Hare, §II-B). The job's parameter server collects their gradients, and leads the run.
 */
class TasksTrainingJob : public TrainingJob
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::TasksTrainingJob")
                                .SetParent<TrainingJob>()
                                .SetGroupName("Ddl")
                                .AddConstructor<TasksTrainingJob>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "a round consists of tasks, each of which runs by itself on any free GPU (Hare)";
    }

    bool UsesRounds() const override
    {
        return true;
    }

    std::vector<std::string> Refuse(const RunSetting& setting) const override
    {
        return MakeSentences(
            "jobs of tasks ",
            {{setting.leaps, "run without leaps (leap)"},
             {setting.samples, "run without samples (fidelity)"},
             {setting.failures, "run without failures of servers (cluster.failures)"},
             {setting.estimates, "run without estimates (scheduler.estimator)"},
             {setting.checkpoints, "make no checkpoints (scheduler.switch)"},
             {setting.coflows, "have no coflows (another scheduler.network)"}});
    }

    std::vector<std::string> Refuse(const JobSpec& job, const CojobSpec& group) const override
    {
        return MakeSentences(
            "is made of tasks",
            {{job.servers != 1,
              " and has " + std::to_string(job.servers) + " parameter servers (1)"},
             {job.serverGpus > 0, ", whose server takes no GPU (serverGpus 0)"},
             {job.model.input.IsStrictlyPositive(), ", which have no input phase (model.input 0s)"},
             {group.iterations.size() > 1, " and has more than one stage"},
             {job.placement && !job.placement->workers.empty(),
              ", whose GPUs the round scheduler chooses (a placement may name the server alone)"}});
    }

    std::shared_ptr<RunPart> MakePart(std::shared_ptr<const RunSpec> run,
                                      const RunSite& site) const override
    {
        return std::make_shared<TaskRun>(std::move(run), site);
    }

  private:
    /**
     * \param placement names the server. hostBytes has what goes through the server's NIC when no
     *        task runs on its machine
     */
    RunSpec DoMakeRun(const JobSpec& job,
                      CojobId cojob,
                      const Placement& placement,
                      const Cluster& cluster,
                      PlanMemo& /* plans */) const override
    {
        const HostId server = placement.servers.front().host;
        RunSpec run(job, cojob);
        run.placement.servers = {{server, NO_GPU}};
        run.rankHosts = {server};
        run.parts[server].ranks = {job.workers};
        const ModelProfile& model = job.model;
        const Time both = model.forward + model.backward;
        for (const HostId host : cluster.GetHosts())
        {
            const Ptr<Machine> machine = cluster.GetMachine(host);
            if (machine->GetGpuCount() > 0)
            {
                run.parts[host]; // it may get tasks
                run.cost.compute =
                    Max(run.cost.compute, machine->GetGpuType().GetTime(both, model.name));
            }
        }
        for (const auto& [host, part] : run.parts)
        {
            run.machines.push_back(host);
        }
        run.workerHosts = 1; // the server's machine reports rounds
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
};

NS_OBJECT_ENSURE_REGISTERED(TasksTrainingJob);

} // namespace ns3::ddl
