// SPDX-License-Identifier: GPL-2.0-only
#include "app/json/ddl-json-text.h"
#include "app/scenario/ddl-home.h"
#include "ddl-scratch-folder.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-scenario-reader.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>

namespace ns3::ddl
{
namespace
{

/** A part of scenario.schema.json: a place, with all that it refers to and its alternatives. */
class SchemaPlace
{
  public:
    static SchemaPlace ReadRoot()
    {
        std::ifstream file(GetHome() + "/scenarios/scenario.schema.json");
        static const Json root = Json::parse(file);
        SchemaPlace place;
        place.Add(root, root);
        return place;
    }

    /** \return the place of a member or element; one without parts if the schema has none */
    SchemaPlace Step(const std::string& key) const
    {
        SchemaPlace inner;
        for (const Json* part : m_parts)
        {
            if (part->contains("properties") && part->at("properties").contains(key))
            {
                inner.Add(part->at("properties").at(key), *m_root);
            }
            if (part->contains("items") && std::isdigit(static_cast<unsigned char>(key[0])))
            {
                inner.Add(part->at("items"), *m_root);
            }
        }
        for (const Json* part : m_parts)
        {
            if (inner.m_parts.empty() && part->contains("additionalProperties") &&
                part->at("additionalProperties").is_object())
            {
                inner.Add(part->at("additionalProperties"), *m_root);
                inner.m_isNamedByUser = true;
            }
        }
        return inner;
    }

    /** \return the keys that an object here can have by name */
    std::set<std::string> Keys() const
    {
        std::set<std::string> keys;
        for (const Json* part : m_parts)
        {
            if (part->contains("properties"))
            {
                for (const auto& member : part->at("properties").items())
                {
                    keys.insert(member.key());
                }
            }
        }
        return keys;
    }

    /** \return a key's default; null if the schema has none */
    Json GetDefault(const std::string& key) const
    {
        for (const Json* part : m_parts)
        {
            if (part->contains("properties") && part->at("properties").contains(key))
            {
                return part->at("properties").at(key).value("default", Json());
            }
        }
        return Json();
    }

    /** \return "string", "number", "boolean", "array", "object", as far as they can stand here */
    std::set<std::string> Types() const
    {
        std::set<std::string> types;
        for (const Json* part : m_parts)
        {
            const Json& given = part->contains("type") ? part->at("type") : Json::array();
            for (const auto& type : given.is_array() ? given : Json::array({given}))
            {
                types.insert(type == "integer" ? "number" : type.get<std::string>());
            }
            for (const auto& name : part->contains("enum") ? part->at("enum") : Json::array())
            {
                types.insert(name.type_name());
            }
        }
        return types;
    }

    /** \return true if the member's name is the user's, as that of a GPU type is */
    bool IsNamedByUser() const
    {
        return m_isNamedByUser;
    }

  private:
    void Add(const Json& part, const Json& root)
    {
        m_root = &root;
        m_parts.push_back(&part);
        if (part.contains("$ref"))
        {
            const std::string name = part.at("$ref").get<std::string>();
            Add(root.at("definitions").at(name.substr(name.rfind('/') + 1)), root);
        }
        for (const char* group : {"allOf", "anyOf"})
        {
            if (part.contains(group))
            {
                for (const auto& inner : part.at(group))
                {
                    Add(inner, root);
                }
            }
        }
    }

    const Json* m_root{nullptr};
    std::vector<const Json*> m_parts;
    bool m_isNamedByUser{false};
};

const std::string BACKGROUND = R"([
  {"source": 0, "destination": 1, "kind": "constant-rate", "rate": "1Mbps", "packetSize": 1000,
   "start": "0s", "stop": "1s", "band": 1, "dscp": 1},
  {"source": 0, "destination": 1, "kind": "elastic", "bytes": "1kB", "repeat": false}])";

const std::string MODEL = R"({"type": "VGG-16", "name": "n", "bytes": "1MB", "forward": "1ms",
                              "backward": "1ms", "input": "1ms", "switching": "1ms", "batch": 1,
                              "gpuMemory": "1GB",
                              "layers": [{"name": "l", "bytes": "1MB", "forward": "1ms",
                                          "backward": "1ms"}]})";

