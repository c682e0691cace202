// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-scenario-fixture.h"

#include "ns3/ddl-generated-cojobs.h"
#include "ns3/ddl-job-queue-policy.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::ddl;

using ScenarioParts = ScenarioFixture;

TEST_F(ScenarioParts, APresetMayBeChangedInPart)
{
    const std::string text = WithCluster("\"two-racks\"");
    EXPECT_EQ(CountHosts(ReadText(text).cluster.topology), 8U); // 2 leaves x 4
    EXPECT_EQ(ReadText(text).cluster.ports.limit, 1000000U);

    const ClusterSpec changed =
        ReadText(text, {"cluster.topology.hostsPerLeaf=3", "cluster.hosts.gpus=2"}).cluster;
    EXPECT_EQ(CountHosts(changed.topology), 6U); // 3 on each of the preset's 2 leaves
    EXPECT_EQ(changed.gpus, 2U);
    EXPECT_EQ(changed.gpuType.name, "V100");

    const ClusterSpec inside =
        ReadText(WithCluster(R"({"preset": "two-racks", "ports": {"queues": 4}})")).cluster;
    EXPECT_EQ(inside.ports.queues, 4U);
    EXPECT_EQ(inside.ports.ecnThreshold, 100000U);

    const ClusterSpec another = ReadText(text, {"cluster=ada-srsf"}).cluster;
    EXPECT_EQ(another.topology.shape.GetTypeId().GetName(), "ns3::ddl::SingleSwitchTopology");
    EXPECT_EQ(CountHosts(another.topology), 16U);
}

TEST_F(ScenarioParts, AnotherKindOfTopologyLeavesThePresetsBehind)
{
    const ClusterSpec cluster =
        ReadText(WithCluster("\"two-racks\""),
                 {"cluster.topology.kind=dumbbell", "cluster.topology.leftHosts=3"})
            .cluster;
    EXPECT_EQ(cluster.topology.shape.GetTypeId().GetName(), "ns3::ddl::DumbbellTopology");
    EXPECT_EQ(CountHosts(cluster.topology), 5U); // 3 left, 2 right
    EXPECT_EQ(Complaints(WithCluster("\"two-racks\""), {"cluster.topology.hosts=3"}),
              "--set: /cluster/topology/hosts: unknown key (known: delay, fabricDelay, fabricRate, "
              "framingBytes, hostDelay, hostRate, hostsPerLeaf, kind, leaves, parallel, routing, "
              "scaleUp, spines)");
}

TEST_F(ScenarioParts, PresetsOfDallyHaveItsWays)
{
    // 0.04, 0.85 and 17.5 us one way: 2 x 20, 2 x (20 + 405), 2 x (20 + 405 + 8325) ns. The
    // authors' program: 0.01, 5.01 and 100.01 us. 8 x 8 x 8 GPUs, each with a link of its own
    // upwards in each tier.
    using Links = std::vector<std::pair<int64_t, std::string>>; // ns, rate; by tier
    for (const auto& [preset, links] : std::map<std::string, Links>{
             {"dally-printed", {{20, "28800Gbps"}, {405, "28800Gbps"}, {8325, "28800Gbps"}}},
             {"dally-advertised", {{20, "7200Gbps"}, {405, "400Gbps"}, {8325, "800Gbps"}}},
             {"dally-plausible", {{20, "7200Gbps"}, {405, "400Gbps"}, {8325, "800Gbps"}}},
             {"dally-authors", {{5, "4800Gbps"}, {2500, "1600Gbps"}, {47500, "3200Gbps"}}}})
    {
        const ClusterSpec cluster = ReadText(WithCluster("\"" + preset + "\"")).cluster;
        EXPECT_EQ(CountGpus(cluster), 512U);
        EXPECT_EQ(cluster.topology.pathSelector.GetTypeId().GetName(),
                  "ns3::ddl::DModKPathSelector"); // so each has one downwards
        const TopologySpec& spec = cluster.topology;
        const auto plan =
            spec.shape.Create<Topology>()->MakePlan({spec.hostRate, spec.delay, spec.hostDelay});
        std::map<std::pair<Time, DataRate>, uint32_t> cables;
        for (const auto& cable : plan.GetCables())
        {
            ++cables[{cable.delay, cable.rate}];
        }
        std::map<std::pair<Time, DataRate>, uint32_t> expected;
        for (const auto& [delay, rate] : links)
        {
            expected[{NanoSeconds(delay), DataRate(rate)}] = 512;
        }
        EXPECT_EQ(cables, expected) << preset;
        EXPECT_EQ(plan.GetPlaces()[511], (Place{63, 7}));
    }
}

