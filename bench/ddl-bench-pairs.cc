// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-bench-pairs.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

namespace ns3::ddl
{

namespace
{

constexpr const char* REPEAT = R"({
  "name": "repeat",
  "cluster": {"topology": {"kind": "single-switch", "hosts": 16}, "hosts": {"gpus": 1}},
  "workload": {"jobs": [
    {"iterations": 1000, "workers": 8, "pattern": "ring",
     "model": {"name": "a", "bytes": "500kB", "forward": "200us", "backward": "400us"},
     "placement": {"workers": [[0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [5, 0], [6, 0], [7, 0]]}},
    {"iterations": 1000, "workers": 8, "pattern": "ring",
     "model": {"name": "b", "bytes": "1MB", "forward": "100us", "backward": "200us"},
     "placement": {"workers": [[8, 0], [9, 0], [10, 0], [11, 0], [12, 0], [13, 0], [14, 0], [15, 0]]}}
  ]},
  "output": {"alone": false, "figures": false}
}
)";

constexpr const char* SAMPLED = R"({
  "name": "sampled",
  "cluster": {"topology": {"kind": "single-switch", "hosts": 4}, "hosts": {"gpus": 2}},
  "workload": {"jobs": [
    {"iterations": 500, "workers": 4, "pattern": "ring",
     "model": {"name": "a", "bytes": "10MB", "forward": "2ms", "backward": "4ms"},
     "placement": {"workers": [[0, 0], [1, 0], [2, 0], [3, 0]]}},
    {"iterations": 500, "workers": 4, "pattern": "ring",
     "model": {"name": "b", "bytes": "7MB", "forward": "3ms", "backward": "5ms"},
     "placement": {"workers": [[0, 1], [1, 1], [2, 1], [3, 1]]}}
  ]},
  "output": {"alone": false, "figures": false}
}
)";

constexpr const char* WAITING = R"({
  "name": "waiting",
  "cluster": {"topology": {"kind": "single-switch", "hosts": 64}, "hosts": {"gpus": 1}},
  "scheduler": {"jobs": "srsf"},
  "workload": {"generator": {
    "kind": "jobs", "jobs": 1000, "sizes": [[4, 1]], "servers": 0, "pattern": "ring",
    "models": [{"name": "m", "bytes": "100kB", "forward": "100us", "backward": "200us"}],
    "iterations": {"type": "uniform-random-variable", "Min": 1, "Max": 3}
  }},
  "output": {"alone": false, "figures": false}
}
)";

} // namespace

std::string
BenchPair::GetName(std::size_t run) const
{
    std::string name = work + "-" + transport + "-" + runs[run].name;
    std::replace(name.begin(), name.end(), ' ', '-');
    return name;
}

std::vector<std::string>
ListBenchPairWorks()
{
    return {"repeat", "sampled", "waiting"};
}

std::vector<BenchPair>
ListBenchPairs()
{
    std::vector<BenchPair> pairs;
    for (const char* const transport : {"fluid", "rdma"})
    {
        pairs.push_back(
            {"repeat", transport, REPEAT, {{{"leaps", {"leap={}"}}, {"every iteration", {}}}}});
    }
    pairs.push_back({"sampled",
                     "rdma",
                     SAMPLED,
                     {{{"sampled", {"fidelity=sampled"}}, {"all on packets", {}}}}});
    for (const char* const transport : {"fluid", "rdma"})
    {
        pairs.push_back({"waiting",
                         transport,
                         WAITING,
                         {{{"1000 jobs", {}}, {"10000 jobs", {"workload.generator.jobs=10000"}}}}});
    }
    return pairs;
}

double
ReadCpuSeconds(const std::filesystem::path& folder)
{
    std::ifstream file(folder / "cost.json");
    const auto cost = nlohmann::json::parse(file, nullptr, false);
    if (!cost.is_object() || !cost.contains("cpu_s"))
    {
        throw RunError((folder / "cost.json").string() + " has no cpu_s");
    }
    return cost["cpu_s"].get<double>() + cost.value("sampling_cpu_s", 0.0);
}

} // namespace ns3::ddl
