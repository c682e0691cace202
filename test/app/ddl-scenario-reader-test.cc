// SPDX-License-Identifier: GPL-2.0-only
#include "app/scenario/ddl-home.h"
#include "ddl-process-state.h"
#include "ddl-scenario-fixture.h"

#include "ns3/ddl-communication-gate.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-job-queue-policy.h"
#include "ns3/ddl-network-scheduler.h"
#include "ns3/ddl-policy.h"
#include "ns3/ddl-transport.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::ddl;

using ScenarioReader = ScenarioFixture;

namespace
{

std::string
NameOf(const ObjectFactory& factory)
{
    return factory.GetTypeId().GetName();
}

} // namespace

TEST_F(ScenarioReader, ALittleIsEnough)
{
    const Scenario scenario =
        ReadText(R"({"name": "s", "workload": {"jobs": [{"model": "VGG-16", "iterations": 5}]}})");
    EXPECT_EQ(scenario.name, "s");
    EXPECT_EQ(scenario.seed, 1U);
    EXPECT_EQ(NameOf(scenario.cluster.topology.shape), "ns3::ddl::LeafSpineTopology");
    EXPECT_EQ(NameOf(scenario.transport), "ns3::ddl::TcpTransport");
    EXPECT_EQ(NameOf(scenario.scheduling.network), "ns3::ddl::FairShareNetworkScheduler");
    EXPECT_EQ(NameOf(scenario.scheduling.placement), "ns3::ddl::FirstFitPlacementPolicy");
    EXPECT_EQ(NameOf(scenario.scheduling.control), "ns3::ddl::InBandControlPlane");
    EXPECT_EQ(scenario.scheduling.period, Seconds(1));
    EXPECT_TRUE(scenario.output.alone);
    EXPECT_FALSE(scenario.stop.time.has_value());
    ASSERT_EQ(scenario.workload.groups.size(), 1U);
    const CojobSpec& group = scenario.workload.groups[0];
    EXPECT_TRUE(group.plain);
    EXPECT_EQ(group.iterations, std::vector<uint64_t>{5});
    EXPECT_EQ(group.jobs[0].workers, 1U);
    EXPECT_EQ(NameOf(group.jobs[0].pattern), "ns3::ddl::RingCommunicationPattern");
    EXPECT_EQ(group.jobs[0].model.bytes, 526400000U);
    EXPECT_EQ(group.jobs[0].model.forward, MicroSeconds(35800));
}

TEST_F(ScenarioReader, SaysAllThatIsWrongAtOnce)
{
    const std::string transports = JoinNames(ListPolicies(Transport::GetTypeId()));
    const std::string schedulers = JoinNames(ListPolicies(NetworkScheduler::GetTypeId()));
    std::vector<std::string> names;
    for (const auto& preset : ListPresets(PresetKind::SCHEDULER))
    {
        names.push_back(preset.name);
    }
    const std::string presets = JoinNames(names);
    EXPECT_EQ(
        Complaints("{\n"
                   "\"nam\": \"s\",\n"
                   "\"seed\": 0,\n"
                   "\"cluster\": {\"topology\": {\"hostRate\": true}},\n"
                   "\"transport\": {\"kind\": \"udp\"},\n"
                   "\"scheduler\": {\"network\": \"groper\", \"period\": \"0s\"},\n"
                   "\"workload\": {\"jobs\": [{\"model\": \"VGG-16\"}]},\n"
                   "\"scale\": {\"model\": 0},\n"
                   "\"stop\": {\"time\": \"-1s\"},\n"
                   "\"output\": {\"timeline\": true, \"alone\": \"true\"}\n"
                   "}"),
        "s.json:1: /name: is missing\n"
        "s.json:2: /nam: unknown key (known: $schema, cluster, description, extends, "
        "fidelity, leap, name, output, sampling, "
        "scale, scheduler, seed, stop, transport, workload); did you mean \"name\"?\n"
        "s.json:3: /seed: must be a whole number from 1 to 4294944442, is 0\n"
        "s.json:4: /cluster/topology/hostRate: must be a rate like \"10Gbps\", is true\n"
        "s.json:5: /transport/kind: unknown transport \"udp\" (one of " +
            transports +
            ")\n"
            "s.json:6: /scheduler/network: unknown network-scheduler \"groper\" (one of " +
            schedulers + "; or a preset: " + presets +
            "); did you mean \"grouper\"?\n"
            "s.json:6: /scheduler/period: must be from 1ns to 3153600000s, is the string "
            "\"0s\"\n"
            "s.json:7: /workload/jobs/0: has no \"iterations\" (a number), or \"stages\" (a list "
            "of numbers)\n"
            "s.json:8: /scale/model: must be a number above 0 and at most 1000000.0, is 0\n"
            "s.json:9: /stop/time: must be from 1ns to 3153600000s, is the string \"-1s\"\n"
            "s.json:10: /output/alone: must be true or false, is the string \"true\"; did you "
            "mean true?");
}