/** The beginning of an object with a task graph. */
const std::string GRAPH = R"({"graph": {"format": "goal", "Names": true,
                              "files": ["../examples/graphs/two-ranks.goal"]})";

/** Valid scenarios that have, between them, every key of the schema that has no default. */
const std::vector<std::string> SCENARIOS = {
    R"({"$schema": "s", "name": "a", "description": "d", "seed": 2,
  "cluster": {
    "preset": "two-racks",
    "topology": {"kind": "leaf-spine", "hostRate": "10Gbps", "delay": "1us", "framingBytes": 38,
                 "leaves": 2, "hostsPerLeaf": [4, 4], "spines": 2, "parallel": 1,
                 "fabricRate": "10Gbps"},
    "ports": {"queues": 2, "service": {"type": "dwrr", "Quantum": 9000}, "weights": [1, 1],
              "limit": "1MB", "ecnThreshold": "100kB", "sharedBuffer": "0B", "alpha": 1,
              "pfc": false, "pfcThreshold": "100kB", "pfcHeadroom": "0B"},
    "gpuTypes": {"T4": {"speed": 0.5, "models": {"VGG-16": 0.4}}},
    "hosts": {"gpus": 4, "gpuType": "V100",
              "groups": [{"count": 4, "gpus": 4, "gpuType": "T4", "gpuMemory": "16GB"}, {"count": 4}],
              "gpuMemory": "16GB", "bands": 8, "ecnThreshold": "100kB"},
    "links": [{"at": "1s", "between": ["leaf0", "spine0"], "up": false}],
    "failures": [{"server": 1, "at": "1s", "for": "1s"}]},
  "transport": {"kind": "tcp", "mtu": 1500, "congestionControl": "dctcp", "useEcn": false,
    "recoveryType": "ns3::TcpClassicRecovery", "segmentSize": 0, "sendBuffer": 262144,
    "receiveBuffer": 524288, "initialCwnd": 10, "delAckCount": 1, "minRto": "5ms",
    "clockGranularity": "100us", "connTimeout": "10ms", "ackInterval": 4, "recovery": "go-back-n", "timeout": "1ms",
    "maxTimeout": "1s", "initialPsn": 0, "timestamps": false, "headerBytes": 40,
    "countFraming": true, "rdmaPaths": false, "storeAndForward": true, "extraDelay": "0s", "contentionCost": 0, "isolated": false,
    "localRate": "100Gbps", "localDelay": "1us"},
  "scheduler": {"network": {"type": "grouper", "KeepChainOrder": true}, "period": "1s",
    "gate": {"type": "none"}, "jobs": {"type": "fifo"},
    "placement": {"type": "lwf", "Kappa": 1}, "scorer": {"type": "cassini", "Candidates": 2}, "tasks": {"type": "fifo"},
    "control": {"type": "in-band"}, "acks": "ranked", "priorities": "local", "coordinator": 0,
    "switch": {"models": [{"model": "VGG-16", "launch": "1s"}],
               "storage": {"host": 0, "ratio": 3}},
    "share": {"load": 0.5, "utilisation": 1}, "preSchedule": {"load": 0.5, "margin": "1s"}},
  "workload": {"overlap": {"buckets": 2, "order": "serial", "backward": true},
    "compute": {"ratio": 1, "all": false,
      "jitter": {"type": "normal-random-variable", "Mean": 1, "Variance": 0.01, "Bound": 0.5},
      "straggler": {"type": "constant-random-variable", "Constant": 1}},
    "cojobs": [{"id": 1, "submit": "0s", "stages": [1, 2],
      "search": {"type": "successive-halving", "Fraction": 0.5},
      "jobs": [{"id": 1, "count": 1, "model": )" +
        MODEL + R"(, "workers": 2, "servers": 1,
        "pattern": {"type": "parameter-server", "PullRatio": 1}, "accuracy": [0.1, 0.2],
        "stopAfter": 2, "weight": 1, "user": "u", "name": "n", "kind": {"type": "gang"},
        "placement": {"workers": [[0, 0], [1, 0]], "servers": [2]}},
        {"model": "VGG-16", "workers": 2, "pattern": "ring", "curve":
          {"shape": {"type": "inverse"}, "half": 10, "accuracy": [0, 1], "loss": [1, 0]}},
        {"model": "VGG-16", "curve": {"points": [[0, 0.1, 2], [5, 0.5, 1]]}}]}],
    "jobs": [{"id": 7, "count": 1, "model": )" +
        MODEL + R"(, "workers": 2, "servers": 1,
      "pattern": {"type": "parameter-server"}, "accuracy": [0.1], "submit": "0s",
      "iterations": 1, "weight": 1, "user": "u", "name": "n", "kind": {"type": "gang"}, "placement": {"workers": [[3, 0], [3, 1]], "servers": [2]}},
      {"model": "VGG-16", "workers": 1, "stages": [1, 2], "stopAfter": 1,
       "curve": {"points": [[0, 0.1, 2], [5, 0.5, 1]]}},
      {"model": "VGG-16", "iterations": 1, "curve":
        {"shape": {"type": "inverse"}, "half": 10, "accuracy": [0, 1], "loss": [1, 0]}}],
    "background": )" +
        BACKGROUND + R"(},
  "fidelity": "packets", "sampling": {"error": 0.1, "budget": 0.1, "warmup": 1, "window": 2, "seed": 1},
  "leap": {"tolerance": 0.01}, "stop": {"time": "1s"}})",
    R"({"name": "b", "extends": "two-jobs-one-link",
  "cluster": {"topology": {"kind": "dumbbell", "leftHosts": 2, "rightHosts": 2,
                           "bottleneckRate": "10Gbps", "hostRate": "10Gbps"}},
  "workload": {"jobs": [], "generator": {"kind": "cojobs",
    "models": [{"type": "VGG-16", "name": "n", "bytes": "1MB", "forward": "1ms", "backward": "1ms",
                "input": "1ms", "switching": "1ms", "batch": 1, "gpuMemory": "0B",
                "layers": [{"name": "l", "bytes": "1MB", "forward": "1ms", "backward": "1ms"}],
                "curve": {"shape": {"type": "inverse"}, "half": 9,
                                             "accuracy": [0, 1], "loss": [1, 0]}}],
    "pick": "round-robin", "cojobs": 2, "jobs": 2, "stages": [1, 2],
    "search": {"type": "successive-halving", "Fraction": 0.5}, "workers": 2, "servers": 1,
    "pattern": {"type": "parameter-server"}, "successors": false, "until": "1s",
    "arrivals": {"type": "poisson", "MeanGap": "1s"}, "load": 1,
    "curve": {"shape": {"type": "inverse"}, "half": {"type": "constant-random-variable"},
              "accuracy": [0, 1], "loss": [1, {"type": "constant-random-variable"}]}}}})",
    R"({"name": "c", "cluster": {"topology": {"kind": "single-switch", "hosts": 64}},
  "workload": {"generator": {"kind": "hyperband", "models": ["VGG-16"], "cojobs": 1,
                             "maxIterations": 9, "eta": 3, "workers": 2, "servers": 0}}})",
    R"({"name": "d", "cluster": "two-racks", "workload": {"generator": {"kind": "jobs",
    "models": ["VGG-16"], "jobs": 2, "iterations": {"type": "constant-random-variable"},
    "sizes": [[1, 1], [2, 1]], "searches": [[1, 1], [2, 1]], "users": 2, "repeats": 0.5,
    "weights": {"type": "constant-random-variable"}, "jobKind": {"type": "gang"}, "workers": 2, "servers": 0}}})",
    R"({"name": "i", "cluster": "two-racks", "scheduler": {"preset": "dally"}, "workload": {"generator":
    {"kind": "jobs", "models": [{"type": "VGG-16", "sizes": [[1, 1]],
                                 "durations": {"type": "constant-random-variable"}}],
     "jobs": 2, "durations": {"type": "constant-random-variable"}, "divideByWorkers": true}}})",
    R"({"name": "e", "cluster": "two-racks", "workload": {"trace": "jobs-small.csv",
    "traceFormat": {"type": "jobs"}, "replay": {"models": [)" +
        MODEL + R"(], "servers": 0, "search": {"type": "successive-halving"}, "limit": 1,
      "load": 1, "tooLarge": "skip", "fold": false}}})",
    R"({"name": "j", "cluster": "two-racks", "workload": {"cojobs": [{"stages": [1], "jobs": [)" +
        GRAPH + R"(}]}], "jobs": [)" + GRAPH + R"(, "iterations": 1}]}})",
    R"({"name": "k", "cluster": "two-racks", "workload": {"generator": {"kind": "jobs", "jobs": 1,
     "servers": 0, "models": [)" +
        GRAPH + R"(, "bytes": "1MB", "kind": {"type": "graph"}}]}}})",
    R"({"name": "l", "cluster": "two-racks", "workload": {"trace": "jobs-small.csv", "replay": {
     "tooLarge": "skip", "graphs": [)" +
        GRAPH + R"(, "name": "n", "kind": {"type": "graph"}, "model": )" + MODEL + R"(}]}}})",
    R"({"name": "f", "cluster": {"topology": {"kind": "three-tier", "hostDelay": "1us"}},
  "workload": {"jobs": [{"model": "VGG-16", "workers": 1, "iterations": 1}]}})",
    R"({"name": "m", "cluster": {"topology": {"kind": "graph", "format": "json", "bond": false,
    "withoutScaleUp": false, "nodes": [{"name": "a", "kind": "host", "server": 0, "rack": 0},
                                       {"name": "b", "kind": "switch", "tier": 1, "divisor": 1}],
    "links": [{"between": ["a", "b"], "rate": "10Gbps", "delay": "1us", "count": 1}]}},
  "workload": {"jobs": [{"model": "VGG-16", "workers": 1, "iterations": 1}]}})",
    R"({"name": "n", "cluster": {"topology": {"kind": "graph", "format": "hpcc",
    "file": "../scenarios/network-file/network.txt"}},
  "workload": {"jobs": [{"model": "VGG-16", "workers": 1, "iterations": 1}]}})",
    R"({"name": "g", "cluster": {"topology": {"kind": "fat-tree"}},
  "workload": {"jobs": [{"model": "VGG-16", "workers": 1, "iterations": 1}]}})",
    R"({"name": "h", "cluster": {"topology": {"kind": "rail-optimised",
    "scaleUp": {"kind": "switch", "rate": "2880Gbps", "delay": "25ns", "mtu": 65535}}},
  "workload": {"jobs": [{"model": "VGG-16", "workers": 1, "iterations": 1}]}})"};

