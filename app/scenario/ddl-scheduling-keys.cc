// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-scenario-keys.h"

#include "ns3/ddl-communication-gate.h"
#include "ns3/ddl-congestion-control.h"
#include "ns3/ddl-control-plane.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-estimator.h"
#include "ns3/ddl-job-queue-policy.h"
#include "ns3/ddl-network-scheduler.h"
#include "ns3/ddl-placement-policy.h"
#include "ns3/ddl-placement-scorer.h"
#include "ns3/ddl-policy.h"
#include "ns3/ddl-rdma-congestion-control.h"
#include "ns3/ddl-rdma-transport.h"
#include "ns3/ddl-round-scheduler.h"
#include "ns3/ddl-task-queue-policy.h"
#include "ns3/ddl-tcp-transport.h"
#include "ns3/ddl-transport.h"

#include <set>

namespace ns3::ddl
{

namespace
{

/** Complain about an unknown congestion control: the transports' attribute takes any string. */
void
CheckCongestionControl(const ObjectFactory& transport, const JsonValue& value)
{
    if (!value.IsString())
    {
        return;
    }
    try
    {
        const std::string name = value.String("");
        if (transport.GetTypeId() == TcpTransport::GetTypeId())
        {
            FindCongestionControl(name);
        }
        else if (transport.GetTypeId() == RdmaTransport::GetTypeId())
        {
            FindPolicy(RdmaCongestionControl::GetTypeId(), name);
        }
    }
    catch (const InputError& error)
    {
        value.Report(error.what());
    }
}

/** Complain about wrong demotion thresholds: a text with a list of numbers, which only the
 * scheduler itself reads. */
void
CheckNetworkScheduler(const ObjectFactory& network, const JsonValue& value)
{
    if (!network.IsTypeIdSet())
    {
        return;
    }
    try
    {
        network.Create<NetworkScheduler>()->GetDemotionThresholds();
    }
    catch (const InputError& error)
    {
        for (const auto& complaint : error.GetDiagnostics())
        {
            value.Report(complaint.what);
        }
    }
}

void
DescribeSwitchCost(Keys& keys, SwitchCost& cost)
{
    const JsonRange<Time> range{Time(0), GetLongestTime()};
    keys.Add("launch",
             cost.launch,
             range,
             "time to start a run of a job, the first one too; "
             "scaled by m x i");
    keys.Add("launchPerGpu",
             cost.launchPerGpu,
             range,
             "additional time for each GPU; scaled by "
             "m x i");
    keys.Add("save",
             cost.save,
             range,
             "time to save a checkpoint, also when a run is suspended; scaled by m x i");
    keys.Add("savePerGpu",
             cost.savePerGpu,
             range,
             "additional time for each GPU; scaled by m x "
             "i");
    keys.Add("finish",
             cost.finish,
             range,
             "time in which a finished job saves its results and holds its GPUs, after its end "
             "in `jobs.csv`; scaled by m x i");
}

void
DescribeModelSwitchCost(Keys& keys, ModelSwitchCost& cost)
{
    keys.Add(Required("model"), cost.model, "its name");
    DescribeSwitchCost(keys, cost);
}

void
DescribeStorage(Keys& keys, StorageSpec& storage, const ClusterBounds& bounds)
{
    keys.Add(Required("host"),
             storage.host.value,
             {0, bounds.hosts - 1},
             "machine that keeps the checkpoints");
    keys.Add(
        "ratio",
        storage.ratio,
        {ABOVE_ZERO, 1000},
        "bytes of a checkpoint over those of the model (3 with Adam: weights and two moments); "
        "scaled by i, so that loading and saving take the same part of a job's time");
}

void
DescribeLightSharing(Keys& keys, LightSharingSpec& light)
{
    keys.Add("load",
             light.load,
             {0, 1},
             "GPUs are shared once jobs hold at least this share of them");
    keys.Add("utilisation",
             light.utilisation,
             {ABOVE_ZERO, 1000},
             "estimated use that the jobs of a GPU together stay below; 1: all of it");
}

void
DescribePreSchedule(Keys& keys, PreScheduleSpec& next)
{
    keys.Add("load",
             next.load,
             {0, 1},
             "the next job loads early once jobs hold at least this share of the GPUs");
    keys.Add("margin",
             next.margin,
             {Time(0), GetLongestTime()},
             "for which the next job has loaded before the last one has trained; scaled by m x i");
}

void
DescribeSwitching(Keys& keys, SwitchSpec& switching, const ClusterBounds& bounds)
{
    DescribeSwitchCost(keys, switching.cost);
    ModelSwitchCost prototype;
    static_cast<SwitchCost&>(prototype) = switching.cost;
    keys.Add("models",
             switching.models,
             prototype,
             DescribeModelSwitchCost,
             "models whose jobs take different times");
    keys.Check([&switching](const JsonObject& json) {
        std::set<std::string> names;
        for (std::size_t i = 0; i < switching.models.size(); ++i)
        {
            if (!names.insert(switching.models[i].model).second)
            {
                json.At("models").Report("model \"" + switching.models[i].model +
                                         "\" is there twice");
            }
        }
    });
    keys.Add("checkpointEvery",
             switching.checkpointEvery,
             {0, MOST_ITERATIONS},
             "iterations between two checkpoints of a job; worker 0 pauses meanwhile; 0: only "
             "when it is suspended; scaled by i, at least 1");
    keys.Object(
        "storage",
        switching.storage,
        [&bounds](Keys& inner, StorageSpec& storage) { DescribeStorage(inner, storage, bounds); },
        "checkpoints cross the network to it and back; without it they take time only");
}

} // namespace

void
DescribeTransport(Keys& keys, ObjectFactory& transport, uint32_t& mtu)
{
    keys.Kind(transport, Transport::GetTypeId(), true, "the transport");
    keys.Add("mtu", mtu, {576, 9000}, "bytes of the largest IPv4 packet");
    keys.Check([&transport](const JsonObject& json) {
        CheckCongestionControl(transport, json.At("congestionControl"));
    });
}

void
Describe(Keys& keys, SchedulingSpec& scheduling, const ClusterBounds& bounds)
{
    NotePreset(keys, PresetKind::SCHEDULER);
    keys.Policy("network",
                scheduling.network,
                NetworkScheduler::GetTypeId(),
                "which unit goes first on the wire");
    keys.Check([&scheduling](const JsonObject& json) {
        CheckNetworkScheduler(scheduling.network, json.At("network"));
    });
    keys.Add("period",
             scheduling.period,
             {NanoSeconds(1), GetLongestTime()},
             "time between two runs of a periodic network scheduler (`grouper`, "
             "`grouper-offline`, `sincronia` with `Periodic`); scaled by m x i");
    keys.Policy("gate",
                scheduling.gate,
                CommunicationGate::GetTypeId(),
                "may this transfer start now? `srsf-2` is short for `srsf-n` with N = 2");
    keys.Policy("jobs",
                scheduling.jobs,
                JobQueuePolicy::GetTypeId(),
                "which waiting job gets GPUs next");
    keys.Add("lease",
             scheduling.lease,
             {Time(0), GetLongestTime()},
             "time for which a job gets its GPUs; then it competes for them again, under any "
             "`jobs` policy; 0: until it is done or preempted; scaled by m x i");
    keys.Add("minRun",
             scheduling.minRun,
             {Time(0), GetLongestTime()},
             "time for which a job that has got GPUs is not preempted; scaled by m x i");
    keys.Add(
        "batchWindow",
        scheduling.batchWindow,
        {Time(0), GetLongestTime()},
        "time for which offers of GPUs are collected, so that waiting jobs get them together; 0: "
        "each is made at once; scaled by m x i");
    keys.Add(
        "improve",
        scheduling.improve,
        {Time(0), GetLongestTime()},
        "time after which `placement` is asked again whether running jobs should move; 0: never; "
        "scaled by m x i");
    keys.Add("reports",
             scheduling.reports,
             {Time(0), GetLongestTime()},
             "time between two reports of a machine on GPUs that have come free, the first at a "
             "random time; 0: each is reported at once; scaled by m x i");
    keys.Object(
        "switch",
        [&scheduling, &bounds](Keys& inner) {
            DescribeSwitching(inner, scheduling.switching, bounds);
        },
        "what it takes to start a run of a job, and to save its state, while it holds its GPUs");
    keys.Object("share",
                scheduling.sharing.light,
                DescribeLightSharing,
                "a job of one GPU, without servers, for which none is free goes to one that others "
                "hold when together they use little; without it and `preSchedule`, jobs share GPUs "
                "wherever their memory is enough");
    keys.Object("preSchedule",
                scheduling.sharing.next,
                DescribePreSchedule,
                "such a job starts to load on the GPU of a job that has almost finished "
                "training, and trains when that one begins to save");
    keys.Add("detection",
             scheduling.detection,
             {Time(0), GetLongestTime()},
             "from a server's failure until the coordinator knows of it, unless the server is back "
             "before; "
             "scaled by m x i");
    keys.Policy("placement",
                scheduling.placement,
                PlacementPolicy::GetTypeId(),
                "on which GPUs a job runs, if it names none");
    keys.Policy("scorer",
                scheduling.scorer,
                PlacementScorer::GetTypeId(),
                "which of several places that `placement` finds for a job is best");
    keys.Policy("rounds",
                scheduling.rounds,
                RoundScheduler::GetTypeId(),
                "which tasks of jobs of tasks run next, and on which GPUs");
    keys.Policy("estimator",
                scheduling.estimator,
                Estimator::GetTypeId(),
                "what jobs are expected to use; where GPUs are shared, they get the memory that is "
                "estimated");
    keys.Policy("tasks",
                scheduling.tasks,
                TaskQueuePolicy::GetTypeId(),
                "which task runs next on a GPU that several jobs hold");
    keys.Policy("control",
                scheduling.control,
                ControlPlane::GetTypeId(),
                "how control messages travel: over the fabric in queue 0; or at once and for "
                "nothing (tests)");
    keys.Choice("acks",
                scheduling.controlAcks,
                {{"ranked", false}, {"control", true}},
                "jobs' acknowledgements, of TCP and RDMA, by their job's priority, as in Grouper, "
                "so that they wait behind data of other jobs; or in queue 0");
    keys.Choice("priorities",
                scheduling.commonPriorities,
                {{"local", false}, {"common", true}},
                "each server numbers what is present there, as in Grouper; or stages, jobs or "
                "coflows have the same number everywhere, so that their order also holds where "
                "they share an uplink");
    keys.Add("coordinator",
             scheduling.coordinator.value,
             {0, bounds.hosts - 1},
             "machine on which the coordinator runs");
}

} // namespace ns3::ddl