TEST_F(ScenarioReader, ReadsTheThresholdsOfPiasBeforeTheRun)
{
    const auto complain = [this](const std::string& list) {
        return Complaints(WithWorkload(std::string("{\"jobs\": [") + JOB + "]}"),
                          {"scheduler.network=pias", "scheduler.network.Thresholds=" + list});
    };
    EXPECT_EQ(complain("5,7"), "");
    for (const std::string wrong : {"5,4", "5,5", "0", "1MB"})
    {
        const std::string said = complain(wrong);
        EXPECT_NE(said.find("/scheduler/network: pias: Thresholds \"" + wrong + "\" must be"),
                  std::string::npos)
            << said;
    }
}

TEST_F(ScenarioReader, AMemoOfLeapsNeedsFluids)
{
    const auto complain = [this](const std::string& setting) {
        return Complaints(WithWorkload(std::string("{\"jobs\": [") + JOB + "]}"),
                          {R"(leap={"memo": true, "shared": 0.5})", setting});
    };
    EXPECT_EQ(complain("transport.kind=fluid"), "");
    EXPECT_EQ(complain("fidelity=fluid"), ""); // whatever the transport
    for (const char* packets : {"transport.kind=rdma", "fidelity=sampled"})
    {
        const std::string said = complain(packets);
        EXPECT_NE(said.find("/leap/memo: is for transports without packets"), std::string::npos)
            << packets << ": " << said;
        EXPECT_NE(said.find("/leap/shared: is for transports without packets"), std::string::npos)
            << packets << ": " << said;
    }
}

