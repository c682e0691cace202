// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-fuzz-inputs.h"

#include "app/json/ddl-json-document.h"
#include "app/reproduce/ddl-paper.h"
#include "app/sampling/ddl-forecast.h"
#include "app/scenario/ddl-home.h"
#include "app/scenario/ddl-scenario-writer.h"

#include "ns3/ddl-arrival-process.h"
#include "ns3/ddl-attribute-check.h"
#include "ns3/ddl-communication-gate.h"
#include "ns3/ddl-communication-pattern.h"
#include "ns3/ddl-control-plane.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-estimator.h"
#include "ns3/ddl-job-queue-policy.h"
#include "ns3/ddl-network-scheduler.h"
#include "ns3/ddl-path-selector.h"
#include "ns3/ddl-placement-policy.h"
#include "ns3/ddl-placement-scorer.h"
#include "ns3/ddl-quantity.h"
#include "ns3/ddl-queue-scheduler.h"
#include "ns3/ddl-rdma-congestion-control.h"
#include "ns3/ddl-round-scheduler.h"
#include "ns3/ddl-scenario-reader.h"
#include "ns3/ddl-search-algorithm.h"
#include "ns3/ddl-task-queue-policy.h"
#include "ns3/ddl-transport.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace ns3::ddl
{

namespace
{

namespace fs = std::filesystem;

std::string
ReadAll(const fs::path& path)
{
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/** \return texts of the files of a name in the folders below one, by name */
std::vector<std::string>
ReadBelow(const fs::path& folder, const std::string& name)
{
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(folder))
    {
        paths.push_back(name.empty() ? entry.path() : entry.path() / name);
    }
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> texts;
    for (const auto& path : paths)
    {
        if (fs::is_regular_file(path) && path.extension() != ".md")
        {
            texts.push_back(ReadAll(path));
        }
    }
    return texts;
}

/** A small scenario with every part: what the runs are made from. */
const std::vector<std::string> SMALL = {
    R"({"name": "a", "seed": 1,
  "cluster": {
    "topology": {"kind": "leaf-spine", "leaves": 2, "hostsPerLeaf": 2, "spines": 2, "parallel": 1,
                 "hostRate": "10Gbps", "fabricRate": "10Gbps", "delay": "1us", "framingBytes": 38},
    "ports": {"queues": 4, "service": {"type": "dwrr", "Quantum": 9000}, "weights": [1, 1, 2, 4],
              "limit": "1MB", "ecnThreshold": "100kB", "sharedBuffer": "0B", "alpha": 1,
              "pfc": false, "pfcThreshold": "100kB", "pfcHeadroom": "0B"},
    "gpuTypes": {"T4": {"speed": 0.5, "models": {"VGG-16": 0.4}}},
    "hosts": {"gpus": 2, "gpuType": "V100", "groups": [{"count": 2, "gpus": 2, "gpuType": "T4"},
              {"count": 2}], "gpuMemory": "16GB", "bands": 4, "ecnThreshold": "100kB"},
    "links": [{"at": "1ms", "between": ["leaf0", "spine0"], "up": false},
              {"at": "2ms", "between": ["spine0", "leaf0"], "up": true}]},
  "transport": {"kind": "rdma", "mtu": 1500, "congestionControl": "dctcp", "ackInterval": 4},
  "scheduler": {"network": {"type": "grouper", "KeepChainOrder": true}, "period": "1ms",
    "gate": "none", "jobs": "fifo", "placement": "first-fit", "tasks": "fifo",
    "control": "in-band", "acks": "ranked", "priorities": "local", "coordinator": 0},
  "workload": {"overlap": {"buckets": 2, "order": "serial"}, "compute": {"ratio": 1, "all": false,
      "jitter": {"type": "normal-random-variable", "Mean": 1, "Variance": 0.01, "Bound": 0.5}},
    "cojobs": [{"id": 1, "submit": "0s", "stages": [1, 2], "search": "successive-halving",
      "jobs": [{"count": 2, "model": {"name": "m", "bytes": "100kB", "forward": "10us",
                                      "backward": "20us", "gpuMemory": "1GB"},
                "workers": 2, "servers": 1, "pattern": "parameter-server", "weight": 1}]}],
    "jobs": [{"model": {"layers": [{"bytes": "90kB", "backward": "5us"}, {"bytes": "0B"},
                {"bytes": "10kB", "forward": "10us"}]}, "workers": 2, "pattern": "ring",
              "submit": "1ms", "iterations": 3}],
    "background": [{"source": 0, "destination": 3, "kind": "elastic", "bytes": "10kB",
                    "repeat": false, "start": "0s", "band": 1, "dscp": 8}]},
  "scale": {"model": 1, "iterations": 1}, "stop": {"time": "1s", "stall": "1s"},
  "output": {"alone": false, "iterations": true, "coflows": true, "timeline": true,
             "pcap": false, "figures": false}})",
    R"({"name": "b", "cluster": {"topology": {"kind": "single-switch", "hosts": 4},
                                  "hosts": {"gpus": 2}},
  "transport": {"kind": "tcp", "congestionControl": "cubic", "segmentSize": 0, "minRto": "5ms"},
  "scheduler": {"network": "sptf", "gate": {"type": "srsf-n", "N": 1}, "jobs": "srsf",
                "placement": {"type": "lwf", "Kappa": 1}},
  "workload": {"generator": {"kind": "jobs", "models": [{"type": "VGG-16", "bytes": "50kB",
      "forward": "10us", "backward": "10us"}], "jobs": 4, "iterations": 2, "workers": 2,
      "sizes": [[1, 1], [2, 1], [4, 1]], "servers": 0, "pattern": "ring",
      "arrivals": {"type": "poisson", "MeanGap": "1ms"}, "load": 2}},
  "output": {"alone": true, "figures": false}})",
    R"({"name": "c", "cluster": {"topology": {"kind": "dumbbell", "leftHosts": 2, "rightHosts": 2,
      "bottleneckRate": "5Gbps"}, "ports": {"queues": "unlimited"}, "hosts": {"bands": "unlimited"}},
  "transport": {"kind": "fluid", "headerBytes": 40, "countFraming": true, "contentionCost": 0.1},
  "scheduler": {"network": {"type": "baraat", "Multiplexing": 2}, "control": "direct"},
  "workload": {"generator": {"kind": "cojobs", "models": [{"bytes": "1MB", "curve": {"half": 5}}],
      "cojobs": 3, "jobs": 2, "stages": [1, 2], "workers": 2, "servers": 1, "successors": true,
      "until": "1s", "arrivals": {"type": "uniform", "Window": "1ms"}}},
  "output": {"alone": true, "figures": false}})",
    R"({"name": "d", "cluster": "two-racks", "transport": {"kind": "fluid"},
  "workload": {"trace": "coflows-small.txt", "replay": {"limit": 3, "load": 1, "fold": true}},
  "scale": {"model": 0.001}, "output": {"alone": false, "figures": false}})"};

