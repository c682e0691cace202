// SPDX-License-Identifier: GPL-2.0-only
#include "app/graph/ddl-graph-chart.h"
#include "app/graph/ddl-graph-report.h"
#include "app/json/ddl-json-policy.h"
#include "app/plot/ddl-figure.h"
#include "app/process/ddl-program.h"

#include "ns3/ddl-graph-format.h"
#include "ns3/ddl-plugin.h"
#include "ns3/ddl-quantity.h"

#include <iostream>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

Arguments
MakeArguments()
{
    Arguments arguments("ddl graph",
                        "What a task graph contains: ranks, nodes, bytes, and its critical path. "
                        "What is wrong with its files is said with file, line or node, and peer.");
    arguments.AddWord(
        "FILE",
        "a file; of chakra, those of all ranks or their prefix, and a .json of groups",
        1,
        Arguments::ANY_NUMBER);
    arguments.AddOption("format",
                        "NAME",
                        "one of " + JoinNames(ListPolicies(GraphFormat::GetTypeId())) +
                            " (default: by the first file)");
    arguments.AddOptions("set", "NAME=VALUE", "an attribute of the format");
    arguments.AddOption("rate", "RATE", "rate of each rank (default: transfers take no time)");
    arguments.AddOption("latency", "TIME", "latency of a message, or of a step of a collective");
    arguments.AddFlag("json", "print JSON: bytes, times in s, a row for each collective and group");
    arguments.AddOption("out", "DIR", "draw the timeline of a small graph there: graph.svg");
    arguments.AddOptions("plugin", "FILE", "shared library with formats of your own");
    arguments.SetNotes(
        "Transfers of an ideal network do not disturb each other. With --rate, all-reduces,\n"
        "all-gathers and reduce-scatters are rings, all-to-alls direct, broadcasts chains.\n"
        "Once all files can be read, the graph is checked as a whole.\n"
        "Exit status: 0 read; 2 the files are wrong.\n");
    return arguments;
}

Ptr<GraphFormat>
MakeFormat(const Arguments& arguments, const std::string& name)
{
    PolicySpec spec{name, {}, "--format"};
    std::vector<Diagnostic> diagnostics;
    for (const auto& setting : arguments.GetAll("set"))
    {
        const auto equals = setting.find('=');
        if (equals == std::string::npos)
        {
            diagnostics.push_back({"--set", "", "must be NAME=VALUE, is " + QuoteText(setting)});
            continue;
        }
        spec.attributes.push_back({setting.substr(0, equals), setting.substr(equals + 1), "--set"});
    }
    const ObjectFactory factory = spec.MakeFactory(GraphFormat::GetTypeId(), diagnostics);
    if (!diagnostics.empty())
    {
        throw InputError(diagnostics);
    }
    return factory.Create<GraphFormat>();
}

IdealNetwork
ReadNetwork(const Arguments& arguments)
{
    IdealNetwork network;
    std::vector<Diagnostic> diagnostics;
    std::string problem;
    if (arguments.Has("rate"))
    {
        const auto rate = ParseRate(arguments.Get("rate"), problem);
        rate ? void(network.rate = *rate) : diagnostics.push_back({"--rate", "", problem});
    }
    if (arguments.Has("latency"))
    {
        const auto latency = ParseDuration(arguments.Get("latency"), problem);
        const bool isRight = latency && !latency->IsStrictlyNegative();
        problem = latency ? "must be 0 or more" : problem;
        isRight ? void(network.latency = *latency)
                : diagnostics.push_back({"--latency", "", problem});
    }
    if (!diagnostics.empty())
    {
        throw InputError(diagnostics);
    }
    return network;
}

/** Draw the timeline. \return exit status */
int
Draw(const TaskGraph& graph, const IdealNetwork& network, const std::string& folder)
{
    PictureStyle style;
    style.formats = {"svg"};
    const auto drawn = DrawChart("graph", MakeGraphChart(graph, network), folder, style);
    for (const auto& warning : drawn.warnings)
    {
        std::cerr << warning << "\n";
    }
    for (const auto& warning : drawn.empty)
    {
        std::cerr << warning << "\n";
    }
    for (const auto& picture : drawn.pictures)
    {
        std::cerr << picture.string() << "\n";
    }
    return drawn.pictures.empty() ? 1 : 0;
}

} // namespace

/** Prints what a task graph contains. */
int
main(int argc, char** argv)
{
    SettleTimes();
    auto arguments = MakeArguments();
    return RunProgram(arguments, argc, argv, [&arguments] {
        LoadPlugins(arguments.GetAll("plugin"));
        const IdealNetwork network = ReadNetwork(arguments);
        const auto files = OpenGraphFiles(arguments.GetAll("FILE"));
        const std::string name =
            arguments.Has("format") ? arguments.Get("format") : FindGraphFormat(files);
        const TaskGraph graph = MakeFormat(arguments, name)->Read(files);
        const GraphReport report = DescribeGraph(graph, name, network);
        if (arguments.Has("json"))
        {
            std::cout << DumpJson(ToJson(report));
        }
        else
        {
            PrintGraphReport(report, network, std::cout);
        }
        return arguments.Has("out") ? Draw(graph, network, arguments.Get("out")) : 0;
    });
}
