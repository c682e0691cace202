// SPDX-License-Identifier: GPL-2.0-only
#include "app/scenario/ddl-home.h"
#include "app/scenario/ddl-scenario-writer.h"
#include "ddl-scenario-fixture.h"

#include <filesystem>

using namespace ns3;
using namespace ns3::ddl;

/** What is written must say all that was read: written again after reading, it is the same text. */
class ScenarioWriter : public ScenarioFixture
{
  protected:
    void ExpectStable(const Scenario& scenario)
    {
        const std::string once = FormatScenario(scenario);
        const std::string twice = FormatScenario(ReadText(once));
        EXPECT_EQ(once, twice);
    }

    void ExpectStable(const std::string& text, const Settings& settings = {})
    {
        SCOPED_TRACE(text);
        ExpectStable(ReadText(text, settings));
    }

    /** Copy the files that a published scenario names: what is written names them as it does. */
    void CopyDataOf(const std::string& scenario) const
    {
        namespace fs = std::filesystem;
        std::error_code ignored;
        const fs::path folder = fs::path(GetHome()) / "scenarios" / scenario;
        for (const auto& file : fs::directory_iterator(folder, ignored))
        {
            if (file.path().extension() == ".txt")
            {
                fs::copy(file, m_folder, fs::copy_options::overwrite_existing);
            }
        }
    }

    /** \return true when the text has that line, but for indentation and a comma at the end */
    static bool HasLine(const std::string& text, const std::string& line)
    {
        std::istringstream lines(text);
        for (std::string at; std::getline(lines, at);)
        {
            at.erase(0, at.find_first_not_of(' '));
            if (!at.empty() && at.back() == ',')
            {
                at.pop_back();
            }
            if (at == line)
            {
                return true;
            }
        }
        return false;
    }
};

TEST_F(ScenarioWriter, AllPublishedScenariosComeBack)
{
    const auto scenarios = ListScenarios();
    EXPECT_GE(scenarios.size(), 3U);
    for (const auto& item : scenarios)
    {
        SCOPED_TRACE(item.name);
        CopyDataOf(item.name);
        ExpectStable(ReadScenario({item.name, {}}));
    }
}

TEST_F(ScenarioWriter, PlainJobsHaveTheCurveThatIsDeclared)
{
    const auto read = [this](const std::string& kind,
                             const std::string& keys,
                             const std::string& model = R"("VGG-16")") {
        const std::string text = R"({"name": "g", "workload": {"generator": {"kind": )" + kind +
                                 R"(, "models": [)" + model + "]" + keys + "}}}";
        ExpectStable(text);
        return ReadText(text).workload.generator->models[0].curve;
    };
    const std::string jobs = R"("jobs", "jobs": 2, "servers": 1)";
    const std::string cojobs = R"("cojobs", "cojobs": 2)";
    EXPECT_FALSE(read(jobs, "")) << "nobody asks for an accuracy";
    EXPECT_TRUE(read(cojobs, "")->endAccuracy) << "a search does";
    EXPECT_TRUE(read(jobs, R"(, "curve": {"half": 5})")->endAccuracy);
    const auto loss = read(jobs, R"(, "curve": {"half": 5, "loss": [2, 1]})");
    EXPECT_TRUE(loss->endLoss);
    EXPECT_FALSE(loss->endAccuracy);
    EXPECT_TRUE(read(cojobs, R"(, "curve": {"half": 5, "loss": [2, 1]})")->endAccuracy);
    EXPECT_TRUE(read(jobs, R"(, "curve": {"loss": [2, 1], "accuracy": [0, 0.9]})")->endAccuracy);
    const auto both = read(jobs,
                           R"(, "curve": {"accuracy": [0, 0.9]})",
                           R"({"type": "VGG-16", "curve": {"loss": [2, 1]}})");
    EXPECT_TRUE(both->endLoss);
    EXPECT_TRUE(both->endAccuracy) << "of the generator";
}

