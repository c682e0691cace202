// SPDX-License-Identifier: GPL-2.0-only
#include "app/process/ddl-program.h"
#include "app/topology/ddl-topology-report.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-network-format.h"
#include "ns3/ddl-plugin.h"

#include <iostream>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

Arguments
MakeArguments()
{
    Arguments arguments("ddl topology",
                        "What a network contains: hosts, switches, cables, lengths of paths, "
                        "oversubscription; or the network in another format. Everything that is "
                        "wrong with a file is said with line and node.");
    arguments.AddWord("NETWORK",
                      "a file, a topology (" + JoinNames(ListPolicies(Topology::GetTypeId())) +
                          "), or a scenario");
    arguments.AddOption("format",
                        "NAME",
                        "format of the file, one of " +
                            JoinNames(ListPolicies(NetworkFormat::GetTypeId())) +
                            " (default: by its beginning)");
    arguments.AddOptions("set",
                         "NAME=VALUE",
                         "an attribute of the topology, or of `graph` for a file; a key of the "
                         "scenario by its dotted path");
    arguments.AddOption("to", "NAME", "print it in a format: " + JoinNames(ListWritableFormats()));
    arguments.AddFlag("pairs", "print CSV: links and slowest rate between all pairs of hosts");
    arguments.AddOptions("plugin", "FILE", "shared library with topologies or formats of your own");
    arguments.SetNotes("./ddl topology fat-tree --set=k=8 --to=svg >fat-tree.svg draws a picture.\n"
                       "Exit status: 0 read; 2 the network is wrong.\n");
    return arguments;
}

/** \return the network with rates and delays of all links, as formats need it */
Ptr<NetworkGraph>
Complete(const NamedNetwork& network)
{
    const auto complete = Create<NetworkGraph>();
    complete->nodes = network.graph->nodes;
    complete->links = network.graph->links;
    for (NetworkLink& link : complete->links)
    {
        const bool isHost = complete->nodes[link.first].kind == NetworkNode::Kind::HOST ||
                            complete->nodes[link.second].kind == NetworkNode::Kind::HOST;
        const Time delay =
            isHost ? network.spec.hostDelay.value_or(network.spec.delay) : network.spec.delay;
        link.rate = link.rate.value_or(network.spec.hostRate);
        link.delay = link.delay.value_or(delay);
    }
    return complete;
}

} // namespace

/** Prints what a network contains, or writes it in another format. */
int
main(int argc, char** argv)
{
    SettleTimes();
    auto arguments = MakeArguments();
    return RunProgram(arguments, argc, argv, [&arguments] {
        LoadPlugins(arguments.GetAll("plugin"));
        const auto network = FindNetwork(arguments.Get("NETWORK"),
                                         arguments.Get("format", "auto"),
                                         arguments.GetAll("set"));
        if (arguments.Has("to"))
        {
            CreatePolicy<NetworkFormat>(arguments.Get("to"))->Write(*Complete(network), std::cout);
        }
        if (arguments.Has("pairs"))
        {
            PrintPairs(network, std::cout);
        }
        if (!arguments.Has("to") && !arguments.Has("pairs"))
        {
            PrintNetwork(network, std::cout);
        }
        return 0;
    });
}