/** A value of each JSON type; strings are no name, unit or number of anything. */
const std::vector<Json> WRONG{nullptr, true, 1, "zzz", Json::array(), Json::object()};

bool
IsAttribute(const std::string& key)
{
    return std::isupper(static_cast<unsigned char>(key[0]));
}

class WrongTypesTest : public ScratchFolder
{
  protected:
    /** \return what the reader says about a scenario */
    std::vector<Diagnostic> Complain(const Json& scenario)
    {
        try
        {
            ReadScenario({Write("s.json", DumpJson(scenario))});
        }
        catch (const InputError& error)
        {
            return error.GetDiagnostics();
        }
        return {};
    }

    /** Gives an object of a scenario, and those in it, all keys whose defaults fit there. */
    void AddDefaults(Json& scenario, const Json::json_pointer& at, const SchemaPlace& place)
    {
        Json defaults = Json::object();
        for (const auto& key : scenario[at].is_object() ? place.Keys() : std::set<std::string>{})
        {
            const Json value = place.GetDefault(key);
            if (!value.is_null() && !scenario[at].contains(key))
            {
                defaults[key] = value;
            }
        }
        if (!defaults.empty())
        {
            const Json given = scenario[at];
            scenario[at].update(defaults);
            if (!Complain(scenario).empty()) // some exclude others: one by one
            {
                scenario[at] = given;
                for (const auto& member : defaults.items())
                {
                    scenario[at][member.key()] = member.value();
                    if (!Complain(scenario).empty())
                    {
                        scenario[at].erase(member.key());
                    }
                }
            }
        }
        const Json value = scenario[at];
        if (!value.is_structured())
        {
            return;
        }
        for (const auto& member : value.items())
        {
            AddDefaults(scenario, at / member.key(), place.Step(member.key()));
        }
    }