TEST_F(ScenarioParts, InThePresetGandivaJobsThatFitPassThoseThatDoNot)
{
    const Scenario scenario = ReadText(WithCluster("\"dally-printed\""), {"scheduler=gandiva"});
    EXPECT_TRUE(scenario.scheduling.jobs.Create<JobQueuePolicy>()->LetsOthersPass());
}

TEST_F(ScenarioParts, DallysWorkloadsHaveTheSizesByModelOfTheirTraces)
{
    // The public traces of the authors' program, counted: jobs by model and GPUs.
    using Sizes = std::map<uint32_t, uint32_t>;
    const std::map<std::string, Sizes> batch{
        {"Dally-AlexNet", {{1, 27}, {4, 9}, {8, 13}, {16, 4}}},
        {"Dally-BERT-large", {{1, 94}, {2, 4}, {4, 7}, {8, 15}, {16, 5}}},
        {"Dally-MobileNetV3",
         {{1, 17}, {2, 2}, {4, 15}, {8, 52}, {16, 26}, {32, 10}, {40, 1}, {48, 1}, {56, 1}}},
        {"Dally-ResNet18", {{1, 35}, {4, 3}}},
        {"Dally-ResNet50", {{1, 67}, {2, 7}, {4, 16}, {8, 27}, {16, 7}, {32, 1}}},
        {"Dally-VGG11", {{1, 30}, {4, 2}, {8, 2}}}};
    const std::map<std::string, Sizes> poisson{
        {"Dally-AlexNet", {{4, 9}, {8, 14}, {16, 5}, {40, 1}}},
        {"Dally-BERT-large", {{2, 26}, {3, 1}, {4, 33}, {8, 51}, {16, 11}, {32, 3}}},
        {"Dally-MobileNetV3",
         {{2, 2}, {4, 15}, {8, 64}, {16, 28}, {32, 13}, {40, 1}, {48, 1}, {56, 1}}},
        {"Dally-ResNet18", {{4, 3}}},
        {"Dally-ResNet50", {{2, 13}, {4, 34}, {8, 59}, {16, 12}, {32, 7}}},
        {"Dally-VGG11", {{4, 2}, {8, 2}}}};
    for (const auto& [name, sizes] :
         {std::make_pair("dally-batch", batch), std::make_pair("dally-poisson", poisson)})
    {
        GeneratedCojobs jobs(*ReadScenario({name, {}}).workload.generator);
        std::map<std::string, Sizes> dealt;
        while (const auto group = jobs.Next())
        {
            ++dealt[group->jobs[0].model.name][group->jobs[0].workers];
        }
        EXPECT_EQ(dealt, sizes) << name;
    }
}

TEST_F(ScenarioParts, PresetsOfLiquidHaveItsNodes)
{
    const auto k80 = ListMachines(ReadText(WithCluster("\"liquid-k80\"")).cluster);
    ASSERT_EQ(k80.size(), 6U);
    EXPECT_EQ(k80[0].gpus, 0U); // the manager
    EXPECT_EQ(k80[5].gpus, 4U);
    EXPECT_EQ(k80[5].gpuType.name, "K80");
    const auto t4 =
        ListMachines(ReadText(WithCluster("\"liquid-t4\""), {"cluster.topology.hosts=20"}).cluster);
    ASSERT_EQ(t4.size(), 20U);
    EXPECT_EQ(t4[19].gpus, 2U);
    EXPECT_EQ(t4[19].gpuType.name, "T4");
}

