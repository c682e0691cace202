// SPDX-License-Identifier: GPL-2.0-only
// Layers of models, and how gradients are cut into buckets, as scenarios say it.
#include "app/scenario/ddl-scenario-writer.h"
#include "ddl-scenario-fixture.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

class LayerKeys : public ScenarioFixture
{
  protected:
    static std::string WithModel(const std::string& model, const std::string& more = "")
    {
        return WithWorkload(R"({"jobs": [{"model": )" + model +
                            R"(, "workers": 2, "iterations": 3}])" + more + "}");
    }

    ModelProfile ReadModel(const std::string& model, const std::string& more = "")
    {
        return ReadText(WithModel(model, more)).workload.groups.at(0).jobs.at(0).model;
    }

    static constexpr const char* TWO =
        R"([{"name": "a", "bytes": "3MB", "forward": "1ms", "backward": "2ms"},
            {"bytes": "1MB", "backward": "500us"}])";
};

} // namespace

TEST_F(LayerKeys, TheSumsAreTheModels)
{
    const ModelProfile model = ReadModel(std::string(R"({"layers": )") + TWO + "}");
    EXPECT_EQ(model.bytes, 4000000U);
    EXPECT_EQ(model.forward, MilliSeconds(1));
    EXPECT_EQ(model.backward, MicroSeconds(2500));
    ASSERT_EQ(model.layers.Get().size(), 2U);
    EXPECT_EQ(model.layers.Get()[0].name, "a");
    EXPECT_EQ(model.layers.Get()[1].backward, MicroSeconds(500));
}

TEST_F(LayerKeys, SumsMayBeGivenIfTheyAreRight)
{
    const std::string layers = std::string(R"("layers": )") + TWO;
    EXPECT_EQ(ReadModel("{" + layers + R"(, "bytes": "4000kB", "backward": "2.5ms"})").bytes,
              4000000U);
    EXPECT_EQ(Complaints(WithModel("{" + layers +
                                   R"(, "bytes": "5MB", "forward": "2ms", "backward": "2.5ms"})")),
              "s.json:4: /workload/jobs/0/model/bytes: is not what the layers add up to, 4MB "
              "(leave it out)\n"
              "s.json:4: /workload/jobs/0/model/forward: is not what the layers add up to, 1ms "
              "(leave it out)");
}

TEST_F(LayerKeys, TimesOfTheModelAreSharedByBytesAmongLayersWithoutAny)
{
    const ModelProfile model = ReadModel(
        R"({"layers": [{"bytes": "3MB"}, {"bytes": "1MB"}], "forward": "4ms", "backward": "8ms"})");
    EXPECT_EQ(model.layers.Get()[0].backward, MilliSeconds(6));
    EXPECT_EQ(model.layers.Get()[1].forward, MilliSeconds(1));
}

TEST_F(LayerKeys, ATypesLayersKeepTheirProportions)
{
    const ModelProfile& known = FindModel("Dally-AlexNet");
    const ModelProfile model = ReadModel(R"({"type": "dally-alexnet", "backward": "84.13ms"})");
    EXPECT_EQ(model.bytes, known.bytes);
    EXPECT_EQ(model.forward, known.forward);
    EXPECT_EQ(model.layers.GetBackward(), MicroSeconds(84130));
    EXPECT_NEAR(model.layers.Get()[2].backward.GetSeconds() /
                    known.layers.Get()[2].backward.GetSeconds(),
                84130 / known.backward.GetSeconds() * 1e-6,
                1e-4);
    EXPECT_EQ(&ReadModel(R"("Dally-AlexNet")").layers.Get(), &known.layers.Get()); // one table
}

TEST_F(LayerKeys, LayersOfOnesOwnReplaceThoseOfTheType)
{
    const ModelProfile model =
        ReadModel(std::string(R"({"type": "VGG19", "layers": )") + TWO + "}");
    EXPECT_EQ(model.name, "VGG19");
    EXPECT_EQ(model.bytes, 4000000U);
    EXPECT_EQ(model.backward, MicroSeconds(2500)); // not by the ratio
}

TEST_F(LayerKeys, TheRatioReachesTheLayers)
{
    const ModelProfile model = ReadModel(std::string(R"({"layers": )") + TWO + "}",
                                         R"(, "compute": {"ratio": 2, "all": true})");
    // A ring of 2 sends the 4 MB once: 3.2 ms at 10 Gbps; 60 % of twice that.
    EXPECT_EQ(model.backward, MicroSeconds(3840));
    EXPECT_EQ(model.layers.GetBackward(), model.backward);
    EXPECT_EQ(model.layers.Get()[1].backward, MicroSeconds(768)); // a fifth
}

TEST_F(LayerKeys, FilesStandBesideTheScenarioOrInTraces)
{
    Write("mine.csv", "bytes,backward_us\n3000,2\n1000,1\n");
    Write("mine.json", R"({"layers": [{"bytes": "3kB"}, {"bytes": "1kB", "forward": "5us"}]})");
    EXPECT_EQ(ReadModel(R"({"layers": "mine.csv"})").backward, MicroSeconds(3));
    EXPECT_EQ(ReadModel(R"({"layers": "mine.json"})").forward, MicroSeconds(5));
    EXPECT_EQ(ReadModel(R"({"layers": "layers-small.csv"})").layers.Get().size(), 6U);
}