    /** \return SCENARIOS with defaults */
    const std::vector<Json>& ListScenarios()
    {
        static std::vector<Json> scenarios; // of both tests: to find them takes seconds
        for (std::size_t i = scenarios.size(); i < SCENARIOS.size(); ++i)
        {
            scenarios.push_back(Json::parse(SCENARIOS[i]));
            AddDefaults(scenarios.back(), Json::json_pointer(), SchemaPlace::ReadRoot());
        }
        return scenarios;
    }

    /**
     * Goes over all values of a scenario.
     *
     * \param visit gets pointer, place in the schema, and the nearest place around it
     */
    template <typename F>
    static void ForEach(const Json& value,
                        const SchemaPlace& place,
                        const std::string& pointer,
                        const std::string& key,
                        F&& visit)
    {
        visit(pointer, key, place, value);
        if (!value.is_structured())
        {
            return;
        }
        for (const auto& member : value.items()) // of a list: its indices
        {
            const std::string inner = member.key();
            ForEach(member.value(), place.Step(inner), JsonPointer(pointer, inner), inner, visit);
        }
    }
};

TEST_F(WrongTypesTest, TheScenariosAreRightAndHaveEveryKeyOfTheSchema)
{
    std::set<std::string> all;
    std::set<std::string> given;
    for (const Json& scenario : ListScenarios())
    {
        for (const auto& diagnostic : Complain(scenario))
        {
            ADD_FAILURE() << diagnostic.ToString();
        }
        // Lists' indices and users' own names make no other keys.
        std::vector<std::string> path;
        const auto walk = [&](const auto& self,
                              const Json& value,
                              const SchemaPlace& place,
                              const std::string& pointer) -> void {
            for (const auto& key : value.is_object() ? place.Keys() : std::set<std::string>{})
            {
                if (!IsAttribute(key))
                {
                    all.insert(pointer + "/" + key);
                }
            }
            if (!value.is_structured())
            {
                return;
            }
            for (const auto& member : value.items())
            {
                const SchemaPlace inner = place.Step(member.key());
                const bool isOther = value.is_array() || inner.IsNamedByUser();
                const std::string at = pointer + "/" + (isOther ? "*" : member.key());
                given.insert(at);
                self(self, member.value(), inner, at);
            }
        };
        walk(walk, scenario, SchemaPlace::ReadRoot(), "");
    }
    for (const auto& key : all)
    {
        EXPECT_EQ(given.count(key), 1U) << key << " is in no scenario of this test";
    }
    EXPECT_GT(all.size(), 150U);
}