TEST_F(ScenarioReader, FindsWhatIsWrongInTheWorkload)
{
    EXPECT_EQ(
        Complaints(WithWorkload("{\n"
                                "\"cojobs\": [\n"
                                "{\"stages\": 5, \"jobs\": {}},\n"
                                "{\"stages\": [0], \"jobs\": []},\n"
                                "{\"jobs\": [{\"model\": \"VGG\", \"workers\": 0}]}],\n"
                                "\"jobs\": [\n"
                                "{\"model\": \"\", \"iterations\": 1},\n"
                                "{\"model\": {\"forward\": \"1ms\"}, \"iterations\": 1},\n"
                                "{\"iterations\": 1, \"stages\": [2]},\n"
                                "{\"model\": \"VGG-16\", \"workers\": 17, \"iterations\": 1}]\n"
                                "}")),
        "s.json:5: /workload/cojobs/0/stages: must be a list, is 5\n"
        "s.json:5: /workload/cojobs/0/jobs: must be a list, is an object\n"
        "s.json:6: /workload/cojobs/1/stages/0: must be a whole number from 1 to 1000000000000000, "
        "is 0\n"
        "s.json:6: /workload/cojobs/1: has no \"jobs\" (a list of at least one)\n"
        "s.json:7: /workload/cojobs/2: has no \"stages\" (iterations of each stage, [500, 1000])\n"
        "s.json:7: /workload/cojobs/2/jobs/0/model: unknown model \"VGG\" (one of AlexNet, "
        "CNN-MNIST, "
        "Dally-AlexNet, Dally-BERT-large, Dally-MobileNetV3, "
        "Dally-ResNet18, Dally-ResNet50, Dally-VGG11, DeepSpeech2, "
        "Hare-BERT-base, Hare-DeepSpeech, Hare-FastGCN, Hare-GraphSAGE, Hare-InceptionV3, "
        "Hare-ResNet50, Hare-Transformer, Hare-VGG19, "
        "Inception-V3, LSTM-PTB, NeuMF, ResNet-50, ResNet152, VGG-16, VGG19)\n"
        "s.json:7: /workload/cojobs/2/jobs/0/workers: must be a whole number from 1 to 32768, is "
        "0\n"
        "s.json:9: /workload/jobs/0/model: unknown model \"\" (one of AlexNet, CNN-MNIST, "
        "Dally-AlexNet, Dally-BERT-large, Dally-MobileNetV3, "
        "Dally-ResNet18, Dally-ResNet50, Dally-VGG11, DeepSpeech2, "
        "Hare-BERT-base, Hare-DeepSpeech, Hare-FastGCN, Hare-GraphSAGE, Hare-InceptionV3, "
        "Hare-ResNet50, Hare-Transformer, Hare-VGG19, "
        "Inception-V3, LSTM-PTB, NeuMF, ResNet-50, ResNet152, VGG-16, VGG19)\n"
        "s.json:10: /workload/jobs/1/model/bytes: is missing\n"
        "s.json:11: /workload/jobs/2/iterations: stands beside \"stages\" (give one of them)\n"
        "s.json:11: /workload/jobs/2/model: is missing\n"
        "s.json:12: /workload/jobs/3/workers: 17 workers on a cluster of 16 GPUs (one GPU a "
        "worker)");
}

TEST_F(ScenarioReader, NothingToDoIsWrong)
{
    const std::string nothing = "s.json:3: /workload: has nothing to do (\"cojobs\" or \"jobs\", a "
                                "list of at least one, a \"generator\", or a \"trace\")";
    EXPECT_EQ(Complaints(WithWorkload("{}")), nothing);
    EXPECT_EQ(Complaints(WithWorkload(R"({"jobs": [], "background": []})")), nothing);
    EXPECT_EQ(Complaints(WithWorkload("[]")), "s.json:3: /workload: must be an object, is a list");
    EXPECT_EQ(Complaints(R"({"name": "s"})"), "s.json:1: /workload: is missing");
}

TEST_F(ScenarioReader, ANameDoesForAFolder)
{
    for (const char* name : {"", ".", ".hidden", "a/b", "..", "a b", "\xc3\xa4"})
    {
        const std::string text =
            R"({"name": ")" + std::string(name) + R"(", "workload": {"jobs": [)" + JOB + "]}}";
        EXPECT_EQ(Complaints(text),
                  "s.json:1: /name: must do as the name of a folder (letters, digits, '-', '_' "
                  "and '.', which is not first)")
            << name;
    }
    EXPECT_EQ(
        Complaints(std::string(R"({"name": "A-1_b.c", "workload": {"jobs": [)") + JOB + "]}}"),
        "");
}