TEST_F(LayerKeys, AllThatIsWrongIsSaidWithItsPlace)
{
    Write("bad.csv", "bytes,backward_us\nmany,2\n1000,soon\n");
    Write("bad.json", "{\"layers\": [{\"bytes\": 5}],\n\"layer\": 1}");
    EXPECT_EQ(Complaints(WithModel(R"({"layers": "none.csv"})")),
              "s.json:3: /workload/jobs/0/model/layers: there is no file \"none.csv\" (beside the "
              "file that names it, for --set in the current folder, or in traces/)");
    EXPECT_EQ(Complaints(WithModel(R"({"layers": "bad.csv"})")),
              "bad.csv:2: bytes must be a whole number from 0 to 1000000000000000, is \"many\"\n"
              "bad.csv:3: backward_us must be a number, 0 or more, is \"soon\"");
    const std::string json = Complaints(WithModel(R"({"layers": "bad.json"})"));
    EXPECT_NE(json.find("bad.json:1: /layers/0/bytes: \"5\" has no unit"), std::string::npos)
        << json;
    EXPECT_NE(json.find("bad.json:2: /layer: unknown key"), std::string::npos) << json;
    EXPECT_EQ(Complaints(WithModel(R"({"layers": 5})")),
              "s.json:3: /workload/jobs/0/model/layers: must be a list of layers or the name of a "
              "file, is 5");
    EXPECT_EQ(Complaints(WithModel(R"({"layers": []})")),
              "s.json:3: /workload/jobs/0/model/layers: has no layers (at least one)");
    EXPECT_EQ(Complaints(WithModel(R"({"layers": [{"bytes": "0B"}]})")),
              "s.json:3: /workload/jobs/0/model/layers: has no layer with bytes");
    const std::string two =
        Complaints(WithModel(R"({"layers": [{"bytes": "1"}, {"forward": "-1ms", "size": 1}]})"));
    for (const char* said :
         {"/layers/0/bytes", "/layers/1/bytes: is missing", "/layers/1/forward", "/size"})
    {
        EXPECT_NE(two.find(said), std::string::npos) << said << " in\n" << two;
    }
}

TEST_F(LayerKeys, AScenarioThatIsWrittenReadsBackEqual)
{
    const auto check = [this](const std::string& model, const std::string& more) {
        const Scenario scenario = ReadText(WithModel(model, more));
        const std::string written = FormatScenario(scenario);
        EXPECT_EQ(FormatScenario(ReadText(written)), written);
        return written;
    };
    const std::string own = std::string(R"({"layers": )") + TWO + "}";
    const std::string written =
        check(own, R"(, "overlap": {"bucketSize": "25MiB", "order": "serial", "backward": false})");
    EXPECT_NE(written.find("\"500us\""), std::string::npos) << written;
    EXPECT_NE(written.find("\"serial\""), std::string::npos) << written;
    check(own, R"(, "compute": {"ratio": 2, "all": true})");
    check(R"("Dally-MobileNetV3")", "");
    const Scenario generated = ReadText(WithWorkload(
        R"({"generator": {"kind": "jobs", "jobs": 2, "servers": 0, "models": ["Dally-ResNet18"]}})"));
    const std::string short_form = FormatScenario(generated);
    EXPECT_EQ(short_form.find("\"layers\""), std::string::npos) << short_form;
    const Scenario again = ReadText(short_form);
    const auto& model = again.workload.generator->models.at(0).profile;
    EXPECT_EQ(model.layers.Get().size(), 21U);
}

TEST_F(LayerKeys, OverlapOfAllJobs)
{
    const auto read = [this](const std::string& overlap) {
        const Scenario scenario =
            ReadText(WithModel(R"({"bytes": "1MB"})", ", \"overlap\": " + overlap));
        return scenario.workload.groups.at(0).jobs.at(0).overlap;
    };
    EXPECT_EQ(read("{}").buckets, 0U);
    EXPECT_TRUE(read("{}").backward);
    EXPECT_FALSE(read("{}").serial);
    EXPECT_EQ(read(R"({"buckets": 3})").buckets, 3U);
    EXPECT_EQ(read(R"({"bucketSize": "25MiB"})").bucketSize, 25U << 20);
    EXPECT_TRUE(read(R"({"order": "serial"})").serial);
    EXPECT_FALSE(read(R"({"backward": false})").backward);
    EXPECT_EQ(Complaints(WithModel(
                  R"({"bytes": "1MB"})",
                  R"(, "overlap": {"buckets": 3, "bucketSize": "1MB", "order": "random"})")),
              "s.json:3: /workload/overlap/bucketSize: stands beside \"buckets\" (give one of "
              "them)\n"
              "s.json:3: /workload/overlap/order: must be one of concurrent, serial, is "
              "the string \"random\"");
}
