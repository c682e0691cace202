// SPDX-License-Identifier: GPL-2.0-only
#include "app/process/ddl-program.h"
#include "ddl-bench-fabric.h"
#include "ddl-bench-stock.h"

#include "ns3/command-line.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-quantity.h"
#include "ns3/global-value.h"

#include <iostream>
#include <nlohmann/json.hpp>

using namespace ns3::ddl;

namespace
{

uint64_t
ReadBytes(const Arguments& arguments)
{
    std::string problem;
    const auto bytes = ParseBytes(arguments.Get("bytes", "480MB"), problem);
    if (!bytes)
    {
        throw InputError("--bytes: " + problem);
    }
    return *bytes;
}

/** Set ns-3's own event list, with which stock ns-3 is measured; our programs set another. */
void
ResetScheduler()
{
    for (auto it = ns3::GlobalValue::Begin(); it != ns3::GlobalValue::End(); ++it)
    {
        if ((*it)->GetName() == "SchedulerType")
        {
            (*it)->ResetInitialValue();
        }
    }
}

void
Print(const BenchWork& work, const BenchMeasure& measure)
{
    using Json = nlohmann::ordered_json;
    Json json;
    json["bytes"] = measure.bytes;
    json["simulated_s"] = (measure.end - measure.start).GetSeconds();
    json["goodput_gbps_per_host"] = static_cast<double>(measure.bytes) * 8e-9 / work.GetHosts() /
                                    (measure.end - measure.start).GetSeconds();
    json["data_hops"] = measure.dataHops ? Json(*measure.dataHops) : Json(nullptr);
    json["drops"] = measure.drops ? Json(*measure.drops) : Json(nullptr);
    json["events"] = measure.events;
    json["cpu_s"] = measure.cpuSeconds;
    json["setup_cpu_s"] = measure.setupSeconds;
    json["peak_mb"] = static_cast<double>(measure.peakBytes) * 1e-6;
    std::cout << json.dump() << std::endl;
}

} // namespace

/** One case of the benchmark in this process: what `./ddl bench` starts, and what to profile. */
int
main(int argc, char* argv[])
{
    Arguments arguments("ddl-bench-case",
                        "One case of the benchmark, measured; prints one line of JSON.");
    arguments.AddWord("WORK", "one of " + JoinNames(ListBenchWorks()));
    arguments.AddWord("TRANSPORT", "stock, or the short name of a transport");
    arguments.AddOption("hosts", "N", "16 by default");
    arguments.AddOption("mtu", "N", "bytes of the largest packet, 1500 by default");
    arguments.AddOption("bytes", "SIZE", "of the application in all, 480MB by default");
    arguments.PassOnNs3();
    return RunProgram(arguments, argc, argv, [&arguments] {
        const std::string transport = arguments.Get("TRANSPORT");
        if (transport == "stock")
        {
            ResetScheduler();
        }
        std::vector<std::string> words = {"ddl-bench-case"};
        words.insert(words.end(), arguments.GetNs3().begin(), arguments.GetNs3().end());
        ns3::CommandLine(__FILE__).Parse(words);
        const auto work =
            MakeBenchWork(arguments.Get("WORK"),
                          static_cast<uint32_t>(arguments.GetNumber("hosts", 16, 4, 4096)),
                          static_cast<uint32_t>(arguments.GetNumber("mtu", 1500, 576, 9000)),
                          ReadBytes(arguments));
        const auto measure = transport == "stock" ? RunOnStock(work) : RunOnFabric(work, transport);
        RequireDelivered(work, measure);
        Print(work, measure);
        return 0;
    });
}