TEST_F(ScenarioReader, NumbersWhatHasNoNumber)
{
    const auto job = [](const std::string& more) {
        return R"({"model": {"name": "m", "bytes": "1MB"}, )" + more + "}";
    };
    const Scenario scenario = ReadText(WithWorkload(
        R"({"cojobs": [{"stages": [1], "jobs": [)" + job(R"("count": 2)") + "," +
        job(R"("id": 2)") + R"(]}, {"id": 1, "stages": [1], "jobs": [)" + job(R"("id": 7)") +
        R"(]}], "jobs": [)" + job(R"("id": 10, "count": 3, "iterations": 1)") + "," +
        job(R"("iterations": 1)") + "]}"));
    std::vector<uint32_t> groups;
    std::vector<uint32_t> jobs;
    for (const auto& group : scenario.workload.groups)
    {
        groups.push_back(group.id.value);
        for (const auto& spec : group.jobs)
        {
            jobs.push_back(spec.id.value);
        }
    }
    // Given: cojob 1; jobs 2, 7, 10, 11, 12. The others get the least free numbers in their order:
    // the first cojob 2; jobs 1, 3 (of "count": 2), and 4 at last. A plain job's group bears the
    // job's number.
    EXPECT_EQ(groups, (std::vector<uint32_t>{2, 1, 10, 11, 12, 4}));
    EXPECT_EQ(jobs, (std::vector<uint32_t>{1, 3, 2, 7, 10, 11, 12, 4}));
}

TEST_F(ScenarioReader, APlainJobAndACojobMayHaveTheSameNumber)
{
    const Scenario scenario =
        ReadText(WithWorkload(R"({"cojobs": [{"id": 1, "stages": [1], "jobs": [)"
                              R"({"id": 5, "model": "VGG-16"}]}], )"
                              R"("jobs": [{"id": 1, "model": "VGG-16", "iterations": 1}]})"));
    EXPECT_EQ(scenario.workload.groups[0].id, CojobId{1});
    EXPECT_EQ(scenario.workload.groups[1].id, CojobId{2}); // the least that is free
    EXPECT_EQ(scenario.workload.groups[1].jobs[0].id, JobId{1});
}

TEST_F(ScenarioReader, ANumberIsGivenOnce)
{
    const std::string cojob = R"({"id": 4, "stages": [1], "jobs": [{"id": 4, "model": "VGG-16"}]})";
    EXPECT_EQ(Complaints(WithWorkload("{\"cojobs\": [\n" + cojob + ",\n" + cojob + "],\n" +
                                      R"("jobs": [{"id": 3, "count": 2, "model": "VGG-16", )" +
                                      R"("iterations": 1}]})")),
              "s.json:5: /workload/cojobs/1: cojob 4 is there twice\n"
              "s.json:5: /workload/cojobs/1/jobs/0: job 4 is there twice\n"
              "s.json:6: /workload/jobs/0: job 4 is there twice");
}

TEST_F(ScenarioReader, ACojobHasToFitOnTheEmptyCluster)
{
    // 3 jobs of 6 workers are 18; the cluster has 4 x 4 GPUs.
    EXPECT_EQ(Complaints(WithWorkload(
                  R"({"cojobs": [{"id": 9, "stages": [1], "jobs": [{"model": "VGG-16", )"
                  R"("workers": 6, "count": 3}]}]})")),
              "s.json:3: /workload/cojobs/0: cojob 9 needs 18 GPUs at the same time; the cluster "
              "has 16 (a larger cluster, or fewer workers)");
    EXPECT_EQ(Complaints(WithWorkload(
                  R"({"cojobs": [{"id": 9, "stages": [1], "jobs": [{"model": "VGG-16", )"
                  R"("workers": 4, "count": 4}]}]})")),
              "");
}

