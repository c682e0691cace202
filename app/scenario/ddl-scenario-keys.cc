// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-scenario-keys.h"

#include "ddl-home.h"

#include "ns3/ddl-network-scheduler.h"
#include "ns3/ddl-rdma-transport.h"
#include "ns3/ddl-result-tables.h"
#include "ns3/ddl-transport.h"

#include <algorithm>

namespace ns3::ddl
{

namespace
{

/** An object, or the name of a preset; the reader has replaced the name by an object before. */
Member
PresetOr(PresetKind kind, Member member)
{
    const auto describe = member.schema;
    member.schema = [kind, describe](const KeyPlace& place) {
        Json presets = {{"enum", Json::array()}, {"enumDescriptions", Json::array()}};
        for (const auto& preset : ListPresets(kind))
        {
            presets["enum"].push_back(preset.name);
            presets["enumDescriptions"].push_back(preset.summary);
        }
        const std::string key = GetPresetKey(kind);
        place.book.definitions[key] = describe(place);
        return Json{{"anyOf", {presets, {{"$ref", "#/definitions/" + key}}}}};
    };
    return member;
}

/** Complain about keys that need packets if the transport has none. */
void
CheckPackets(const JsonObject& root, const Scenario& scenario)
{
    if (!scenario.transport.IsTypeIdSet() ||
        ChooseTransport(scenario).Create<Transport>()->HasPackets())
    {
        return;
    }
    if (scenario.output.pcap)
    {
        root.At("output").Object().At("pcap").Report(
            "this transport.kind, or fidelity, has no packets to capture (false)");
    }
    if (scenario.workload.background.empty())
    {
        return;
    }
    std::size_t flow = 0;
    for (const auto& entry : root.At("workload").Object().At("background").Array())
    {
        const auto kind = scenario.workload.background.at(flow++).kind;
        if (kind == BackgroundFlowSpec::Kind::CONSTANT_RATE)
        {
            entry.Object().At("kind").Report("a flow of constant rate is made of packets, which "
                                             "this transport.kind, or fidelity, has not (elastic)");
        }
    }
}

/** Complain about ways through the network that the transport cannot take. */
void
CheckPaths(const JsonObject& root, const Scenario& scenario)
{
    const ObjectFactory& selector = scenario.cluster.topology.pathSelector;
    if (!scenario.transport.IsTypeIdSet() || !selector.IsTypeIdSet())
    {
        return;
    }
    const auto transport = ChooseTransport(scenario).Create<Transport>();
    const std::string problem = transport->FindPathProblem(*selector.Create<PathSelector>());
    if (!problem.empty())
    {
        root.At("cluster").Object().At("topology").Object().At("routing").Report(problem);
    }
    const TopologySpec& topology = scenario.cluster.topology;
    if (topology.shape.Create<Topology>()->FindProblems().empty())
    {
        const std::string why = transport->FindNetworkProblem(topology);
        if (!why.empty())
        {
            root.At("cluster").Object().At("topology").Report(why);
        }
    }
    const auto rdma = DynamicCast<RdmaTransport>(scenario.transport.Create<Transport>());
    if (scenario.fidelity != Fidelity::PACKETS && rdma && rdma->HasManyPaths())
    {
        root.At("fidelity")
            .Report("the fluids of this fidelity have one path per stream, not "
                    "transport.queuePairs or transport.entropy");
    }
}

/** Complain about leaps on packets: only fluids know the path of a stream, and can count bytes
 * that are not sent. */
void
CheckLeap(const JsonObject& root, const Scenario& scenario)
{
    const bool isFluid =
        scenario.fidelity == Fidelity::FLUID ||
        (scenario.transport.IsTypeIdSet() && !scenario.transport.Create<Transport>()->HasPackets());
    if (scenario.leap && scenario.leap->error > 0 && scenario.leap->shared > 0)
    {
        root.At("leap").Object().At("shared").Report(
            "jobs that contend leap by their mean (leap.error), or as if nobody did, not both");
    }
    if (!scenario.leap || isFluid)
    {
        return;
    }
    const std::string what = "is for transports without packets (\"fluid\")";
    if (scenario.leap->shared > 0)
    {
        root.At("leap").Object().At("shared").Report(what);
    }
    if (scenario.leap->memo)
    {
        root.At("leap").Object().At("memo").Report(what);
    }
}

/** Complain about keys whose effects samples cannot represent. */
void
CheckSampling(const JsonObject& root, const Scenario& scenario)
{
    if (scenario.fidelity != Fidelity::SAMPLED || !scenario.transport.IsTypeIdSet())
    {
        return;
    }
    const auto refuse = [](const JsonValue& value, const std::string& why) {
        value.Report("a sampled run cannot have it: " + why + " (fidelity: packets or fluid)");
    };
    const auto part = [&root](const std::string& name) { return root.At(name).Object(); };
    if (!scenario.transport.Create<Transport>()->HasPackets())
    {
        refuse(part("transport").At("kind"), "its samples are packets, which this kind has not");
    }
    if (!scenario.cluster.links.empty())
    {
        refuse(part("cluster").At("links"), "samples begin with all links up");
    }
    if (!scenario.cluster.failures.empty())
    {
        refuse(part("cluster").At("failures"), "samples begin with all servers up");
    }
    if (!scenario.workload.background.empty())
    {
        refuse(part("workload").At("background"), "samples consist of jobs");
    }
    if (scenario.workload.noise.straggler.IsTypeIdSet())
    {
        refuse(part("workload").At("compute").Object().At("straggler"),
               "samples would draw other ones");
    }
    if (scenario.scheduling.network.Create<NetworkScheduler>()->GivesLevels())
    {
        refuse(part("scheduler").At("network"), "samples repeat orders, not levels and paths");
    }
    if (scenario.leap)
    {
        refuse(root.At("leap"), "samples are drawn from iterations that are simulated");
    }
}

/** Complain about failures of the machines that run the coordinator or keep the checkpoints: no
 * job could continue without them. */
void
CheckFailures(const JsonObject& root, const Scenario& scenario)
{
    const ClusterSpec& cluster = scenario.cluster;
    if (cluster.failures.empty() ||
        !cluster.topology.shape.Create<Topology>()->FindProblems().empty())
    {
        return;
    }
    const std::vector<Place> places = ListPlaces(cluster.topology);
    const auto check = [&](HostId host, const std::string& reason) {
        const auto fails = [&](const ServerFailure& failure) {
            return failure.server == places[host.value].server;
        };
        if (host.value < places.size() &&
            std::any_of(cluster.failures.begin(), cluster.failures.end(), fails))
        {
            root.At("cluster")
                .Object()
                .At("failures")
                .Report("server " + std::to_string(places[host.value].server) +
                        " cannot fail: " + reason);
        }
    };
    check(scenario.scheduling.coordinator, "the coordinator runs there (scheduler.coordinator)");
    if (scenario.scheduling.switching.storage)
    {
        check(scenario.scheduling.switching.storage->host,
              "checkpoints are kept there (scheduler.switch.storage)");
    }
}

} // namespace

void
NotePreset(Keys& keys, PresetKind kind)
{
    std::vector<std::string> names;
    if (keys.IsDescription())
    {
        for (const auto& preset : ListPresets(kind))
        {
            names.push_back(preset.name);
        }
    }
    keys.Note("preset",
              "a file of scenarios/" + GetPresetKey(kind) +
                  "s, without .json, which is laid under what is given here",
              names);
}

void
Describe(Keys& keys, Scenario& scenario)
{
    keys.Note("$schema", "path of scenario.schema.json, for editors; not read");
    keys.Visit(Required("name"),
               FolderNameOf(scenario.name),
               "letters, digits, `-`, `_`, `.` (not first); results go to results/NAME");
    keys.Note("extends",
              "another scenario, by name or path from the folder of this file; keys in this file "
              "override its keys (Layers, in doc/scenario.md); its name and description are not "
              "taken");
    keys.Add("description", scenario.description, "one line for `ddl list` and `ddl check`");
    scenario.seed = scenario.seed.value_or(DEFAULT_SEED);
    keys.Add("seed",
             *scenario.seed,
             {1, LARGEST_SEED},
             "of ECMP salts, random policies, jitter and stragglers; `--seed=N` sets it");
    keys.Visit("cluster",
               PresetOr(PresetKind::CLUSTER,
                        ObjectOf([&scenario](Keys& inner) { Describe(inner, scenario.cluster); })),
               "machines and the network that joins them: an object, the name of a preset, or an "
               "object with `preset` and what differs from it");
    ClusterBounds bounds;
    keys.Object(
        "transport",
        [&scenario](Keys& inner) {
            DescribeTransport(inner, scenario.transport, scenario.cluster.topology.mtu);
        },
        "how bytes move");
    keys.Check([&](const JsonObject&) {
        const ClusterSpec& spec = scenario.cluster;
        bounds = {CountHosts(spec.topology),
                  spec.topology.mtu,
                  spec.hosts.bands,
                  spec.topology.hostRate};
    });
    keys.Visit("scheduler",
               PresetOr(PresetKind::SCHEDULER, ObjectOf([&](Keys& inner) {
                            Describe(inner, scenario.scheduling, bounds);
                        })),
               "who decides, and how the decisions travel: an object, the name of a preset, or an "
               "object with `preset` and what differs from it");
    keys.Check([](const JsonObject& root) { root.Require("workload"); });
    keys.Object(
        Optional("workload", "required"),
        [&](Keys& inner) {
            Describe(inner,
                     scenario.workload,
                     scenario.cluster,
                     scenario.scheduling.placement,
                     bounds);
        },
        "what has to be computed and moved: at least one cojob or job, a generator, or a trace");
    keys.Object("scale", scenario.scale, "how much smaller than in reality");
    keys.Choice("fidelity",
                scenario.fidelity,
                {{"packets", Fidelity::PACKETS},
                 {"fluid", Fidelity::FLUID},
                 {"sampled", Fidelity::SAMPLED}},
                "`packets`: everything is simulated by `transport`; `fluid`: by fluids, whatever "
                "`transport` says; `sampled`: by fluids that are corrected by what samples on "
                "`transport` show, with an error (doc/full-size.md)");
    keys.Object("sampling", scenario.sampling, "how a sampled run is sampled");
    keys.Object(
        "leap",
        scenario.leap,
        [](Keys& inner, LeapSpec& leap) {
            inner.Add("tolerance",
                      leap.tolerance,
                      {0, 1},
                      "largest difference between iterations that count as equal, as a part of "
                      "their length");
            inner.Add("shared",
                      leap.shared,
                      {0, 1},
                      "largest part of its time by which others that share its ports may delay a "
                      "job that leaps, by a bound from its bytes and theirs; 0: nobody may share "
                      "a port with it; `fluid` only");
            inner.Add("guard",
                      leap.guard,
                      {0, 1000},
                      "iterations before a known change (an arrival, an offer of GPUs) at which "
                      "a leaping job is simulated again; 0: it leaps up to the change");
            inner.Add("memo",
                      leap.memo,
                      "later runs of equal work and shape leap from their beginning, by what one "
                      "run has shown; `fluid` only");
            inner.Add("error",
                      leap.error,
                      {0, 0.5},
                      "half-width of the 95 % interval within which mean iterations must be known, "
                      "as a part of them, before jobs that contend leap by these; 0: only "
                      "iterations that repeat are leapt over");
        },
        "jobs with which nobody contends leap over iterations that repeat (doc/leaps.md); without "
        "it every iteration is simulated");
    keys.Object("stop", scenario.stop, "when to give up");
    keys.Object("output", scenario.output, "what to write");
    keys.Check([&scenario](const JsonObject& root) {
        CheckPackets(root, scenario);
        CheckPaths(root, scenario);
        CheckLeap(root, scenario);
        CheckSampling(root, scenario);
        CheckFailures(root, scenario);
    });
}

void
Describe(Keys& keys, ScaleSpec& scale)
{
    keys.Add("model",
             scale.model,
             {ABOVE_ZERO, 1e6},
             "m: multiplies message bytes (at least 1) and compute times, those of elastic "
             "background flows too");
    keys.Add("iterations",
             scale.iterations,
             {ABOVE_ZERO, 1e6},
             "i: multiplies the iterations of each stage (rounded, at least 1)");
}

void
Describe(Keys& keys, SamplingSpec& sampling)
{
    keys.Add("error",
             sampling.error,
             {ABOVE_ZERO, 1},
             "target: half of the 95 % interval of the mean JCT, divided by that mean; if the "
             "budget ends first, the result says what was reached");
    keys.Add("budget",
             sampling.budget,
             {ABOVE_ZERO, 100},
             "iterations of jobs that are simulated as packets, at most, over all iterations; at "
             "least 8 windows are taken");
    keys.Add(
        "warmup",
        sampling.warmup,
        {0, 1000000},
        "iterations of the slowest job of a sample before it is measured; more in long samples");
    keys.Add("window",
             sampling.window,
             {1, 1000000},
             "iterations of the slowest job of a sample for which it is measured");
    keys.Add("seed", sampling.seed, {1, LARGEST_SEED}, "of the places at which samples are taken");
}

void
Describe(Keys& keys, StopSpec& stop)
{
    keys.Add("time",
             stop.time,
             {NanoSeconds(1), GetLongestTime()},
             "simulated time at which the run ends, done or not; not scaled");
    keys.Add("stall",
             stop.stall,
             {Time(0), GetLongestTime()},
             "the run ends after so much simulated time without progress (no byte of a message "
             "arrives, no GPU works, no job starts or ends), unless the scenario has planned "
             "more; `0s`: never; not scaled");
}

void
Describe(Keys& keys, OutputSpec& output)
{
    keys.Add(
        "alone",
        output.alone,
        "run each cojob and each job alone too, for `alone_s` and `slowdown`; on all cores, up "
        "to twice the CPU time of the run itself");
    for (const auto& table : ListTables())
    {
        if (table->IsChoice())
        {
            const std::string& name = table->name;
            bool isWanted = output.tables.erase(name) > 0;
            keys.Add(Optional(name, ""),
                     isWanted,
                     "write `" + table->GetFile() + "`: a row is " + table->row);
            if (isWanted)
            {
                output.tables.insert(name);
            }
        }
    }
    keys.Add("series",
             output.series,
             {Time(0), GetLongestTime()},
             "write `series.csv`: what ports, jobs and GPUs did in each interval of so long; `0s`: "
             "do not; not scaled");
    keys.Add("timeline",
             output.timeline,
             "write `timeline.json`: who computed and who sent when, for Perfetto");
    keys.Add("pcap", output.pcap, "write `pcap/NODE-PORT-PEER.pcap` of every port");
    keys.Add("figures",
             output.figures,
             "draw `bars`, `cdf-slowdown`, `gantt` and, with `series`, `throughput` at the end of "
             "the run");
}

} // namespace ns3::ddl
