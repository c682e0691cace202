// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-summary.h"

#include "ddl-csv-writer.h"
#include "ddl-metric.h"
#include "ddl-result-tables.h"
#include "ddl-safe-file.h"
#include "ddl-statistics.h"

#include "ns3/ddl-regression-error.h"
#include "ns3/ddl-version.h"

#include <nlohmann/json.hpp>

namespace ns3::ddl
{

namespace
{

using Json = nlohmann::ordered_json;

/** \return a number with nine significant digits, so that the last bit of a double never makes two
 * files differ */
Json
Real(double number)
{
    return Json::parse(FormatReal(number));
}

/** \return JSON as text. Text that is not UTF-8, which only a program's own scenario can have, is
 * no error */
std::string
Dump(const Json& json)
{
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/** \return the description of a metric; just `count` when there are no values */
Json
DescribeMetric(std::vector<double> values)
{
    const Distribution d = Describe(std::move(values));
    if (d.count == 0)
    {
        return {{"count", 0}};
    }
    Json json;
    for (const auto& [name, value] : STATISTICS)
    {
        json[name] = Real(d.*value);
    }
    json["count"] = d.count;
    return json;
}

Json
FormatMetrics(const RunResult& result)
{
    Json metrics;
    for (const Metric& metric : ListMetrics())
    {
        if (metric.IsLeftOut(result))
        {
            continue;
        }
        const auto number = metric.number ? metric.number(result) : std::nullopt;
        metrics[metric.name] = metric.values ? DescribeMetric(metric.values(result))
                               : number      ? Real(*number)
                                             : Json();
    }
    return metrics;
}

Json
FormatNetwork(const std::optional<NetworkTotals>& totals)
{
    const NetworkTotals network = totals.value_or(NetworkTotals());
    Json json = {{"data_packets", network.streams.dataPackets},
                 {"packet_hops", network.packetHops},
                 {"drops", network.drops.GetSum().packets},
                 {"dropped_bytes", network.drops.GetSum().bytes},
                 {"marks", network.marks},
                 {"retransmissions", network.streams.retransmissions},
                 {"timeouts", network.streams.timeouts},
                 {"reordered", network.streams.reordered},
                 {"pauses", network.pauses}};
    for (std::size_t i = 0; i < DROP_REASONS; ++i)
    {
        const auto reason = static_cast<DropReason>(i);
        json["drops_by_reason"][GetName(reason)] = network.drops.Get(reason).packets;
    }
    for (auto& count : json)
    {
        count = totals ? count : Json(nullptr);
    }
    return json;
}

/** \return the devices whose packets do not add up: [] in every correct simulation */
Json
FormatImbalances(const RunResult& result)
{
    Json list = Json::array();
    for (const auto& imbalance : result.imbalances)
    {
        list.push_back({{"device", imbalance.device}, {"what", imbalance.what}});
    }
    return list;
}

Json
FormatCertificate(const SctCertificate& certificate)
{
    if (!certificate.reason.empty())
    {
        return {{"sct_s", nullptr},
                {"bound_s", nullptr},
                {"sct_over_bound", nullptr},
                {"reason", certificate.reason}};
    }
    return {{"sct_s", Real(certificate.sctSeconds)},
            {"bound_s", Real(certificate.boundSeconds)},
            {"sct_over_bound", Real(certificate.sctSeconds / certificate.boundSeconds)},
            {"reason", ""}};
}

/** \return the totals of the gate's requests */
Json
FormatGate(const RunResult& result)
{
    Time wait;
    for (const auto& row : result.jobs)
    {
        wait += row.gateWait;
    }
    return {{"requests", result.gate->requests},
            {"grants", result.gate->grants},
            {"held", result.gate->held},
            {"wait_s", Real(wait.GetSeconds())},
            {"held_s", Real(result.gate->heldTime.GetSeconds())},
            {"messages", result.gate->messages},
            {"bytes", result.gate->bytes}};
}

/** \return the samples of a sampled run, and the error of each metric */
Json
FormatSampling(const SamplingTotals& sampling)
{
    Json errors = Json::object();
    for (const auto& [metric, error] : sampling.metrics)
    {
        const auto slash = metric.find('/');
        Json& place = slash == std::string::npos
                          ? errors[metric]
                          : errors[metric.substr(0, slash)][metric.substr(slash + 1)];
        if (metric.substr(slash + 1) != "count")
        {
            place = {{"error", Real(error.both)},
                     {"sampling", Real(error.sampling)},
                     {"seed", Real(error.seed)}};
        }
        else
        {
            errors[metric.substr(0, slash)].erase("count");
        }
    }
    return {{"target", Real(sampling.target)},
            {"error", Real(sampling.error)},
            {"windows", sampling.windows},
            {"packet_share", Real(sampling.packetShare)},
            {"rounds", sampling.rounds},
            {"changed", Real(sampling.changed)},
            {"errors", errors}};
}

/**
 * Errors by leaps of the statistics of job completion times: how far they move if all jobs end a
 * half-width of their own earlier, or later. No statistic of times within their intervals is
 * farther off, since mean and quantiles grow with each value.
 */
Json
FormatLeapErrors(const RunResult& result)
{
    std::vector<double> early;
    std::vector<double> late;
    for (const JobRow& row : result.jobs)
    {
        early.push_back(row.GetJct() - row.leapError.value_or(0));
        late.push_back(row.GetJct() + row.leapError.value_or(0));
    }
    const Json least = DescribeMetric(early);
    Json errors = DescribeMetric(late);
    errors.erase("count");
    for (auto& [statistic, most] : errors.items())
    {
        const double width = most.get<double>() - least.at(statistic).get<double>();
        most = {{"error", Real(width / 2)}};
    }
    return errors;
}

Json
FormatLeaps(const RunResult& result)
{
    Json leaps = {{"count", result.leaps->leaps},
                  {"iterations", result.leaps->iterations},
                  {"delay_bound", Real(result.leaps->delayBound)}};
    if (result.leaps->byMean > 0)
    {
        leaps["by_mean"] = result.leaps->byMean;
        leaps["errors"] = {{"jct_s", FormatLeapErrors(result)}};
    }
    return leaps;
}

Json
FormatRows(const std::vector<UnfinishedRow>& rows)
{
    Json list = Json::array();
    for (const auto& row : rows)
    {
        list.push_back({{"what", row.what}, {"state", row.state}});
    }
    return list;
}

Json
FormatVersions()
{
    return {{"ddl", GetVersion()}, {"ns-3", GetNs3Version()}};
}

const char*
StatusName(RunResult::Status status)
{
    switch (status)
    {
    case RunResult::Status::DONE:
        return "done";
    case RunResult::Status::UNFINISHED:
        return "unfinished";
    case RunResult::Status::INTERRUPTED:
        return "interrupted";
    }
    return "";
}

/** \return errors of the predictions of each label; jobs without a prediction do not count */
Json
FormatEstimateErrors(const RunResult& result)
{
    std::map<std::string, std::vector<Prediction>> labels;
    for (const EstimateRow& row : result.estimates)
    {
        auto& predictions = labels[row.label];
        if (row.predicted)
        {
            predictions.push_back({*row.predicted, row.actual});
        }
    }
    Json errors = Json::object();
    for (const auto& [label, predictions] : labels)
    {
        const RegressionError error = ComputeError(predictions);
        errors[label] = {{"count", error.count},
                         {"mean", error.count > 0 ? Real(error.mean) : Json()},
                         {"rmse", Real(error.rmse)},
                         {"r2", error.r2 ? Real(*error.r2) : Json()},
                         {"explained", error.explained ? Real(*error.explained) : Json()}};
    }
    return errors;
}

/** \return the result files in a folder so far, and their sizes */
FileSizes
MeasureFiles(const std::filesystem::path& folder)
{
    FileSizes sizes;
    std::error_code failure;
    for (const auto& name : ListResultFiles())
    {
        if (std::filesystem::exists(folder / name))
        {
            sizes[name] = std::filesystem::file_size(folder / name);
        }
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder / PCAP_FOLDER, failure))
    {
        sizes[PCAP_FOLDER + ("/" + entry.path().filename().string())] = entry.file_size();
    }
    return sizes;
}

} // namespace

std::string
FormatIdentity(const RunIdentity& identity)
{
    return Dump({{"versions", FormatVersions()},
                 {"identity", Json::parse(identity.program)},
                 {"scenario", Json::parse(identity.resolvedScenario)}});
}

std::string
FormatSummary(const RunIdentity& identity, const RunResult& result, const FileSizes& files)
{
    Json summary = {
        {"name", identity.name},
        {"status", StatusName(result.status)},
        {"reason", result.reason},
        {"seed", identity.seed},
        {"versions", FormatVersions()},
        {"identity", Json::parse(identity.program)},
        {"scale",
         {{"model", Real(identity.modelScale)}, {"iterations", Real(identity.iterationScale)}}},
        {"metrics", FormatMetrics(result)},
        {"runs",
         {{"count", result.runTotals.runs},
          {"preemptions", result.runTotals.preemptions},
          {"migrations", result.runTotals.migrations},
          {"failures", result.runTotals.failures},
          {"checkpoints", result.runTotals.checkpoints},
          {"state_bytes", result.runTotals.stateBytes},
          {"repeated", result.runTotals.repeated},
          {"switch_s", Real(result.runTotals.switching.GetSeconds())},
          {"lost_s", Real(result.runTotals.lost.GetSeconds())}}},
        {"certificate", FormatCertificate(result.certificate)},
        {"network", FormatNetwork(result.network)},
        {"unaccounted", FormatImbalances(result)},
        {"control",
         {{"messages", result.controlMessages},
          {"bytes", result.controlBytes},
          {"most_ranks", result.mostPriorities},
          {"scheduler_runs", result.schedulerRuns}}},
        {"end_s", Real(result.end.GetSeconds())},
        {"unfinished", FormatRows(result.unfinished)},
        {"failures", FormatRows(result.failures)},
        {"warnings", result.warnings},
        {"files", files},
        {"scenario", Json::parse(identity.resolvedScenario)}};
    if (result.gate)
    {
        summary["gate"] = FormatGate(result);
    }
    if (!result.estimates.empty())
    {
        summary["estimates"] = FormatEstimateErrors(result);
    }
    for (const auto& [gpus, mean] : result.timerMeans)
    {
        summary["timers"][std::to_string(gpus)] = {{"machine_s", Real(mean.machine)},
                                                   {"rack_s", Real(mean.rack)}};
    }
    if (result.leaps)
    {
        summary["leaps"] = FormatLeaps(result);
    }
    if (result.sampling)
    {
        summary["sampling"] = FormatSampling(*result.sampling);
    }
    return Dump(summary);
}

std::string
FormatCost(const RunResult& result)
{
    Json policies = Json::object();
    for (const auto& policy : result.policies)
    {
        policies[policy.name + "_us"] = Real(policy.cpuSeconds * 1e6);
    }
    Json cost = {{"events", result.events},
                 {"cpu_s", Real(result.cpuSeconds)},
                 {"wall_s", Real(result.wallSeconds)},
                 {"peak_mb", Real(static_cast<double>(result.peakBytes) / 1e6)},
                 {"simulated_s_per_wall_s",
                  Real(result.wallSeconds > 0 ? result.end.GetSeconds() / result.wallSeconds : 0)},
                 {"packet_hops_per_cpu_s",
                  result.network ? Real(result.cpuSeconds > 0
                                            ? static_cast<double>(result.network->packetHops) /
                                                  result.cpuSeconds
                                            : 0)
                                 : Json(nullptr)},
                 {"policies", policies}};
    if (result.sampling)
    {
        cost["sampling_cpu_s"] = Real(result.sampling->cpuSeconds);
        cost["all_packets_cpu_s"] = Real(result.sampling->packetsCpuSeconds);
    }
    if (result.aloneCpuSeconds)
    {
        cost["alone_cpu_s"] = Real(*result.aloneCpuSeconds);
    }
    return Dump(cost);
}

std::vector<std::string>
ListResultFiles()
{
    std::vector<std::string> files{"timeline.json"};
    for (const auto& table : ListTables())
    {
        files.push_back(table->GetFile());
    }
    return files;
}

void
WriteResults(const std::filesystem::path& folder,
             const RunIdentity& identity,
             const RunResult& result)
{
    PrepareFolder(folder);
    for (const auto& table : ListTables())
    {
        if (table->IsUnwritten(result))
        {
            WriteFileSafely(folder / table->GetFile(), table->Format(result));
        }
    }
    WriteFileSafely(folder / "cost.json", FormatCost(result));
    WriteFileSafely(folder / "summary.json", // last: the folder is complete
                    FormatSummary(identity, result, MeasureFiles(folder)));
}

} // namespace ns3::ddl
