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

constexpr double RATE = 28.8e12;               // bits per second of every link
constexpr double PACKET = 9038;                // bytes on the wire, framing included
constexpr double PAYLOAD = 9000 - 40;          // of a packet; rdma has 4 bytes less
constexpr uint32_t WINDOW = uint32_t{1} << 28; // bytes; 28.8 Tbps x 35 us are 126 MB

/** \return "[[0, 0], [8, 0], ...]" */
std::string
ListWorkers(const RingPlace& place)
{
    std::string list;
    for (uint32_t worker = 0; worker < RING_WORKERS; ++worker)
    {
        list += (list.empty() ? "[[" : ", [") + std::to_string(worker * place.stride) + ", 0]";
    }
    return list + "]";
}

} // namespace

const std::vector<RingPlace>&
ListRingPlaces()
{
    static const std::vector<RingPlace> places = {{"server", 1, 0.04e-6, 2, 0},
                                                  {"rack", 8, 0.85e-6, 4, 1},
                                                  {"network", 64, 17.5e-6, 6, 2}};
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
    constexpr uint32_t STEPS = 2 * (RING_WORKERS - 1);
    const double byteSeconds = PACKET / PAYLOAD * 8 / RATE;
    const BucketPlan plan(model, overlap);
    double ready = model.forward.GetSeconds();
    double before = 0; // end of the layer before
    double end = 0;
    for (uint32_t bucket = 0; bucket < plan.GetCount(); ++bucket)
    {
        if (bucket < plan.GetTasks())
        {
            ready += plan.GetTime(model.backward, bucket).GetSeconds();
        }
        const double bytes = static_cast<double>(plan.GetBytes()[bucket]) / RING_WORKERS;
        const double packets = bytes + (place.links - 1) * std::min(bytes, PAYLOAD);
        const double all = STEPS * (place.seconds + packets * byteSeconds);
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
        "workload.jobs.0.model=" + model,
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