TEST_F(ScenarioWriter, ClustersComeBack)
{
    for (const auto& item : ListPresets(PresetKind::CLUSTER))
    {
        ExpectStable(WithCluster("\"" + item.name + "\""));
    }
    ExpectStable(WithCluster(R"({"topology": {"kind": "dumbbell", "leftHosts": 3,
        "bottleneckRate": "1.5Gbps", "delay": "1.5us", "framingBytes": 0}})"));
    ExpectStable(WithCluster(R"({"topology": {"kind": "single-switch", "hosts": 2,
        "hostRate": "333333333bps"}, "hosts": {"gpus": 7, "gpuType": "A \"quoted\" name",
        "bands": 1, "ecnThreshold": "0B"}, "gpuTypes": {"A \"quoted\" name": {"speed": 0.1,
        "models": {"VGG-16": 0.3}}}})"));
    ExpectStable(WithCluster(R"({"ports": {"queues": 2, "service": {"type": "mixed",
        "StrictQueues": 1, "Rest": "wrr"}, "weights": [1, 9], "limit": "12345B",
        "ecnThreshold": "0B", "sharedBuffer": "1MiB", "alpha": 0.3}})"));
    ExpectStable(WithCluster(R"({"links": [{"at": "7ns", "between": ["h0", "leaf0"], "up": false},
        {"at": "1.5h", "between": ["leaf0", "h0"], "up": true}],
        "failures": [{"server": 1, "at": "2s"}, {"server": 2, "at": "7ns", "for": "1.5h"}]})"));
}

TEST_F(ScenarioWriter, WorkloadsComeBack)
{
    ExpectStable(WithWorkload(R"({"cojobs": [{"submit": "3ms", "stages": [1, 20, 300],
        "search": {"type": "successive-halving"}, "jobs": [
          {"model": "AlexNet", "count": 2, "workers": 2, "servers": 2,
           "accuracy": [0.1, -2.5e-7, 123456789]},
          {"model": {"type": "VGG19", "name": "x,y"}, "stopAfter": 2,
           "placement": {"workers": [[3, 3]], "servers": []}}]}],
        "jobs": [{"id": 9, "model": "DeepSpeech2", "workers": 3, "iterations": 4,
          "submit": "1min"}, {"model": "VGG-16", "stages": [2, 2], "servers": 1,
          "pattern": {"type": "parameter-server", "PullRatio": 0.25}}],
        "compute": {"ratio": 0.7, "straggler": "ns3::ConstantRandomVariable",
          "jitter": {"type": "ns3::NormalRandomVariable", "Mean": 1, "Variance": 0.01}},
        "background": [{"source": 0, "destination": 3, "rate": "1Mbps", "stop": "1s"},
          {"source": 1, "destination": 2, "kind": "elastic", "repeat": false, "dscp": 46}]})"));
}

TEST_F(ScenarioWriter, TheRestComesBack)
{
    ExpectStable(WithWorkload(std::string("{\"jobs\": [") + JOB + "]}", R"(,
        "description": "ä, \"quoted\", \\ and \n", "seed": 4294944442,
        "transport": {"congestionControl": "newreno", "minRto": "3ms", "mtu": 9000},
        "scheduler": {"network": "grouper", "period": "123456789ns", "coordinator": 3,
          "control": "direct", "acks": "control", "priorities": "common", "detection": "3ms",
          "switch": {"save": "1s", "checkpointEvery": 7, "storage": {"host": 2, "ratio": 0.1},
            "models": [{"model": "VGG-16"}, {"model": "x", "launch": "2s", "save": "0s"}]}},
        "scale": {"model": 0.016, "iterations": 1e-3},
        "stop": {"time": "2.5s", "stall": "0s"},
        "output": {"alone": false, "iterations": true, "pcap": true, "figures": false})"));
}

TEST_F(ScenarioWriter, SaysWhatWasLeftToDefaults)
{
    const std::string text = FormatScenario(ReadText(WithCluster("{}")));
    for (const char* line : {"\"kind\": \"leaf-spine\"",
                             "\"hostRate\": \"10Gbps\"",
                             "\"service\": \"strict-priority\"",
                             "\"ecnThreshold\": \"100kB\"",
                             "\"network\": \"fair-share\"",
                             "\"period\": \"1s\"",
                             "\"control\": \"in-band\"",
                             "\"pattern\": \"ring\"",
                             "\"alone\": true"})
    {
        EXPECT_TRUE(HasLine(text, line)) << line << " is not in\n" << text;
    }
}

TEST_F(ScenarioWriter, ModelsAreWrittenWithWhatTheyAre)
{
    const std::string text = FormatScenario(
        ReadText(WithWorkload(R"({"jobs": [{"model": "VGG-16", "iterations": 1}]})")));
    EXPECT_TRUE(HasLine(text, "\"name\": \"VGG-16\"")) << text;
    EXPECT_TRUE(HasLine(text, "\"bytes\": \"526400kB\"")) << text;
    EXPECT_TRUE(HasLine(text, "\"forward\": \"35800us\"")) << text;
}
