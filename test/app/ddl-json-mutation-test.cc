// SPDX-License-Identifier: GPL-2.0-only
#include "app/json/ddl-json-reader.h"
#include "app/text/ddl-attribute-check.h"

#include "ns3/ddl-quantity.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <random>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

const std::string SCENARIO = R"({
  // a scenario with a value of every type
  "name": "quickstart", "seed": 1,
  "cluster": {
    "topology": {"kind": "leaf-spine", "leaves": 2, "hostRate": "10Gbps", "delay": "1us"},
    "ports": {"queues": 8, "limit": "1MB", "weights": [8, 4, 2.5, 1]}
  },
  "noise": {"type": "normal-random-variable", "Mean": 1, "Variance": 0.25, "Bound": 3},
  "workload": {"cojobs": [
    {"id": 1, "at": "0s", "jobs": [{"model": "resnet-50", "bytes": "98MB", "share": 0.5}]},
    {"id": 2, "at": "12.5ms", "jobs": [{"model": "vgg \u00e9\n", "bytes": "528MB"}, {}]}
  ]},
  "output": {"alone": true, "pcap": false, "figures": null}
})";

/** Pieces that are worth trying wherever something is inserted. */
const std::vector<std::string> PIECES{"{",
                                      "}",
                                      "[",
                                      "]",
                                      ",",
                                      ":",
                                      "\"",
                                      "\\",
                                      "//",
                                      "/*",
                                      "*/",
                                      "null",
                                      "-3",
                                      "3.7",
                                      "1e999",
                                      "1e-5",
                                      "\\u0000",
                                      "\\ud800",
                                      "\xFF",
                                      "\xC3",
                                      "\n",
                                      "true",
                                      "{}",
                                      "[]",
                                      "\"10\"",
                                      "-0",
                                      "99999999999999999999",
                                      "\"type\": 5,",
                                      "Gbps",
                                      "\xEF\xBB\xBF",
                                      "\"id\": 1,",
                                      "fs",
                                      "y",
                                      "srsf-2"};

const std::vector<std::string> PATHS{"seed",
                                     "cluster",
                                     "cluster.topology.leaves",
                                     "cluster.ports.weights.2",
                                     "cluster.ports.weights.9",
                                     "workload.cojobs.1.jobs.0.bytes",
                                     "noise.Mean",
                                     "noise.type",
                                     "output.figures.x",
                                     "name.y.z",
                                     "a..b",
                                     ""};

/** Random changes, the same in every run: only the engine is used, whose numbers are standard. */
class Mutator
{
  public:
    std::size_t Below(std::size_t end)
    {
        return m_engine() % end;
    }

    const std::string& Pick(const std::vector<std::string>& from)
    {
        return from[Below(from.size())];
    }

    void Mutate(std::string& text)
    {
        const std::size_t at = Below(text.size() + 1);
        const std::size_t length = Below(20);
        switch (Below(6))
        {
        case 0:
            text.resize(Below(10) == 0 ? at : text.size());
            break;
        case 1:
            text.erase(at, length);
            break;
        case 2:
            text.insert(at, text.substr(Below(text.size() + 1), length));
            break;
        case 3:
            text.insert(at, Pick(PIECES));
            break;
        case 4:
            text.replace(at, at < text.size() ? 1 : 0, 1, static_cast<char>(Below(256)));
            break;
        default:
            text.replace(at, length, Pick(PIECES));
        }
    }

  private:
    std::mt19937 m_engine{20240607};
};

void
ReadJob(const JsonObject& job)
{
    job.String("model", "alexnet");
    job.Bytes("bytes", 1, {1, MAX_BYTES});
    job.Number("share", {ABOVE_ZERO, 1}, 1);
}

/** Reads a scenario in every way that there is. */
void
ReadAll(JsonReader& reader, std::vector<Diagnostic>& diagnostics)
{
    const JsonObject root = reader.Root();
    root.Require("name");
    root.String("name", "");
    root.Unsigned("seed", AtLeast(1), 1);
    const JsonObject topology = root.Object("cluster").Object("topology");
    topology.OneOf("kind", {"leaf-spine", "dumbbell"}, "leaf-spine");
    topology.Unsigned("leaves", {1, 4096}, 2);
    topology.Rate("hostRate", DataRate("10Gbps"));
    topology.Duration("delay", Seconds(0));
    const JsonObject ports = root.Object("cluster").Object("ports");
    ports.Unsigned("queues", {2, 8}, 8);
    ports.Bytes("limit", 1);
    for (const auto& weight : ports.Array("weights"))
    {
        weight.Number({ABOVE_ZERO, NO_LIMIT}, 1);
    }
    const TypeId family = RandomVariableStream::GetTypeId();
    root.Policy("noise", "constant-random-variable").MakeFactory(family, diagnostics);
    for (const auto& cojob : root.Object("workload").Array("cojobs"))
    {
        cojob.Object().Duration("at", Seconds(0));
        cojob.Object().Unsigned("id", AtLeast(0), 0);
        for (const auto& job : cojob.Object().Array("jobs"))
        {
            ReadJob(job.Object());
        }
    }
    for (const auto& key : root.Object("output").Keys())
    {
        root.Object("output").Bool(key, false);
    }
    reader.Finish();
}