/** Pieces that are worth trying wherever text is inserted. */
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
                                      "\r\n",
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
                                      "srsf-2",
                                      "\t",
                                      ";",
                                      "0",
                                      "1",
                                      "nan",
                                      "inf",
                                      "-",
                                      " ",
                                      "e",
                                      ".",
                                      "0x10",
                                      "1e9"};

/** Values that are worth trying in the place of any other. */
const std::vector<std::string> VALUES{
    "null",
    "true",
    "false",
    "0",
    "1",
    "2",
    "3",
    "7",
    "8",
    "9",
    "62",
    "63",
    "64",
    "65",
    "100",
    "1000",
    "4096",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "-1",
    "0.5",
    "1.5",
    "1e-300",
    "1e300",
    "1e6",
    "-0.0",
    "3.7",
    "[]",
    "{}",
    "[null]",
    "[0]",
    "[1, 2]",
    "[[0, 0]]",
    "[1, 1, 1, 1, 1, 1, 1, 1]",
    "\"\"",
    "\"zzz\"",
    "\"a b\"",
    "\"\\u0000\"",
    "\"\\n\"",
    "\"\\u00e9\"",
    "\"0s\"",
    "\"1fs\"",
    "\"1ns\"",
    "\"1us\"",
    "\"1ms\"",
    "\"1s\"",
    "\"1h\"",
    "\"100y\"",
    "\"101y\"",
    "\"-1s\"",
    "\"0B\"",
    "\"1B\"",
    "\"2B\"",
    "\"100B\"",
    "\"10kB\"",
    "\"1MB\"",
    "\"1TB\"",
    "\"9e18B\"",
    "\"9223372036854775807B\"",
    "\"1bps\"",
    "\"0bps\"",
    "\"1kbps\"",
    "\"1Gbps\"",
    "\"400Gbps\"",
    "\"18446744073709551615bps\"",
    "\"unlimited\"",
    "\"srsf-0\"",
    "\"srsf-1\"",
    "\"srsf-2\"",
    "\"srsf-99999999999999999999\"",
    "\"none\"",
    "\"elastic\"",
    "\"constant-rate\"",
    "\"jobs\"",
    "\"ns3::Node\"",
    "\"VGG19\"",
    "\"ResNet-50\"",
    "\"two-racks\"",
    "{\"type\": \"uniform-random-variable\", \"Min\": 0, \"Max\": 2}",
    "{\"type\": \"exponential-random-variable\", \"Mean\": 1}",
    "{\"type\": \"constant-random-variable\", \"Constant\": 0}",
    "{\"type\": \"constant-random-variable\", \"Constant\": 1e300}",
    "{\"type\": \"normal-random-variable\", \"Mean\": -5, \"Variance\": 1e9}",
    "{\"type\": \"empirical-random-variable\"}",
    "{\"type\": \"deterministic-random-variable\"}",
    "{\"type\": \"sequential-random-variable\", \"Min\": 1, \"Max\": 1}",
    "{\"type\": \"parameter-server\", \"PullRatio\": 0}",
    "{\"bytes\": \"1B\"}",
    "{\"type\": \"hierarchical\", \"Between\": \"tree\"}"};