TEST_F(ScenarioReader, PlacementsNameWhatThereIs)
{
    const auto job = [](const std::string& placement, const std::string& more = "") {
        return R"({"model": "VGG-16", "workers": 2, "iterations": 1, "placement": )" + placement +
               more + "}";
    };
    EXPECT_EQ(
        Complaints(WithWorkload("{\"jobs\": [\n" + job(R"({"workers": [[0, 0], [4, 0]]})") + ",\n" +
                                job(R"({"workers": [[0, 0], [0, 4]]})") + ",\n" +
                                job(R"({"workers": [[0, 0, 0], [0, 1]]})") + ",\n" +
                                job(R"({"workers": [[0, 1]], "servers": [0]})") + ",\n" +
                                job(R"({"workers": [[0, 1], [0, 2]]})", R"(, "count": 2)") + "]}")),
        "s.json:4: /workload/jobs/0/placement/workers/1/0: must be a whole number from 0 to "
        "3, is 4\n"
        "s.json:5: /workload/jobs/1/placement/workers/1/1: must be a whole number from 0 to "
        "3, is 4\n"
        "s.json:6: /workload/jobs/2/placement/workers/0: must be [host, GPU], two numbers "
        "from 0, or [host]: without a GPU\n"
        "s.json:7: /workload/jobs/3/placement: places 1 workers of 2\n"
        "s.json:7: /workload/jobs/3/placement: places 1 servers of 0\n"
        "s.json:8: /workload/jobs/4/placement: cannot hold for each of 2 jobs (give it to "
        "jobs one by one)");
}

TEST_F(ScenarioReader, JobsOfACojobDoNotShareAGpu)
{
    const std::string job = R"({"model": "VGG-16", "placement": {"workers": [[1, 2]]}})";
    EXPECT_EQ(Complaints(WithWorkload(R"({"cojobs": [{"stages": [1], "jobs": [)" + job + "," + job +
                                          "]}]}",
                                      ",\n\"seed\": -1")),
              "s.json:3: /workload/cojobs/0: placement of job 2: GPU 2 of machine 1 is given to a "
              "rank already\n"
              "s.json:4: /seed: must be a whole number from 1 to 4294944442, is -1");
}

TEST_F(ScenarioReader, ModelsWithoutTimesComputeAsLongAsTheyCommunicate)
{
    // A ring of four: 2 x 3/4 x 160 MB = 240 MB at 10 Gbps, 192 ms; 40 % of it forward. Half of
    // that with ratio 0.5. One's own model computes nothing unless it says so.
    const auto read = [this](const std::string& ratio, const std::string& model) {
        return ReadText(WithWorkload(R"({"compute": {"ratio": )" + ratio + R"(}, "jobs": [)" +
                                     R"({"model": )" + model +
                                     R"(, "workers": 4, "iterations": 1}]})"))
            .workload.groups[0]
            .jobs[0]
            .model;
    };
    EXPECT_EQ(read("1", R"("DeepSpeech2")").forward, MicroSeconds(76800));
    EXPECT_EQ(read("1", R"("DeepSpeech2")").backward, MicroSeconds(115200));
    EXPECT_EQ(read("0.5", R"("DeepSpeech2")").forward, MicroSeconds(38400));
    EXPECT_EQ(read("0", R"("DeepSpeech2")").forward, Time(0));
    EXPECT_EQ(read("1", R"({"bytes": "160MB"})").forward, Time(0));
    const ModelProfile half = read("1", R"({"type": "DeepSpeech2", "bytes": "80MB"})");
    EXPECT_EQ(half.forward, MicroSeconds(38400));
    EXPECT_EQ(half.name, "DeepSpeech2");
    const ModelProfile timed = read("1", R"({"type": "DeepSpeech2", "forward": "1ms"})");
    EXPECT_EQ(timed.forward, MilliSeconds(1));
    EXPECT_EQ(timed.backward, Time(0));
}

TEST_F(ScenarioReader, WhatABaseSaysStaysUnderWhatTheChildSays)
{
    Write("base.json",
          R"({"name": "b", "cluster": "grouper-testbed",
              "transport": {"kind": "tcp", "mtu": 4000, "minRto": "7ms"},
              "workload": {"jobs": [{"model": "VGG-16", "workers": 2, "iterations": 1}]}})");
    const Scenario scenario = ReadText(R"({"name": "c", "extends": "base.json",
        "cluster": {"hosts": {"gpus": 2}}, "transport": {"kind": "fluid"}})");
    EXPECT_EQ(CountHosts(scenario.cluster.topology), 23U) << "the preset's 8 + 8 + 7";
    EXPECT_EQ(scenario.cluster.gpus, 2U);
    EXPECT_EQ(scenario.cluster.gpuType.name, "CPU") << "the preset's";
    EXPECT_EQ(scenario.cluster.topology.mtu, 4000U) << "of every kind";
    // the same changes from the command line
    const Scenario set =
        ReadScenario({(m_folder / "base.json").string(),
                      {R"(cluster={"hosts": {"gpus": 2}})", "transport.kind=fluid"}});
    EXPECT_EQ(CountHosts(set.cluster.topology), 23U);
    EXPECT_EQ(set.cluster.gpus, 2U);
    EXPECT_EQ(set.cluster.topology.mtu, 4000U);
}

