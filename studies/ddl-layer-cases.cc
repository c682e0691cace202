// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-layer-cases.h"

#include "ns3/config.h"
#include "ns3/ddl-bucket-plan.h"
#include "ns3/ddl-cluster-simulation.h"
#include "ns3/ddl-error.h"
#include "ns3/ddl-scenario-reader.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::ddl
{

namespace
{

constexpr double PACKET = 9038;                // bytes of a packet on the wire, framing included
constexpr double PAYLOAD = 9000 - 40;          // payload bytes of a packet; with rdma 4 fewer
constexpr uint32_t WINDOW = uint32_t{1} << 28; // bytes in flight; 28.8 Tbps x 35 us are 126 MB

using Hosts = std::vector<uint32_t>;

/** \return JSON of the workers' hosts and GPUs: "[[0, 0], [8, 0], ...]" */
std::string
ListWorkers(const RingPlace& place)
{
    std::string list;
    for (const uint32_t host : place.hosts)
    {
        list += (list.empty() ? "[[" : ", [") + std::to_string(host) + ", 0]";
    }
    return list + "]";
}

/** \return time of a step from a worker to the next one, seconds */
double
GetStep(const RingTier& tier, double bytes)
{
    const double slowest = *std::min_element(tier.rates.begin(), tier.rates.end());
    double wire = (bytes - std::min(bytes, PAYLOAD)) / slowest;
    for (const double rate : tier.rates)
    {
        wire += std::min(bytes, PAYLOAD) / rate;
    }
    return tier.seconds + PACKET / PAYLOAD * 8 * wire;
}

} // namespace

const std::vector<RingPlace>&
ListRingPlaces()
{
    constexpr double PRINTED = 28.8e12; // bits per second of every link
    const RingTier four{4, 0.01e-6, {4.8e12, 4.8e12}};
    static const std::vector<RingPlace> places = {
        {"server",
         "dally-printed",
         "ring",
         Hosts{0, 1, 2, 3, 4, 5, 6, 7},
         {{8, 0.04e-6, std::vector<double>(2, PRINTED)}},
         0},
        {"rack",
         "dally-printed",
         "ring",
         Hosts{0, 8, 16, 24, 32, 40, 48, 56},
         {{8, 0.85e-6, std::vector<double>(4, PRINTED)}},
         1},
        {"network",
         "dally-printed",
         "ring",
         Hosts{0, 64, 128, 192, 256, 320, 384, 448},
         {{8, 17.5e-6, std::vector<double>(6, PRINTED)}},
         2},
        {"server",
         "dally-authors",
         "tiered-ring",
         Hosts{0, 1, 2, 3, 4, 5, 6, 7},
         {{8, 0.01e-6, {4.8e12, 4.8e12}}},
         0},
        {"rack",
         "dally-authors",
         "tiered-ring",
         Hosts{0, 1, 2, 3, 8, 9, 10, 11},
         {four, {2, 5.01e-6, {4.8e12, 1.6e12, 1.6e12, 4.8e12}}},
         1},
        {"network",
         "dally-authors",
         "tiered-ring",
         Hosts{0, 1, 2, 3, 64, 65, 66, 67},
         {four, {2, 100.01e-6, {4.8e12, 1.6e12, 3.2e12, 3.2e12, 1.6e12, 4.8e12}}},
         2}};
    return places;
}

const std::vector<TableRow>&
ListTableRows()
{
    static const std::vector<TableRow> rows = {{"Dally-VGG11", {1, 6, 7}},
                                               {"Dally-AlexNet", {2, 13, 100}},
                                               {"Dally-MobileNetV3", {42, 940, 19592}},
                                               {"Dally-ResNet18", {7, 116, 2749}},
                                               {"Dally-ResNet50", {12, 12, 38}},
                                               {"Dally-BERT-large", {8, 23, 715}}};
    return rows;
}

double
GetIterationForm(const ModelProfile& model, const OverlapSpec& overlap, const RingPlace& place)
{
    const BucketPlan plan(model, overlap);
    double ready = model.forward.GetSeconds();
    double before = 0; // end of the all-reduce of the layer before
    double end = 0;
    for (uint32_t bucket = 0; bucket < plan.GetCount(); ++bucket)
    {
        if (bucket < plan.GetTasks())
        {
            ready += plan.GetTime(model.backward, bucket).GetSeconds();
        }
        double all = 0;
        double bytes = static_cast<double>(plan.GetBytes()[bucket]);
        for (const RingTier& tier : place.tiers)
        {
            bytes /= tier.workers;
            all += 2 * (tier.workers - 1) * GetStep(tier, bytes);
        }
        before = (overlap.serial ? std::max(before, ready) : ready) + all;
        end = std::max(end, before);
    }
    return end;
}

double
MeasureIteration(const std::string& model,
                 const OverlapSpec& overlap,
                 const RingPlace& place,
                 const std::string& transport)
{
    Config::SetDefault("ns3::ddl::FixedRdmaCongestionControl::Window", UintegerValue(WINDOW));
    std::vector<std::string> settings = {
        "cluster=" + place.cluster,
        "workload.jobs.0.model=" + model,
        "workload.jobs.0.pattern=" + place.pattern,
        "workload.jobs.0.placement={\"workers\": " + ListWorkers(place) + "}",
        std::string("workload.overlap.order=") + (overlap.serial ? "serial" : "concurrent"),
        std::string("workload.overlap.backward=") + (overlap.backward ? "true" : "false"),
        "transport.kind=" + transport};
    if (transport == "rdma")
    {
        settings.emplace_back("transport.congestionControl=fixed");
    }
    ClusterSimulation simulation(ReadScenario({"dally-table-1", settings}));
    const RunResult result = simulation.Run();
    if (result.status != RunResult::Status::DONE || result.iterations.size() != 2)
    {
        throw RunError(model + " on " + transport + " has not ended");
    }
    const auto& last = result.iterations[1];
    return (last.end - last.start).GetSeconds();
}

double
GetExposedPercent(const ModelProfile& model, double iterationSeconds)
{
    const double compute = (model.forward + model.backward).GetSeconds();
    return 100 * (iterationSeconds - compute) / compute;
}

} // namespace ns3::ddl