TEST_F(ScenarioParts, UnknownPresetsAreSaid)
{
    const std::string menu =
        "there is no cluster \"two-rack\" (one of ada-srsf, "
        "dally-advertised, dally-authors, dally-plausible, dally-printed, grouper-simulation, "
        "grouper-testbed, hare-simulation, hare-testbed, hare-v100, hare-v100-k80, hgx-a100, "
        "hgx-h100-rail, liquid-k80, liquid-t4, philly, two-racks, or "
        "an object); did you mean \"two-racks\"?";
    EXPECT_EQ(Complaints(WithCluster("\"two-rack\"")), "s.json:2: /cluster: " + menu);
    EXPECT_EQ(Complaints(WithCluster(R"({"preset": "two-rack"})")),
              "s.json:2: /cluster/preset: " + menu);
    EXPECT_EQ(Complaints(WithCluster("{}"), {"cluster=two-rack"}), "--set: /cluster: " + menu);
    EXPECT_EQ(Complaints(WithCluster(R"({"preset": 5})")),
              "s.json:2: /cluster/preset: must be a string, is 5; did you mean \"5\"?");
    EXPECT_EQ(Complaints(WithCluster("[]")), "s.json:2: /cluster: must be an object, is a list");
}

TEST_F(ScenarioParts, OverridesReachElementsOfListsAndPolicies)
{
    const std::string text = WithCluster("{}");
    const Scenario scenario = ReadText(text,
                                       {"workload.jobs.0.workers=3",
                                        "workload.jobs.0.model=VGG-16",
                                        "workload.jobs.0.model.forward=1ms",
                                        "workload.jobs.0.pattern=parameter-server",
                                        "workload.jobs.0.pattern.PullRatio=0.5",
                                        "workload.jobs.0.servers=1",
                                        "scheduler.network=grouper",
                                        "seed=7"});
    const JobSpec& job = scenario.workload.groups[0].jobs[0];
    EXPECT_EQ(job.workers, 3U);
    EXPECT_EQ(job.model.name, "VGG-16");
    EXPECT_EQ(job.model.forward, MilliSeconds(1));
    EXPECT_EQ(job.model.backward, MicroSeconds(53700)); // as published
    EXPECT_EQ(job.pattern.GetTypeId().GetName(), "ns3::ddl::ParameterServerCommunicationPattern");
    EXPECT_EQ(scenario.scheduling.network.GetTypeId().GetName(),
              "ns3::ddl::GrouperNetworkScheduler");
    EXPECT_EQ(scenario.seed, 7U);
}

TEST_F(ScenarioParts, WrongOverridesAreSaidWithTheirPointer)
{
    EXPECT_EQ(Complaints(WithCluster("{}"),
                         {"workload.jobs.1.workers=3",
                          "scheduler.network.Foo=1",
                          "seed",
                          "=5",
                          "workload.jobs.0.count=2.5"}),
              "--set: /workload/jobs/1: there is no element 1 (indices are 0 to 0)\n"
              "--set: \"seed\" is not PATH=VALUE (scheduler.network=baraat)\n"
              "--set: \"=5\" is not PATH=VALUE (scheduler.network=baraat)\n"
              "--set: /scheduler/network/Foo: unknown attribute of "
              "ns3::ddl::FairShareNetworkScheduler (it has none)\n"
              "--set: /workload/jobs/0/count: must be a whole number from 1 to 100000, is 2.5");
}

TEST_F(ScenarioParts, ADistributionWithoutValuesIsRefused)
{
    for (const std::string type : {"empirical", "deterministic"})
    {
        EXPECT_EQ(Complaints(WithWorkload(R"({"compute": {"jitter": ")" + type +
                                          "-random-variable\"}, \"jobs\": [" + JOB + "]}")),
                  "s.json:3: /workload/compute/jitter: has no attribute for its values (take a "
                  "quantile-random-variable)");
    }
}