/** A key of a scenario that chooses a member of a family of policies. */
struct PolicyKey
{
    const char* pointer; //!< JSON pointer
    TypeId family;
    bool isObject; //!< whether its attributes stand beside its type, in an object
};

const std::vector<PolicyKey>&
ListPolicyKeys()
{
    static const std::vector<PolicyKey> keys{
        {"/scheduler/network", NetworkScheduler::GetTypeId(), true},
        {"/scheduler/gate", CommunicationGate::GetTypeId(), true},
        {"/scheduler/jobs", JobQueuePolicy::GetTypeId(), true},
        {"/scheduler/placement", PlacementPolicy::GetTypeId(), true},
        {"/scheduler/scorer", PlacementScorer::GetTypeId(), true},
        {"/scheduler/rounds", RoundScheduler::GetTypeId(), true},
        {"/scheduler/estimator", Estimator::GetTypeId(), true},
        {"/scheduler/tasks", TaskQueuePolicy::GetTypeId(), true},
        {"/scheduler/control", ControlPlane::GetTypeId(), true},
        {"/cluster/topology/routing", PathSelector::GetTypeId(), true},
        {"/cluster/ports/service", QueueScheduler::GetTypeId(), true},
        {"/transport/kind", Transport::GetTypeId(), false},
        {"/transport/congestionControl", RdmaCongestionControl::GetTypeId(), true},
        {"/workload/jobs/0/pattern", CommunicationPattern::GetTypeId(), true},
        {"/workload/cojobs/0/jobs/0/pattern", CommunicationPattern::GetTypeId(), true},
        {"/workload/cojobs/0/search", SearchAlgorithm::GetTypeId(), true},
        {"/workload/compute/jitter", RandomVariableStream::GetTypeId(), true},
        {"/workload/compute/straggler", RandomVariableStream::GetTypeId(), true},
        {"/workload/generator/arrivals", ArrivalProcess::GetTypeId(), true}};
    return keys;
}

