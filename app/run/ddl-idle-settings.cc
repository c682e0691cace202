// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-idle-settings.h"

#include "app/scenario/ddl-alone-scenario.h"

#include "ns3/ddl-bucket-plan.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-job-queue-policy.h"
#include "ns3/ddl-network-scheduler.h"
#include "ns3/ddl-policy.h"
#include "ns3/ddl-round-scheduler.h"
#include "ns3/ddl-transport.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace ns3::ddl
{

namespace
{

/** Keys of queues that hold packets. Shared clusters set them for scenarios of all transports, so
 * only those that are set for one run count as idle. */
const std::set<std::string> PACKET_KEYS = {"cluster.ports.limit",
                                           "cluster.ports.ecnThreshold",
                                           "cluster.ports.sharedBuffer",
                                           "cluster.hosts.ecnThreshold"};

constexpr const char* NO_MOVES = "no job gives way or moves (scheduler.lease, a preemptive "
                                 "scheduler.jobs, scheduler.improve)";

/** \return false if a path is that of a key that only other transports have */
bool
TransportHas(TypeId transport, const std::string& path)
{
    const std::string section = "transport.";
    std::string key = path.substr(0, section.size()) == section ? path.substr(section.size()) : "";
    if (key.empty() || key == "kind" || key == "mtu") // keys that are no attributes of the class
    {
        return true;
    }
    key[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(key[0])));
    TypeId::AttributeInformation ignored;
    return transport.LookupAttributeByName(key, &ignored);
}

bool
IsUsual(const ReplaySpec& replay)
{
    const ReplaySpec usual;
    return replay.models.size() == usual.models.size() && replay.graphs.empty() &&
           replay.servers == usual.servers &&
           replay.search.GetTypeId() == usual.search.GetTypeId() && replay.limit == usual.limit &&
           replay.load == usual.load && replay.skipTooLarge == usual.skipTooLarge &&
           replay.fold == usual.fold;
}

bool
IsUsual(const SamplingSpec& sampling)
{
    const SamplingSpec usual;
    return sampling.error == usual.error && sampling.budget == usual.budget &&
           sampling.warmup == usual.warmup && sampling.window == usual.window &&
           sampling.seed == usual.seed;
}

/** \return names of the network schedulers that use weights of jobs */
std::string
JoinWeighing()
{
    std::vector<std::string> names;
    for (const std::string& name : ListPolicies(NetworkScheduler::GetTypeId()))
    {
        if (CreatePolicy<NetworkScheduler>(name)->UsesWeights())
        {
            names.push_back(name);
        }
    }
    return JoinNames(names);
}

/** Collects sentences on what has no effect in a scenario. */
class IdleSettings
{
  public:
    explicit IdleSettings(const WorkloadSample& work)
        : m_work(work),
          m_scenario(work.GetScenario()),
          m_scheduling(m_scenario.scheduling),
          m_scheduler(m_scheduling.network.Create<NetworkScheduler>()),
          m_network(GetShortName(NetworkScheduler::GetTypeId(), m_scheduler->GetInstanceTypeId())),
          m_hasPackets(HasPackets(m_scenario) || m_scenario.fidelity == Fidelity::SAMPLED),
          m_givesWay(!m_scheduling.lease.IsZero() || !m_scheduling.improve.IsZero() ||
                     m_scheduling.jobs.Create<JobQueuePolicy>()->IsPreemptive())
    {
    }

    std::vector<std::string> Find(const std::vector<std::string>& settings)
    {
        for (auto setting = settings.begin(); setting != settings.end(); ++setting)
        {
            FindIn(*setting, {setting + 1, settings.end()});
        }
        FindInNetwork();
        FindInSections();
        FindInJobs();
        return m_idle;
    }

  private:
    void Note(bool isIdle, const std::string& key, const std::string& why)
    {
        if (isIdle)
        {
            m_idle.push_back(key + " changes nothing: " + why);
        }
    }

    void FindIn(const std::string& setting, const std::vector<std::string>& after)
    {
        const std::string path = setting.substr(0, setting.find('='));
        const TypeId transport = m_scenario.transport.GetTypeId();
        Note(!TransportHas(transport, path),
             path,
             "the transport " + GetShortName(Transport::GetTypeId(), transport) +
                 " has no such key");
        Note(!m_hasPackets && PACKET_KEYS.count(path) > 0, path, "fluids fill no queue");
        const auto later = std::find_if(after.begin(), after.end(), [&path](const auto& each) {
            const std::string other = each.substr(0, each.find('='));
            return path == other || path.compare(0, other.size() + 1, other + ".") == 0;
        });
        if (later != after.end())
        {
            m_idle.push_back("--set=" + setting + " is overridden by --set=" + *later +
                             " after it");
        }
    }

    void FindInNetwork()
    {
        const auto trigger = m_scheduler->GetTrigger();
        Note(m_scheduling.period != SchedulingSpec().period &&
                 trigger != NetworkScheduler::Trigger::PERIOD,
             "scheduler.period",
             m_network + " does not run by the clock");
        Note(m_scheduling.controlAcks && !m_hasPackets,
             "scheduler.acks",
             "fluids have no acknowledgements");
        Note(m_scheduling.commonPriorities && trigger == NetworkScheduler::Trigger::NEVER,
             "scheduler.priorities",
             m_network + " orders nothing");
        Note(m_scheduling.commonPriorities && m_scheduler->GivesLevels(),
             "scheduler.priorities",
             m_network + " gives levels, which are the same everywhere");
        const auto selector = m_scenario.cluster.topology.pathSelector.Create<PathSelector>();
        const bool canPin = m_scenario.transport.Create<Transport>()->CanPinPaths(*selector);
        Note(m_scheduler->ChoosesPaths() && !canPin,
             "the choice of paths (scheduler.network)",
             "this transport, or cluster.topology.routing, keeps no stream to a chosen path");
        Note(m_scheduler->ChoosesPaths() && canPin && !selector->SeparatesFlows(),
             "the choice of paths (scheduler.network)",
             "cluster.topology.routing has one path for each two hosts");
    }

    /** Find values that have an effect only together with others that are not set. */
    void FindInSections()
    {
        const SchedulingSpec usual = Scenario().scheduling;
        const ClusterSpec& cluster = m_scenario.cluster;
        Note(!m_scheduling.minRun.IsZero() && !m_givesWay, "scheduler.minRun", NO_MOVES);
        Note(m_scheduling.detection != usual.detection && cluster.failures.empty(),
             "scheduler.detection",
             "no server fails (cluster.failures)");
        Note(m_scheduling.rounds.GetTypeId() != usual.rounds.GetTypeId() && !UsesRounds(m_scenario),
             "scheduler.rounds",
             "no job is made of tasks (tasks)");
        Note(cluster.ports.alpha != PortSpec().alpha && cluster.ports.sharedBuffer == 0,
             "cluster.ports.alpha",
             "queues share no buffer (cluster.ports.sharedBuffer)");
        Note(cluster.ports.pfcThreshold != PortSpec().pfcThreshold && !cluster.ports.pfc,
             "cluster.ports.pfcThreshold",
             "nobody is paused (cluster.ports.pfc)");
        Note(cluster.ports.pfc && !m_hasPackets, "cluster.ports.pfc", "fluids are not paused");
        Note(m_scheduling.tasks.GetTypeId() != usual.tasks.GetTypeId() &&
                 GetLargestGpuMemory(cluster) == 0,
             "scheduler.tasks",
             "a GPU is held by one job at a time (cluster.hosts.gpuMemory)");
        Note(!IsUsual(m_scenario.workload.replay) && m_scenario.workload.traceFile.empty(),
             "workload.replay",
             "no trace is replayed (workload.trace)");
        Note(!IsUsual(m_scenario.sampling) && m_scenario.fidelity != Fidelity::SAMPLED,
             "sampling",
             "no run is sampled (fidelity)");
    }

    template <typename F>
    bool HasJob(const F& isSo) const
    {
        const auto& groups = m_work.GetGroups();
        return std::any_of(groups.begin(), groups.end(), [&isSo](const CojobSpec& group) {
            return std::any_of(group.jobs.begin(), group.jobs.end(), isSo);
        });
    }

    void FindInJobs()
    {
        const auto& generator = m_scenario.workload.generator;
        const bool repeats = generator && generator->repeats > 0;
        const bool usesRounds = UsesRounds(m_scenario);
        const bool usesUsers =
            usesRounds &&
            GetShortName(RoundScheduler::GetTypeId(), m_scheduling.rounds.GetTypeId()) == "hlas-p";
        Note(!usesRounds && !m_scheduler->UsesWeights() &&
                 HasJob([](const JobSpec& job) { return job.weight != 1; }),
             "weight of jobs, but for weighted_jct_s,",
             m_network + " does not look at it (those that do: " + JoinWeighing() + ")");
        Note(!usesUsers && !repeats &&
                 HasJob([](const JobSpec& job) { return !job.user.empty() || !job.name.empty(); }),
             "user and name of jobs",
             "hlas-p alone looks at them, and generated jobs do not repeat those of their users");
        Note(repeats && generator->users == 0,
             "repeats",
             "nobody is known who could repeat jobs (users)");
        Note(!m_givesWay && HasJob([](const JobSpec& job) { return !job.preemptible; }),
             "preemptible of jobs",
             NO_MOVES);
        const auto isCut = [](const JobSpec& job) {
            return job.overlap.serial && BucketPlan(job.model, job.overlap).GetCount() > 1;
        };
        Note(HasJob([](const JobSpec& job) { return job.overlap.serial; }) && !HasJob(isCut),
             "overlap.order",
             "gradients are sent in one bucket (overlap.buckets, overlap.bucketSize, layers of "
             "models)");
    }

    const WorkloadSample& m_work;
    const Scenario& m_scenario;
    const SchedulingSpec& m_scheduling;
    Ptr<NetworkScheduler> m_scheduler;
    std::string m_network; //!< name of the network scheduler
    bool m_hasPackets;     //!< packets are simulated, in the run itself or in its samples
    bool m_givesWay;       //!< some job may lose its GPUs before it is done
    std::vector<std::string> m_idle;
};

} // namespace

std::vector<std::string>
FindIdleSettings(const WorkloadSample& work, const std::vector<std::string>& settings)
{
    return IdleSettings(work).Find(settings);
}

} // namespace ns3::ddl
