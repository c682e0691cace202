// SPDX-License-Identifier: GPL-2.0-only
// What could a simulator skip inside transfers? (doc/steady.md)
#include "app/process/ddl-program.h"
#include "ddl-steady-recorder.h"

#include "ns3/ddl-cluster-simulation.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-scenario-reader.h"
#include "ns3/ddl-statistics.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <numeric>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Simulated times. */
struct Slice
{
    std::string begin{"0s"};
    std::string end; //!< "": the run's own
};

/** Slices of runs that differ in transport and seed. */
struct Input
{
    std::string name;
    std::string scenario;
    std::vector<std::string> settings;
    Slice rdma;
    Slice tcp;
    uint32_t seeds{1}; //!< seeds 1 to this one
};

const std::string LEAF_SPINE = R"(cluster.topology={"kind": "leaf-spine", "hostRate": "10Gbps",
    "fabricRate": "10Gbps", "delay": "1us", "hostsPerLeaf": 8, "spines": 8, "leaves": )";

std::vector<std::string>
DescribeRing(uint32_t ranks, const std::string& bytes, const std::string& placement)
{
    const std::string count = std::to_string(ranks);
    return {LEAF_SPINE + std::to_string(ranks / 8) + "}",
            "scheduler.placement=" + placement,
            R"(workload.jobs=[{"model": {"name": "ring", "bytes": ")" + bytes +
                R"("}, "pattern": "ring", "iterations": 1, "workers": )" + count + "}]"};
}