TEST_F(ScenarioParts, ADistributionThatHardlyEverGivesAValueIsRefused)
{
    const auto isTaken = [this](const std::string& type, const std::string& parameters) {
        const std::string said = Complaints(
            WithWorkload(R"({"compute": {"jitter": {"type": ")" + type + "-random-variable\", " +
                         parameters + "}}, \"jobs\": [" + JOB + "]}"));
        EXPECT_TRUE(said.empty() ||
                    said == "s.json:3: /workload/compute/jitter: hardly a draw is within Bound (a "
                            "larger Bound, or a narrower distribution)")
            << said;
        return said.empty();
    };
    EXPECT_TRUE(isTaken("normal", R"("Bound": 0.5, "Variance": 250000)")); // deviation 500
    EXPECT_FALSE(isTaken("normal", R"("Bound": 0.5, "Variance": 260000)"));
    EXPECT_TRUE(isTaken("normal", R"("Bound": 0, "Variance": 0)"));
    EXPECT_TRUE(isTaken("pareto", R"("Shape": 1.1, "Scale": 2, "Bound": 3)"));
    EXPECT_FALSE(isTaken("pareto", R"("Shape": 1.1, "Scale": 2, "Bound": 2)"));
    EXPECT_FALSE(isTaken("pareto", R"("Shape": 1.1, "Scale": 2, "Bound": -3)"));
    EXPECT_FALSE(isTaken("pareto", R"("Shape": 0, "Scale": 2, "Bound": 3)"));
    EXPECT_TRUE(isTaken("pareto", R"("Shape": 1.1, "Scale": 2)"));
    EXPECT_TRUE(isTaken("exponential", R"("Mean": 1, "Bound": 0.01)"));
    EXPECT_FALSE(isTaken("exponential", R"("Mean": 1, "Bound": 0.0009)"));
    EXPECT_FALSE(isTaken("exponential", R"("Mean": 1, "Bound": -1)"));
    EXPECT_TRUE(isTaken("exponential", R"("Mean": 1)"));
    EXPECT_TRUE(isTaken("weibull", R"("Scale": 1, "Shape": 2, "Bound": 0.1)"));
    EXPECT_FALSE(isTaken("weibull", R"("Scale": 1, "Shape": 2, "Bound": 0.01)"));
}

TEST_F(ScenarioParts, ServicesAndTheirWeights)
{
    const PortSpec wrr =
        ReadText(WithCluster(R"({"ports": {"queues": 3, "service": "wrr", "weights": [3, 2, 1]}})"))
            .cluster.ports;
    EXPECT_EQ(wrr.service, "wrr");
    EXPECT_EQ(wrr.weights, (std::vector<uint32_t>{3, 2, 1}));
    const PortSpec mixed =
        ReadText(WithCluster(R"({"ports": {"service": {"type": "mixed", "StrictQueues": 2}}})"))
            .cluster.ports;
    EXPECT_EQ(mixed.service, "mixed");
    EXPECT_EQ(mixed.serviceAttributes.at("StrictQueues"), "2");

    const auto said = [this](const std::string& ports) {
        return Complaints(WithCluster("{\"ports\": " + ports + "}"));
    };
    EXPECT_EQ(said(R"({"queues": 3, "service": "wrr", "weights": [1, 2]})"),
              "s.json:2: /cluster/ports/weights: 2 weights for 3 queues (one per queue)");
    EXPECT_EQ(said(R"({"queues": 2, "weights": [1, 2]})"),
              "s.json:2: /cluster/ports/weights: \"strict-priority\" takes no weights (dwrr, "
              "mixed, wrr do)");
    EXPECT_EQ(said(R"({"queues": 2, "service": {"type": "mixed", "StrictQueues": 3}})"),
              "s.json:2: /cluster/ports/service: 3 strict queues at a port of 2");
    EXPECT_EQ(said(R"({"service": "wr", "weights": [0]})"),
              "s.json:2: /cluster/ports/service: unknown queue-scheduler \"wr\" (one of dwrr, "
              "mixed, strict-priority, wrr); did you mean \"wrr\"?\n"
              "s.json:2: /cluster/ports/weights/0: must be a whole number from 1 to 1000, is "
              "0\n"
              "s.json:2: /cluster/ports/weights: 1 weights for 8 queues (one per queue)");
    EXPECT_EQ(said(R"({"sharedBuffer": "5kB"})"),
              "s.json:2: /cluster/ports/sharedBuffer: must be 0B (none) or at least 10kB");
}