/** Keys that are worth trying beside those that are there. */
const std::vector<std::string> KEYS{"zzz",       "type",      "kind",   "preset",   "",
                                    "a/b",       "a~b",       "\n",     "count",    "id",
                                    "extends",   "curve",     "points", "accuracy", "stages",
                                    "placement", "stopAfter", "pfc",    "tooLarge", "successors"};

const std::vector<std::string> PATHS{"seed",
                                     "name",
                                     "cluster",
                                     "cluster.topology.leaves",
                                     "cluster.topology.kind",
                                     "cluster.preset",
                                     "cluster.hosts.gpus",
                                     "cluster.ports.queues",
                                     "cluster.ports.service",
                                     "cluster.ports.weights",
                                     "cluster.ports.weights.2",
                                     "workload.jobs.0.workers",
                                     "workload.jobs.1.model",
                                     "workload.jobs.0.model.bytes",
                                     "workload.jobs.0.model.layers",
                                     "workload.overlap.bucketSize",
                                     "workload.jobs.0.pattern",
                                     "workload.jobs.9.workers",
                                     "workload.jobs",
                                     "workload.generator",
                                     "workload.trace",
                                     "workload.compute.jitter.Variance",
                                     "workload.compute.jitter",
                                     "scheduler.network",
                                     "scheduler.network.type",
                                     "scheduler.gate.N",
                                     "scheduler.period",
                                     "scheduler.placement.Kappa",
                                     "transport.kind",
                                     "transport.mtu",
                                     "transport.minRto",
                                     "transport.congestionControl",
                                     "scale.model",
                                     "stop.time",
                                     "output",
                                     "name.y.z",
                                     "a..b",
                                     "",
                                     ".",
                                     "extends",
                                     "cluster.links.0.at",
                                     "workload.background"};

/** \return all values in a value, itself among them */
void
CollectValues(Json& value, std::vector<Json*>& values)
{
    values.push_back(&value);
    if (value.is_structured())
    {
        for (auto& inner : value)
        {
            CollectValues(inner, values);
        }
    }
}

/** \throws std::logic_error if a refusal is not as a user should read it */
void
CheckRefusal(const InputError& error)
{
    constexpr std::size_t LONGEST_LINE = 20000; // menus of attributes are long
    if (error.GetDiagnostics().empty())
    {
        throw std::logic_error("refused without a word");
    }
    for (const auto& diagnostic : error.GetDiagnostics())
    {
        const std::string line = diagnostic.ToString();
        const bool isOdd = std::any_of(line.begin(), line.end(), [](unsigned char c) {
            return c < 0x20 || c == 0x7F;
        });
        if (isOdd || line.size() > LONGEST_LINE || diagnostic.what.empty() ||
            diagnostic.where.empty())
        {
            throw std::logic_error("a refusal of " + std::to_string(line.size()) +
                                   " bytes that is no line with a place: " + line.substr(0, 200));
        }
    }
}

} // namespace

void
CheckTruncations()
{
    for (const std::string& text : SMALL)
    {
        for (std::size_t length = 0; length < text.size(); ++length)
        {
            try
            {
                JsonDocument::ParseText(text.substr(0, length), "s.json");
            }
            catch (const InputError& error)
            {
                CheckRefusal(error);
                continue;
            }
            throw std::logic_error("accepted: " + text.substr(0, length));
        }
    }
}