/** A home with presets of schedulers. */
class NetworkPreset : public ScenarioFixture
{
  protected:
    void SetUp() override
    {
        ScenarioFixture::SetUp();
        setenv("DDL_HOME", m_folder.c_str(), 1);
        const std::string folder = "scenarios/schedulers/";
        Write(folder + "turns.json", R"({"gate": {"type": "srsf-n", "N": 3}, "jobs": "srtf"})");
        Write(folder + "ordered.json", R"({"network": "sincronia", "gate": "ada-dual"})");
        Write(folder + "wide.json",
              R"({"scheduler": {"jobs": "srsf"}, "transport": {"minRto": "7ms"}})");
        Write(folder + "odd.json", R"({"scheduler": {}, "workload": {}})");
    }

    /** \return a scenario whose scheduler is that JSON */
    static std::string With(const std::string& scheduler, const std::string& more = "")
    {
        return WithWorkload(std::string("{\"jobs\": [") + JOB + "]}",
                            ", \"scheduler\": " + scheduler + more);
    }

    /** \return short names of network scheduler, gate and job order */
    std::vector<std::string> Read(const std::string& text, const Settings& settings = {})
    {
        const SchedulingSpec spec = ReadText(text, settings).scheduling;
        return {GetShortName(NetworkScheduler::GetTypeId(), spec.network.GetTypeId()),
                GetShortName(CommunicationGate::GetTypeId(), spec.gate.GetTypeId()),
                GetShortName(JobQueuePolicy::GetTypeId(), spec.jobs.GetTypeId())};
    }

    using Names = std::vector<std::string>;

  private:
    ProcessStateGuard m_guard;
};

TEST_F(NetworkPreset, IsChosenWhereANetworkSchedulerIs)
{
    const std::string plain = With(R"({"network": "baraat", "gate": "srsf-1", "jobs": "fifo"})");
    EXPECT_EQ(Read(plain), (Names{"baraat", "srsf-n", "fifo"}));
    // named in an option, all that the preset sets holds, and only that
    EXPECT_EQ(Read(plain, {"scheduler.network=turns"}), (Names{"fair-share", "srsf-n", "srtf"}));
    EXPECT_EQ(Read(plain, {"scheduler.network=ordered"}), (Names{"sincronia", "ada-dual", "fifo"}));
    EXPECT_EQ(Read(plain, {"scheduler.network=sebf"}), (Names{"sebf", "srsf-n", "fifo"}));
    EXPECT_EQ(Read(plain, {"scheduler.network=turns", "scheduler.jobs=srsf"}),
              (Names{"fair-share", "srsf-n", "srsf"}));
    ScenarioRequest request{Write("t.json", plain), {"scheduler.jobs=srsf"}};
    request.variations = {"scheduler.network=ordered"};
    const SchedulingSpec varied = ReadScenario(request).scheduling;
    EXPECT_EQ(NameOf(varied.gate), "ns3::ddl::AdaDualCommunicationGate");
    EXPECT_EQ(NameOf(varied.jobs), "ns3::ddl::SrsfJobQueuePolicy");
}