TEST_F(ScenarioParts, UnlimitedQueues)
{
    const std::string text = WithCluster(R"({"ports": {"queues": "unlimited"},
                                             "hosts": {"bands": "unlimited"}})");
    const ClusterSpec cluster = ReadText(text).cluster;
    EXPECT_EQ(cluster.ports.queues, UNLIMITED_QUEUES);
    EXPECT_EQ(cluster.hosts.bands, UNLIMITED_QUEUES);
    EXPECT_EQ(ReadText(WithCluster("{}"), {"cluster.ports.queues=unlimited"}).cluster.ports.queues,
              UNLIMITED_QUEUES);
    EXPECT_EQ(Complaints(WithCluster(R"({"ports": {"queues": "all"}, "hosts": {"bands": 63}})")),
              "s.json:2: /cluster/ports/queues: must be a whole number from 1 to 8, or "
              "\"unlimited\"\n"
              "s.json:2: /cluster/hosts/bands: must be a whole number from 1 to 8, is 63");
    EXPECT_EQ(
        Complaints(WithCluster(R"({"ports": {"queues": "unlimited", "service": "dwrr"}})")),
        "s.json:2: /cluster/ports/service: serves at most 8 queues by weight, not 63: unlimited "
        "queues go with \"strict-priority\" only");
}

TEST_F(ScenarioParts, TopologiesStayWithinReason)
{
    EXPECT_EQ(Complaints(WithCluster(
                  R"({"topology": {"leaves": 4096, "hostsPerLeaf": 17, "spines": 245}})")),
              "s.json:2: /cluster/topology: leaves x hostsPerLeaf is more than 65536\n"
              "s.json:2: /cluster/topology: leaves x spines x parallel is more than 1000000");
    EXPECT_EQ(Complaints(WithCluster(R"({"topology": {"kind": "torus"}})")),
              "s.json:2: /cluster/topology/kind: unknown topology \"torus\" (one of "
              "dumbbell, fat-tree, graph, leaf-spine, rail-optimised, single-switch, three-tier)");
    EXPECT_EQ(
        Complaints(WithCluster(R"({"topology": {"hostRate": "0bps"}, "hosts": {"bands": 9}})")),
        "s.json:2: /cluster/topology/hostRate: must be at least 1bps, is the string "
        "\"0bps\"\n"
        "s.json:2: /cluster/hosts/bands: must be a whole number from 1 to 8, is 9");
}

TEST_F(ScenarioParts, WithoutGpusNothingRuns)
{
    EXPECT_EQ(Complaints(WithCluster(R"({"hosts": {"gpus": 0}})")),
              "s.json:3: /workload/jobs/0/workers: 2 workers on a cluster of 0 GPUs (one GPU a "
              "worker)");
}

TEST_F(ScenarioParts, LinksAreNamedByTheirEndsAndComeInOrder)
{
    const auto links = [](const std::string& list) {
        return WithCluster("{\"links\": " + list + "}");
    };
    const auto events = ReadText(links(R"([{"at": "2s", "between": ["h0", "leaf0"], "up": true},
                                            {"at": "1s", "between": ["spine1", "leaf1"],
                                             "up": false}])"))
                            .cluster.links;
    ASSERT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0].at, Seconds(1));
    EXPECT_EQ(events[0].first, "spine1");
    EXPECT_FALSE(events[0].up);
    EXPECT_TRUE(events[1].up);
    const std::string none = "there is no such link (two names of nodes that are joined, like "
                             "[\"h0\", \"leaf0\"])";
    EXPECT_EQ(Complaints(links(R"([{"at": "1s", "between": ["h0", "leaf1"], "up": true},
{"between": ["h0"], "up": 1},
{}])")),
              "s.json:2: /cluster/links/0/between: " + none +
                  "\n"
                  "s.json:3: /cluster/links/1/at: is missing\n"
                  "s.json:3: /cluster/links/1/up: must be true or false, is 1\n"
                  "s.json:3: /cluster/links/1/between: " +
                  none +
                  "\n"
                  "s.json:4: /cluster/links/2/at: is missing\n"
                  "s.json:4: /cluster/links/2/between: is missing\n"
                  "s.json:4: /cluster/links/2/up: is missing");
}