TEST_F(WrongTypesTest, EveryKeyRefusesEveryWrongType)
{
    int tried = 0;
    std::set<std::string> pointers; // each in one scenario
    for (const Json& scenario : ListScenarios())
    {
        const auto attempt = [&](const std::string& pointer,
                                 const std::string& key,
                                 const SchemaPlace& place,
                                 const Json&) {
            if (!pointers.insert(pointer).second)
            {
                return;
            }
            std::set<std::string> types = place.Types();
            ASSERT_FALSE(types.empty()) << pointer << " has no type in the schema";
            const bool isOfTransport =
                pointer.rfind("/transport/", 0) == 0 && key != "kind" && key != "mtu";
            if (isOfTransport || IsAttribute(key))
            {
                types.insert("number"); // ns-3 writes true as 1, and reads text
                types.insert(types.count("string") > 0 ? "boolean" : "number");
            }
            for (const Json& wrong : WRONG)
            {
                const std::string type = wrong.type_name();
                if (types.count(type) > 0 || key == "$schema")
                {
                    continue;
                }
                Json changed = scenario;
                changed[Json::json_pointer(pointer)] = wrong;
                const auto said = Complain(changed);
                ++tried;
                EXPECT_TRUE(std::any_of(said.begin(),
                                        said.end(),
                                        [&pointer](const Diagnostic& one) {
                                            return one.pointer.rfind(pointer, 0) == 0 ||
                                                   (!one.pointer.empty() &&
                                                    pointer.rfind(one.pointer, 0) == 0);
                                        }))
                    << scenario["name"] << ": " << pointer << " = " << wrong.dump()
                    << (said.empty() ? " is accepted" : ": " + said[0].ToString());
            }
        };
        ForEach(scenario, SchemaPlace::ReadRoot(), "", "", attempt);
    }
    EXPECT_GT(tried, 1000);
}

} // namespace
} // namespace ns3::ddl