TEST_F(NetworkPreset, LiesUnderTheKeysOfTheFileThatNamesIt)
{
    EXPECT_EQ(Read(With(R"({"network": "turns"})")), (Names{"fair-share", "srsf-n", "srtf"}));
    EXPECT_EQ(Read(With(R"({"network": "turns", "gate": "ada-dual"})")),
              (Names{"fair-share", "ada-dual", "srtf"}));
    EXPECT_EQ(Read(With(R"({"network": "ordered"})"), {"scheduler.network=baraat"}),
              (Names{"baraat", "ada-dual", "fifo"}));
    const Scenario attribute = ReadText(With(R"({"network": "turns", "gate": {"N": 5}})"));
    UintegerValue n;
    attribute.scheduling.gate.Create<CommunicationGate>()->GetAttribute("N", n);
    EXPECT_EQ(n.Get(), 5U);
}

TEST_F(NetworkPreset, MaySetKeysOfTheTransport)
{
    const auto readRto = [this](const std::string& text, const Settings& settings = {}) {
        TimeValue rto;
        ReadText(text, settings).transport.Create<Transport>()->GetAttribute("MinRto", rto);
        return rto.Get();
    };
    const std::string own = ", \"transport\": {\"kind\": \"tcp\", \"minRto\": \"9ms\"}";
    EXPECT_EQ(readRto(With(R"({"network": "wide"})")), MilliSeconds(7));
    EXPECT_EQ(readRto(With(R"({"preset": "wide"})")), MilliSeconds(7));
    EXPECT_EQ(readRto(With("\"wide\"")), MilliSeconds(7));
    EXPECT_EQ(readRto(With(R"({"network": "wide"})", own)), MilliSeconds(9)); // the file's own
    EXPECT_EQ(readRto(With("{}", own), {"scheduler.network=wide"}), MilliSeconds(7));
    EXPECT_EQ(Read(With("{}"), {"scheduler.network=wide"})[2], "srsf");
}

TEST_F(NetworkPreset, UnknownNamesAndOddFilesAreSaid)
{
    const std::string schedulers = JoinNames(ListPolicies(NetworkScheduler::GetTypeId()));
    EXPECT_EQ(Complaints(With("{}"), {"scheduler.network=turn"}),
              "--set: /scheduler/network: unknown network-scheduler \"turn\" (one of " +
                  schedulers +
                  "; or a preset: odd, ordered, turns, wide); did you mean \"turns\"?");
    EXPECT_EQ(Complaints(With(R"({"network": "odd"})")),
              "scenarios/schedulers/odd.json:1: /workload: a preset with the key \"scheduler\" may "
              "have \"transport\" beside it, nothing else");
    EXPECT_NE(Complaints(With(R"({"network": 5})")).find("/scheduler/network: must be"),
              std::string::npos);
}

TEST_F(ScenarioReader, AnotherTopologyKeepsWhatAllKindsHave)
{
    const Scenario scenario = ReadText(
        R"({"name": "c", "cluster": {"preset": "grouper-testbed",
            "topology": {"kind": "single-switch", "hosts": 5}},
            "workload": {"jobs": [{"model": "VGG-16", "iterations": 1}]}})");
    EXPECT_EQ(CountHosts(scenario.cluster.topology), 5U);
    EXPECT_EQ(scenario.cluster.topology.hostRate, DataRate("1Gbps")) << "the preset's";
    // what the file itself says of another kind is wrong
    EXPECT_NE(Complaints(R"({"name": "c", "cluster": {"preset": "grouper-testbed",
                             "topology": {"kind": "single-switch", "leaves": 5}},
                             "workload": {}})")
                  .find("/cluster/topology/leaves: unknown key"),
              std::string::npos);
}