TEST_F(ScenarioParts, ServersThatFailAreThereAndComeInOrder)
{
    const auto with = [](const std::string& list, const std::string& scheduler) {
        return R"({"name": "s", "cluster": {"topology": {"kind": "single-switch", "hosts": 4},
            "failures": )" +
               list + "},\n\"scheduler\": " + scheduler + ", \"workload\": {\"jobs\": [" + JOB +
               "]}}";
    };
    const auto failures =
        ReadText(with(R"([{"server": 3, "at": "2s"}, {"server": 1, "at": "1s", "for": "5s"}])",
                      R"({"switch": {"storage": {"host": 2}}})"))
            .cluster.failures;
    ASSERT_EQ(failures.size(), 2U);
    EXPECT_EQ(failures[0].server, 1U);
    EXPECT_EQ(failures[0].lasts, Seconds(5));
    EXPECT_FALSE(failures[1].lasts);
    EXPECT_EQ(Complaints(with(R"([{"server": 4, "at": "2s"}, {"server": 1, "for": "0s"}])", "{}")),
              "s.json:2: /cluster/failures/0/server: there is no such server (0 to 3)\n"
              "s.json:2: /cluster/failures/1/at: is missing\n"
              "s.json:2: /cluster/failures/1/for: must be from 1ns to 3153600000s, is the "
              "string \"0s\"");
    const std::string both = R"([{"server": 2, "at": "2s"}, {"server": 1, "at": "2s"}])";
    EXPECT_EQ(Complaints(with(both, R"({"coordinator": 1, "switch": {"storage": {"host": 2}}})")),
              "s.json:2: /cluster/failures: server 1 cannot fail: the coordinator runs there "
              "(scheduler.coordinator)\n"
              "s.json:2: /cluster/failures: server 2 cannot fail: checkpoints are kept there "
              "(scheduler.switch.storage)");
}

TEST_F(ScenarioParts, ModelsMayTakeOtherTimesToSwitch)
{
    const auto with = [](const std::string& cost) {
        return WithWorkload(std::string("{\"jobs\": [") + JOB + "]}",
                            ",\n\"scale\": {\"model\": 0.1, \"iterations\": 0.01},"
                            "\n\"scheduler\": {\"switch\": " +
                                cost + "}");
    };
    const Scenario scenario = ReadText(with(R"({"launch": "20s", "save": "5s",
        "checkpointEvery": 700, "storage": {"host": 1, "ratio": 3},
        "models": [{"model": "x", "launch": "30s"}]})"));
    const SwitchSpec& given = scenario.scheduling.switching;
    EXPECT_EQ(given.Get("x").launch, Seconds(30));
    EXPECT_EQ(given.Get("x").save, Seconds(5));
    EXPECT_EQ(given.Get("y").launch, Seconds(20));
    const SwitchSpec scaled = ApplyScale(scenario).scheduling.switching;
    EXPECT_EQ(scaled.Get("x").launch, MilliSeconds(30));
    EXPECT_EQ(scaled.Get("y").save, MilliSeconds(5));
    EXPECT_EQ(scaled.checkpointEvery, 7U);
    EXPECT_DOUBLE_EQ(scaled.storage->ratio, 0.03); // of the model, which is a tenth
    EXPECT_EQ(Complaints(with(R"({"models": [{"launch": "1s"}], "storage": {"ratio": 0}})")),
              "s.json:5: /scheduler/switch/models/0/model: is missing\n"
              "s.json:5: /scheduler/switch/storage/host: is missing\n"
              "s.json:5: /scheduler/switch/storage/ratio: must be a number above 0 and "
              "at most 1000.0, is 0");
}