/** \return what is wrong with a text, from its first byte to its last key */
std::vector<Diagnostic>
Judge(const std::string& text, Mutator& mutator)
{
    std::vector<Diagnostic> diagnostics;
    try
    {
        auto document = JsonDocument::ParseText(text, "s.json");
        if (mutator.Below(2) == 0)
        {
            const std::string path = mutator.Pick(PATHS);
            document.Override(path, mutator.Pick(PIECES), diagnostics);
        }
        JsonReader reader(document, diagnostics);
        ReadAll(reader, diagnostics);
        DumpJson(reader.GetResolved());
    }
    catch (const InputError& error)
    {
        return error.GetDiagnostics();
    }
    return diagnostics;
}

} // namespace

TEST(JsonMutation, TheScenarioItselfIsRight)
{
    const auto document = JsonDocument::ParseText(SCENARIO, "s.json");
    std::vector<Diagnostic> diagnostics;
    JsonReader reader(document, diagnostics);
    ReadAll(reader, diagnostics);
    ASSERT_EQ(diagnostics.size(), 1u);
    EXPECT_EQ(diagnostics[0].ToString(),
              "s.json:13: /output/figures: must be true or false, is null");
}

TEST(JsonMutation, EveryTextIsReadOrRefusedWithAPlace)
{
    constexpr int TEXTS = 20000;
    Mutator mutator;
    int accepted = 0;
    int unparsable = 0;
    for (int i = 0; i < TEXTS; ++i)
    {
        std::string text = SCENARIO;
        for (std::size_t changes = 1 + mutator.Below(4); changes > 0; --changes)
        {
            mutator.Mutate(text);
        }
        const auto diagnostics = Judge(text, mutator);
        accepted += diagnostics.size() <= 1 ? 1 : 0;
        for (const auto& diagnostic : diagnostics)
        {
            ASSERT_TRUE(diagnostic.where.compare(0, 6, "s.json") == 0 ||
                        diagnostic.where == "--set")
                << diagnostic.ToString() << "\n"
                << text;
            ASSERT_FALSE(diagnostic.what.empty()) << text;
            unparsable += diagnostic.what.compare(0, 7, "column ") == 0 ? 1 : 0;
        }
    }
    // both ways were taken often: neither all refused nor all read
    EXPECT_GT(accepted, TEXTS / 20);
    EXPECT_GT(unparsable, TEXTS / 20);
}

TEST(JsonMutation, EveryTruncationIsRefused)
{
    for (std::size_t length = 0; length < SCENARIO.size(); ++length)
    {
        EXPECT_THROW(JsonDocument::ParseText(SCENARIO.substr(0, length), "s.json"), InputError);
    }
}

TEST(JsonMutation, NoQuantityEndsTheProgram)
{
    const std::string alphabet = "0123456789.eE+- GMKkibBpsnumhdy/";
    Mutator mutator;
    int read = 0;
    for (int i = 0; i < 200000; ++i)
    {
        std::string text = std::to_string(mutator.Below(100));
        for (std::size_t more = mutator.Below(6); more > 0; --more)
        {
            text += alphabet[mutator.Below(alphabet.size())];
        }
        std::string problem;
        const auto rate = ParseRate(text, problem);
        const auto time = ParseDuration(text, problem);
        read += (rate || time || ParseBytes(text, problem)) ? 1 : 0;
        // what we take, ns-3 takes, to the same value
        ASSERT_TRUE(!rate || std::abs(static_cast<double>(DataRate(text).GetBitRate()) -
                                      static_cast<double>(rate->GetBitRate())) <= 1)
            << text;
        const auto type = UniformRandomVariable::GetTypeId();
        if (CheckAttribute(type, "Max", text).empty())
        {
            ObjectFactory factory;
            factory.SetTypeId(type);
            factory.Set("Max", StringValue(text)); // would end the program
        }
    }
    EXPECT_GT(read, 1000);
}