TEST_F(ScenarioReader, EveryComplaintNamesTheFileOrOptionOfItsValue)
{
    Write("above/base.json",
          "{\"name\": \"b\",\n\"seed\": 0,\n\"transport\": {\"mtu\": 1,\n"
          "\"minRto\": \"x\"}}");
    const std::string text = "{\"name\": \"c\", \"extends\": \"above/base.json\",\n"
                             "\"cluster\": {\"preset\": \"two-racks\", \"topology\": {\"leaves\": "
                             "1,\n\"hostsPerLeaf\": [1, 2]}},\n\"workload\": {}}";
    const std::string said = Complaints(text, {"stop.time=0s"});
    EXPECT_NE(said.find("s.json:3: /cluster/topology/hostsPerLeaf: 2 numbers"), std::string::npos);
    EXPECT_NE(said.find("above/base.json:2: /seed: must be"), std::string::npos);
    EXPECT_NE(said.find("above/base.json:3: /transport/mtu: must be"), std::string::npos);
    EXPECT_NE(said.find("above/base.json:4: /transport/minRto: "), std::string::npos);
    EXPECT_NE(said.find("--set: /stop/time: must be"), std::string::npos);
    EXPECT_LT(said.find("s.json:3:"), said.find("--set")) << "lines first, then options";

    // two-racks has two leaves: with three numbers for them, the numbers are wrong, in their file
    ScenarioRequest request;
    request.scenario = Write("t.json", R"({"name": "c", "cluster": "grouper-testbed",
                                           "workload": {}})");
    request.variations = {"cluster.topology.leaves=2"};
    request.seed = "abc";
    try
    {
        ReadScenario(request);
        FAIL();
    }
    catch (const InputError& error)
    {
        const std::string all = error.what();
        EXPECT_NE(all.find("clusters/grouper-testbed.json:3: /cluster/topology/hostsPerLeaf: 3 "
                           "numbers for 2 leaves"),
                  std::string::npos)
            << all;
        EXPECT_NE(all.find("--seed: /seed: must be a whole number"), std::string::npos) << all;
    }
    request.variations = {"cluster.topology.leaves=0"};
    try
    {
        ReadScenario(request);
        FAIL();
    }
    catch (const InputError& error)
    {
        EXPECT_NE(std::string(error.what()).find("--vary: /cluster/topology/leaves: must be"),
                  std::string::npos);
    }
    EXPECT_EQ(Complaints(WithWorkload(R"({"jobs": [{"model": "VGG-16", "iterations": 1}]})"),
                         {"extends=quickstart"}),
              "--set: /extends: can only stand in a file");
}

TEST_F(ScenarioReader, ATraceIsFoundBesideTheFileThatNamesIt)
{
    Write("above/t.csv", "job_id,num_gpu,submit_time,iterations,model_name\n1,1,0,1,VGG-16\n");
    Write("above/base.json", R"({"name": "b", "workload": {"trace": "t.csv"}})");
    const Scenario scenario = ReadText(R"({"name": "c", "extends": "above/base.json"})");
    ASSERT_TRUE(scenario.workload.trace);
    EXPECT_EQ(scenario.workload.trace->jobs.size(), 1U);
}

TEST_F(ScenarioReader, AModelIsANameOrAnObject)
{
    for (const char* wrong : {"true", "false", "null", "1", "[]"})
    {
        EXPECT_NE(Complaints(WithWorkload(std::string(R"({"jobs": [{"iterations": 1, "model": )") +
                                          wrong + "}]}"))
                      .find("/workload/jobs/0/model: must be a model's name or an object"),
                  std::string::npos)
            << wrong;
    }
}

TEST_F(ScenarioReader, TimesAreAtMostACentury)
{
    const std::string tooLong = "must be from 0ns to 3153600000s, is the string \"200y\"";
    EXPECT_EQ(Complaints(WithWorkload(R"({"jobs": [{"model": "VGG-16", "iterations": 1, )"
                                      R"("submit": "200y"}]})")),
              "s.json:3: /workload/jobs/0/submit: " + tooLong);
    EXPECT_EQ(Complaints(WithWorkload(R"({"jobs": [{"model": "VGG-16", "iterations": 1}]})",
                                      R"(, "stop": {"stall": "200y"})")),
              "s.json:3: /stop/stall: " + tooLong);
}