TEST_F(ScenarioParts, TheTransportsKeysAreItsAttributes)
{
    const auto with = [](const std::string& transport) {
        return WithWorkload(std::string("{\"jobs\": [") + JOB + "]}",
                            ",\n\"transport\": " + transport);
    };
    const Scenario scenario = ReadText(
        with(R"({"congestionControl": "cubic", "minRto": "2ms", "mtu": 9000, "useEcn": true})"));
    EXPECT_EQ(scenario.cluster.topology.mtu, 9000U);
    const Ptr<Object> transport = scenario.transport.Create<Object>();
    StringValue name;
    transport->GetAttribute("CongestionControl", name);
    EXPECT_EQ(name.Get(), "cubic");
    TimeValue rto;
    transport->GetAttribute("MinRto", rto);
    EXPECT_EQ(rto.Get(), MilliSeconds(2));

    const std::string said = Complaints(
        with(R"({"congestionControl": "cubix", "foo": 1, "minRto": "-2ms", "useEcn": {}})"));
    const auto isSaid = [&said](const std::string& start) {
        return said.find(start) != std::string::npos;
    };
    EXPECT_TRUE(isSaid("s.json:4: /transport/congestionControl: unknown congestion control "
                       "\"cubix\" (one of "))
        << said;
    EXPECT_TRUE(isSaid("did you mean \"cubic\"?")) << said;
    EXPECT_TRUE(isSaid("s.json:4: /transport/foo: unknown key (known: ackInterval, ")) << said;
    EXPECT_TRUE(isSaid("s.json:4: /transport/minRto: ")) << said;
    EXPECT_TRUE(isSaid("s.json:4: /transport/useEcn: must be a string, a number, true or false"))
        << said;
    EXPECT_EQ(Complaints(with(R"({"mtu": 9001})")),
              "s.json:4: /transport/mtu: must be a whole number from 576 to 9000, is 9001");
}

TEST_F(ScenarioParts, AKeyOfAnotherTransportIsCheckedAndPassedOver)
{
    const auto with = [](const std::string& transport) {
        return WithWorkload(std::string("{\"jobs\": [") + JOB + "]}",
                            ",\n\"transport\": " + transport);
    };
    const Scenario scenario =
        ReadText(with(R"({"kind": "fluid", "minRto": "2ms", "headerBytes": 8})"));
    UintegerValue bytes;
    scenario.transport.Create<Object>()->GetAttribute("HeaderBytes", bytes);
    EXPECT_EQ(bytes.Get(), 8U);
    EXPECT_NE(Complaints(with(R"({"kind": "fluid", "minRto": "-2ms"})"))
                  .find("s.json:4: /transport/minRto: "),
              std::string::npos);
    EXPECT_NE(Complaints(with(R"({"kind": "fluid", "minRtos": "2ms"})"))
                  .find("/transport/minRtos: unknown key"),
              std::string::npos);
}

TEST_F(ScenarioParts, WithoutPacketsThereIsNoConstantRateAndNoCapture)
{
    const auto with = [](const std::string& kind) {
        return WithWorkload(std::string("{\"jobs\": [") + JOB +
                                R"(], "background": [{"source": 0, "destination": 1, "kind": ")" +
                                kind + R"("}]})",
                            R"(, "transport": {"kind": "fluid"}, "output": {"pcap": false})");
    };
    EXPECT_EQ(ReadText(with("elastic")).workload.background.size(), 1U);
    EXPECT_NE(Complaints(with("constant-rate")).find("/workload/background/0/kind: "),
              std::string::npos);
}