void
CheckQuantities(Mutator& mutator, int count)
{
    const std::string alphabet = "0123456789.eE+- GMKkibBpsnumhdy/";
    const TypeId type = UniformRandomVariable::GetTypeId();
    int accepted = 0;
    for (int i = 0; i < count; ++i)
    {
        std::string text = std::to_string(mutator.Below(100));
        for (std::size_t more = mutator.Below(6); more > 0; --more)
        {
            text += alphabet[mutator.Below(alphabet.size())];
        }
        std::string problem;
        const auto rate = ParseRate(text, problem);
        const auto time = ParseDuration(text, problem);
        accepted += rate || time || ParseBytes(text, problem) ? 1 : 0;
        const auto bits = [](const DataRate& read) {
            return static_cast<double>(read.GetBitRate());
        };
        if (rate && std::abs(bits(DataRate(text)) - bits(*rate)) > 1)
        {
            throw std::logic_error("another rate than ns-3's: " + text);
        }
        if (CheckAttribute(type, "Max", text).empty())
        {
            ObjectFactory factory;
            factory.SetTypeId(type);
            factory.Set("Max", StringValue(text)); // would end the program
        }
    }
    if (accepted < count / 200 || accepted > count - count / 200)
    {
        throw std::logic_error(std::to_string(accepted) + " quantities accepted: little is tested");
    }
}

Mutator::Mutator(uint32_t seed)
    : m_engine(seed)
{
}

std::size_t
Mutator::Below(std::size_t end)
{
    return m_engine() % end;
}

const std::string&
Mutator::Pick(const std::vector<std::string>& from)
{
    return from[Below(from.size())];
}

void
Mutator::ChangeBytes(std::string& text)
{
    const std::size_t at = Below(text.size() + 1);
    const std::size_t length = Below(20);
    switch (Below(7))
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
    case 5: { // one digit for another
        const std::size_t digit = text.find_first_of("0123456789", at);
        if (digit != std::string::npos)
        {
            text[digit] = static_cast<char>('0' + Below(10));
        }
        break;
    }
    default:
        text.replace(at, length, Pick(PIECES));
    }
}

void
Mutator::ChangeValue(Json& root)
{
    std::vector<Json*> values;
    CollectValues(root, values);
    Json& value = *values[Below(values.size())];
    switch (Below(8))
    {
    case 0: // a key or an element less
        if (value.is_structured() && !value.empty())
        {
            value.erase(std::next(value.begin(), static_cast<long>(Below(value.size()))));
        }
        break;
    case 1: // one more
        if (value.is_object())
        {
            value[Pick(KEYS)] = Json::parse(Pick(VALUES));
        }
        else if (value.is_array())
        {
            value.push_back(value.empty() ? Json(1) : Json(value[Below(value.size())]));
        }
        break;
    case 2: // the value of another place
        value = Json(*values[Below(values.size())]);
        break;
    case 3: // another number
        if (value.is_number_unsigned())
        {
            value = value.get<uint64_t>() * (1 + Below(3)) + Below(2);
            break;
        }
        [[fallthrough]];
    default:
        value = Json::parse(Pick(VALUES));
    }
}

void
Mutator::ChangePolicy(Json& root)
{
    const PolicyKey& key = ListPolicyKeys()[Below(ListPolicyKeys().size())];
    const Json::json_pointer pointer(key.pointer);
    const Json::json_pointer parent = pointer.parent_pointer();
    if (!root.contains(parent) || !root[parent].is_object())
    {
        return; // a scenario without that part
    }
    const std::string name = Pick(ListPolicies(key.family));
    Json& value = root[pointer];
    value = name;
    const TypeId type = FindPolicy(key.family, name);
    if (!key.isObject || type.GetAttributeN() == 0 || Below(2) == 0)
    {
        return;
    }
    value = {{"type", name}};
    const auto attribute = type.GetAttribute(Below(type.GetAttributeN()));
    value[attribute.name] = Json::parse(Pick(VALUES));
}