/** Sixteen hosts of one switch send 20 MB each to another. */
std::vector<std::string>
DescribeIncast()
{
    std::string hosts;
    for (int host = 1; host <= 16; ++host)
    {
        hosts += (hosts.empty() ? "[" : ", [") + std::to_string(host) + ", 0]";
    }
    return {R"(cluster.topology={"kind": "single-switch", "hosts": 17, "hostRate": "10Gbps"})",
            R"(workload.jobs=[{"model": {"name": "incast", "bytes": "320MB"}, "pattern": "shuffle",
                "iterations": 1, "workers": 16, "servers": 1,
                "placement": {"servers": [0], "workers": [)" +
                hosts + "]}}]"};
}

/** Jobs arrive at once, so that a slice need not begin hours later. */
std::vector<Input>
ListInputs()
{
    const std::string arrivals =
        R"(workload.generator.arrivals={"type": "uniform", "Window": "2s"})";
    return {
        {"grouper-testbed",
         "grouper-full-size",
         {"fidelity=packets", arrivals},
         {"4s", "34s"},
         {"2s", "3s"},
         3},
        {"ada-srsf-160",
         "ada-srsf-160",
         {"scale.model=1", "scale.iterations=1", arrivals},
         {"3s", "33s"},
         {"1s", "2s"},
         3},
        {"ring-32", "permutation", DescribeRing(32, "16129032B", "first-fit"), {}, {}, 1},
        {"ring-128", "permutation", DescribeRing(128, "3937008B", "first-fit"), {}, {}, 1},
        {"ring-32-long",
         "permutation",
         DescribeRing(32, "1GB", "first-fit"),
         {"0s", "400ms"},
         {"0s", "120ms"},
         1},
        {"ring-128-long",
         "permutation",
         DescribeRing(128, "1GB", "first-fit"),
         {"0s", "100ms"},
         {"0s", "20ms"},
         1},
        {"ring-32-random",
         "permutation",
         DescribeRing(32, "1GB", "random"),
         {"0s", "400ms"},
         {"0s", "120ms"},
         3},
        {"incast", "permutation", DescribeIncast(), {}, {}, 1},
        {"permutation", "permutation", {}, {}, {}, 3},
    };
}

constexpr double ANY = std::numeric_limits<double>::infinity(); //!< tolerance of any rates
constexpr uint32_t DIGITS = 4;
constexpr uint32_t MOST_SEEDS = 1000;
constexpr const char* HEADER =
    "input,transport,seeds,streams,smoothing_rtts,tolerance_percent,length_rtts,steady_share,"
    "while_share,while_ci95,while_factor,while_error,"
    "until_share,until_ci95,until_factor,until_error";

/** Rules under which no time is steady by its length alone. */
std::vector<SteadyRule>
ListRules()
{
    std::vector<SteadyRule> rules;
    for (const std::size_t length : {10, 30, 100, 300})
    {
        rules.push_back({ANY, 1, length});
        for (const std::size_t smoothing : {1, 10, 100})
        {
            for (const double tolerance : {0.01, 0.02, 0.05})
            {
                for (const bool together : {false, true})
                {
                    if (length >= 3 * smoothing && length <= 100 * smoothing)
                    {
                        rules.push_back({tolerance, smoothing, length, together});
                    }
                }
            }
        }
    }
    return rules;
}

/** What a simulator skips under a rule: shares of all byte-hops by seed, bytes of all seeds. */
struct Skipped
{
    std::vector<double> shares;
    double bytes{0};
    double error{0};

    void Add(const SteadySum::Skipped& skipped, double all)
    {
        shares.push_back(skipped.byteHops / all);
        bytes += skipped.bytes;
        error += skipped.error;
    }

    void Print() const
    {
        const Estimate share = EstimateMean(shares);
        std::cout << "," << share.mean << "," << share.halfWidth.value_or(0) << ","
                  << 1 / (1 - share.mean) << "," << (bytes > 0 ? error / bytes : 0);
    }
};

/** What a rule gives in an input. */
struct RuleResult
{
    std::vector<double> steady; //!< shares of all byte-hops by seed
    Skipped whileSteady;
    Skipped untilChange;
};

double
GetByteHops(const Stretch& stretch)
{
    double sum = 0;
    for (std::size_t i = 0; i < stretch.bytes.size(); ++i)
    {
        sum += stretch.hops[i] *
               std::accumulate(stretch.bytes[i].begin(), stretch.bytes[i].end(), 0.0);
    }
    return sum;
}

/** Run a slice with one seed, and add its shares to those of each rule. */
void
RunOnce(const Input& input,
        const std::string& transport,
        uint32_t seed,
        const std::vector<SteadyRule>& rules,
        std::vector<RuleResult>& results)
{
    ScenarioRequest request{input.scenario, input.settings, {}, std::to_string(seed)};
    request.settings.insert(
        request.settings.end(),
        {"transport.kind=" + transport, "output.alone=false", "output.figures=false"});
    const Slice& slice = transport == "tcp" ? input.tcp : input.rdma;
    if (!slice.end.empty())
    {
        request.settings.push_back("stop.time=" + slice.end);
    }
    ClusterSimulation simulation(ReadScenario(request));
    const auto cluster = simulation.GetTrainingCluster();
    const double packet = cluster->GetFabric()->GetHostPort(HostId{0})->GetMtu();
    std::vector<SteadySum> sums(rules.size());
    uint64_t stretches = 0;
    double size = 0;
    StretchFinder finder([&](const Stretch& stretch) {
        ++stretches;
        size += static_cast<double>(stretch.bytes.size()) * GetByteHops(stretch);
        for (std::size_t i = 0; i < rules.size(); ++i)
        {
            sums[i] += MeasureStretch(stretch, rules[i], packet);
        }
    });
    const SteadyRecorder recorder(cluster, Time(slice.begin), finder);
    const RunResult result = simulation.Run();
    finder.Finish();
    const double all = finder.GetByteHops();
    for (std::size_t i = 0; i < rules.size(); ++i)
    {
        results[i].steady.push_back(sums[i].steady / all);
        results[i].whileSteady.Add(sums[i].whileSteady, all);
        results[i].untilChange.Add(sums[i].untilChange, all);
    }
    std::cout << "# " << input.name << "," << transport << "," << seed << ": until "
              << result.end.GetSeconds() << " s, RTT "
              << recorder.GetWindow().GetNanoSeconds() / 1e3 << " us, "
              << recorder.GetPacketHops() / 1e6 << " M packet-hops, payload "
              << recorder.GetCoverage(all) << " of bytes at ports, " << stretches
              << " stretches of " << size / all
              << " streams (weighted), share in windows with a change "
              << finder.GetChanging() / all << ", " << result.cpuSeconds << " CPU s" << std::endl;
}

void
Study(const Input& input, const std::string& transport)
{
    const std::vector<SteadyRule> rules = ListRules();
    std::vector<RuleResult> results(rules.size());
    for (uint32_t seed = 1; seed <= input.seeds; ++seed)
    {
        RunOnce(input, transport, seed, rules, results);
    }
    for (std::size_t i = 0; i < rules.size(); ++i)
    {
        const SteadyRule& rule = rules[i];
        std::cout << input.name << "," << transport << "," << input.seeds << ","
                  << (rule.together ? "sum" : "each") << "," << rule.smoothing << ","
                  << (rule.tolerance == ANY ? "any"
                                            : std::to_string(std::lround(100 * rule.tolerance)))
                  << "," << rule.length << "," << EstimateMean(results[i].steady).mean;
        results[i].whileSteady.Print();
        results[i].untilChange.Print();
        std::cout << std::endl;
    }
}

/** \return the transports that the command line asks for \throws InputError for others */
std::vector<std::string>
ChooseTransports(const Arguments& arguments)
{
    const std::string name = arguments.Get("transport");
    if (name.empty())
    {
        return {"rdma", "tcp"};
    }
    if (name != "rdma" && name != "tcp")
    {
        throw InputError({{"--transport", "", name + " is neither rdma nor tcp"}});
    }
    return {name};
}

/** \return the inputs that the command line asks for, with its settings */
std::vector<Input>
ChooseInputs(const Arguments& arguments)
{
    std::vector<Input> inputs = ListInputs();
    if (arguments.Has("INPUT"))
    {
        const std::string name = arguments.Get("INPUT");
        const auto known = std::find_if(inputs.begin(), inputs.end(), [&name](const Input& each) {
            return each.name == name;
        });
        inputs = {known == inputs.end() ? Input{name, name, {}, {}, {}, 1} : Input(*known)};
    }
    for (Input& input : inputs)
    {
        const auto& settings = arguments.GetAll("set");
        input.settings.insert(input.settings.end(), settings.begin(), settings.end());
        input.seeds =
            static_cast<uint32_t>(arguments.GetNumber("seeds", input.seeds, 1, MOST_SEEDS));
        for (Slice* slice : {&input.rdma, &input.tcp})
        {
            *slice = {arguments.Get("begin", slice->begin), arguments.Get("end", slice->end)};
        }
    }
    return inputs;
}

} // namespace

int
main(int argc, char** argv)
{
    SettleTimes();
    Arguments arguments("ddl study steady", "What could a simulator skip inside transfers?");
    arguments.AddWord("INPUT",
                      "an input of doc/steady.md, or a scenario; default: all inputs",
                      0,
                      1);
    arguments.AddOption("transport", "NAME", "rdma or tcp; default: both");
    arguments.AddOptions("set", "PATH=VALUE", "set a key of the scenario by its dotted path");
    arguments.AddOption("begin", "TIME", "simulated time at which the slice begins");
    arguments.AddOption("end", "TIME", "simulated time at which it ends");
    arguments.AddOption("seeds", "N", "seeds 1 to N; default: 3 where there is randomness, else 1");
    return RunProgram(arguments, argc, argv, [&arguments]() {
        const std::vector<std::string> transports = ChooseTransports(arguments);
        std::cout.precision(DIGITS);
        std::cout << HEADER << std::endl;
        for (const Input& input : ChooseInputs(arguments))
        {
            for (const std::string& transport : transports)
            {
                Study(input, transport);
            }
        }
        return 0;
    });
}