TEST_F(ScenarioParts, BackgroundFlows)
{
    const auto with = [](const std::string& flows) {
        return WithWorkload(std::string("{\"jobs\": [") + JOB + "],\n\"background\": [" + flows +
                            "]}");
    };
    const auto flows =
        ReadText(with(R"({"source": 0, "destination": 1, "rate": "2Gbps", "packetSize": 500},
                         {"source": 2, "destination": 3, "kind": "elastic", "bytes": "5MB",
                          "repeat": false, "start": "1s", "stop": "2s", "band": 7, "dscp": 63})"))
            .workload.background;
    ASSERT_EQ(flows.size(), 2U);
    EXPECT_EQ(flows[0].kind, BackgroundFlowSpec::Kind::CONSTANT_RATE);
    EXPECT_EQ(flows[0].rate, DataRate("2Gbps"));
    EXPECT_EQ(flows[0].packetSize, 500U);
    EXPECT_TRUE(flows[0].stop.IsZero());
    EXPECT_EQ(flows[1].kind, BackgroundFlowSpec::Kind::ELASTIC);
    EXPECT_EQ(flows[1].bytes, 5000000U);
    EXPECT_FALSE(flows[1].repeat);
    EXPECT_EQ(flows[1].mark.band, 7);
    EXPECT_EQ(flows[1].mark.dscp, 63);

    EXPECT_EQ(Complaints(with("{},\n"
                              R"({"source": 4, "destination": 1},)"
                              "\n"
                              R"({"source": 1, "destination": 1},)"
                              "\n"
                              R"({"source": 1, "destination": 2, "rate": "11Gbps",)"
                              R"( "packetSize": 1501},)"
                              "\n"
                              R"({"source": 1, "destination": 2, "start": "2s", "stop": "1s",)"
                              R"( "band": 8, "bytes": "1MB"})")),
              "s.json:4: /workload/background/0/source: is missing\n"
              "s.json:4: /workload/background/0/destination: is missing\n"
              "s.json:5: /workload/background/1/source: must be a whole number from 0 to 3, is 4\n"
              "s.json:6: /workload/background/2: a background flow goes from one host to another\n"
              "s.json:7: /workload/background/3/rate: must be from 1bps to 10Gbps, is the string "
              "\"11Gbps\"\n"
              "s.json:7: /workload/background/3/packetSize: must be a whole number from 29 to "
              "1500, is 1501\n"
              "s.json:8: /workload/background/4/band: must be a whole number from 0 to 7, is 8\n"
              "s.json:8: /workload/background/4: a background flow stops after it has started\n"
              "s.json:8: /workload/background/4/bytes: unknown key (known: band, destination, "
              "dscp, kind, packetSize, rate, source, start, stop)");
}

TEST_F(ScenarioParts, ABandHasToBeThere)
{
    const std::string text =
        "{\"name\": \"s\", \"cluster\": {\"hosts\": {\"bands\": 2}},\n\"workload\": {\"jobs\": [" +
        std::string(JOB) + R"(], "background": [{"source": 0, "destination": 1, "band": 2}]}})";
    EXPECT_EQ(Complaints(text),
              "s.json:2: /workload/background/0/band: must be a whole number from 0 to 1, is 2");
    const auto one = ReadText(text, {"cluster.hosts.bands=1", "workload.background.0.band=0"});
    EXPECT_EQ(one.workload.background[0].mark.band, 0);
}

TEST_F(ScenarioParts, JitterAndStragglersAreDistributions)
{
    const auto with = [](const std::string& compute) {
        return WithWorkload("{\"compute\": " + compute + ", \"jobs\": [" + JOB + "]}");
    };
    const WorkloadSpec spec =
        ReadText(with(R"({"jitter": {"type": "ns3::UniformRandomVariable", "Min": 0.9, "Max": 1.1},
                          "straggler": "ns3::ConstantRandomVariable"})"))
            .workload;
    EXPECT_EQ(spec.noise.jitter.GetTypeId().GetName(), "ns3::UniformRandomVariable");
    EXPECT_EQ(spec.groups[0].jobs[0].noise.straggler.GetTypeId().GetName(),
              "ns3::ConstantRandomVariable");
    EXPECT_EQ(Complaints(with(R"({"jitter": "uniform", "ratio": -1})")).substr(0, 60),
              "s.json:3: /workload/compute/jitter: unknown random-variable-");
}