std::string
Mutator::Make(InputKind kind)
{
    static const fs::path home = GetHome();
    static const std::vector<std::vector<std::string>> seeds = [] {
        std::vector<std::vector<std::string>> all(INPUT_KINDS);
        all[0] = ReadBelow(home / "scenarios", "scenario.json");
        all[0].insert(all[0].end(), SMALL.begin(), SMALL.end());
        all[1] = ReadBelow(home / "traces", "");
        all[2] = ReadBelow(home / "scenarios", "figure.json");
        return all;
    }();
    std::string text;
    if (kind == InputKind::SETTING)
    {
        text = Pick(PATHS) + (Below(20) == 0 ? "" : "=") + Pick(Below(2) == 0 ? PIECES : VALUES);
    }
    else
    {
        text = Pick(seeds[static_cast<int>(kind)]);
    }
    const bool isJson = kind == InputKind::SCENARIO || kind == InputKind::FIGURE;
    if (isJson && Below(2) == 0)
    {
        Json root = Json::parse(text, nullptr, true, true);
        for (std::size_t i = 0; i <= Below(4); ++i)
        {
            kind == InputKind::FIGURE || Below(3) > 0 ? ChangeValue(root) : ChangePolicy(root);
        }
        return root.dump(1, ' ', false, Json::error_handler_t::replace);
    }
    for (std::size_t i = 0; i <= Below(4); ++i)
    {
        ChangeBytes(text);
    }
    return text;
}

Json
Mutator::MakeSmallScenario()
{
    Json root = Json::parse(Pick(SMALL));
    for (std::size_t i = 0; i <= Below(5); ++i)
    {
        Below(2) == 0 ? ChangeValue(root) : ChangePolicy(root);
    }
    return root;
}

InputReader::InputReader(fs::path folder)
    : m_folder(std::move(folder))
{
}

void
InputReader::Write(const fs::path& file, const std::string& text)
{
    fs::remove(file); // a new file, since to overwrite one may wait for the disk
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    if (!stream.flush())
    {
        throw std::runtime_error("cannot write " + file.string());
    }
    m_file = file;
}

std::optional<Scenario>
InputReader::ReadScenarioText(const std::string& text)
{
    Write(m_folder / "scenario.json", text);
    try
    {
        return ReadScenario({m_file.string()});
    }
    catch (const InputError& error)
    {
        CheckRefusal(error);
        return std::nullopt;
    }
}

bool
InputReader::Read(InputKind kind, const std::string& text)
{
    try
    {
        if (kind == InputKind::FIGURE)
        {
            Write(m_folder / "figure.json", text);
            ReadPaperFigure(m_folder.string(), FigureVariant::FULL);
            ReadPaperFigure(m_folder.string(), FigureVariant::QUICK);
            ReadPaperFigure(m_folder.string(), FigureVariant::ALL);
            return true;
        }
        ScenarioRequest request;
        request.scenario = (m_folder / "base.json").string();
        if (kind == InputKind::SCENARIO)
        {
            request.scenario = (m_folder / "scenario.json").string();
            Write(request.scenario, text);
        }
        else if (kind == InputKind::TRACE)
        {
            Write(request.scenario,
                  R"({"name": "t", "cluster": {"topology": {"kind": "single-switch", "hosts": 64}},
                      "workload": {"trace": "trace", "replay": {"tooLarge": "skip"}}})");
            Write(m_folder / "trace", text);
        }
        else
        {
            Write(request.scenario, SMALL[0]);
            Write(m_folder / "setting", text);
            request.settings = {text};
        }
        const Scenario scenario = ReadScenario(request);
        FormatScenario(scenario);
        MakeForecast(WorkloadSample(scenario));
        return true;
    }
    catch (const InputError& error)
    {
        CheckRefusal(error);
        return false;
    }
}

} // namespace ns3::ddl
