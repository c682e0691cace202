// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-bench-report.h"

#include "app/text/ddl-text-table.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-statistics.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ns3
{
namespace ddl
{

namespace
{

using Json = nlohmann::ordered_json;

double
CpuPerGigabyte(const BenchRow& row)
{
    return row.median.cpuSeconds / (static_cast<double>(row.median.bytes) * 1e-9);
}

std::optional<double>
DataHopRate(const BenchRow& row)
{
    if (!row.median.dataHops)
    {
        return std::nullopt;
    }
    return *row.median.dataHops / row.median.cpuSeconds;
}

std::vector<double>
Sorted(const std::vector<BenchSample>& samples, double BenchSample::*field)
{
    std::vector<double> values;
    for (const auto& sample : samples)
    {
        values.push_back(sample.*field);
    }
    std::sort(values.begin(), values.end());
    return values;
}

BenchRow
Summarise(const BenchCase& what, const std::vector<BenchSample>& samples)
{
    BenchRow row;
    row.what = what;
    row.median = samples.front();
    row.repetitions = static_cast<uint32_t>(samples.size());
    const auto cpu = Sorted(samples, &BenchSample::cpuSeconds);
    row.median.cpuSeconds = Percentile(cpu, 50);
    row.median.setupSeconds = Percentile(Sorted(samples, &BenchSample::setupSeconds), 50);
    row.median.peakMegabytes = Percentile(Sorted(samples, &BenchSample::peakMegabytes), 50);
    row.spread = (cpu.back() - cpu.front()) / row.median.cpuSeconds;
    return row;
}

void
CompareToStock(std::vector<BenchRow>& rows)
{
    for (auto& row : rows)
    {
        for (const auto& stock : rows)
        {
            if (stock.what.transport == STOCK && stock.what.hosts == row.what.hosts &&
                stock.what.mtu == row.what.mtu && row.what.work != "ring")
            {
                row.ratioToStock = CpuPerGigabyte(stock) / CpuPerGigabyte(row);
            }
        }
    }
}

template <typename Number>
Json
OrNull(const std::optional<Number>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

std::string
OrDash(const std::optional<double>& value)
{
    return value ? FormatNumber(*value, 3) : "-";
}

} // namespace

BenchSample
ReadBenchSample(const std::string& line)
{
    try
    {
        const Json json = Json::parse(line);
        BenchSample sample;
        sample.bytes = json.at("bytes");
        sample.simulatedSeconds = json.at("simulated_s");
        sample.goodput = json.at("goodput_gbps_per_host");
        if (!json.at("data_hops").is_null())
        {
            sample.dataHops = json.at("data_hops").get<double>();
        }
        if (!json.at("drops").is_null())
        {
            sample.drops = json.at("drops").get<uint64_t>();
        }
        sample.events = json.at("events");
        sample.cpuSeconds = json.at("cpu_s");
        sample.setupSeconds = json.at("setup_cpu_s");
        sample.peakMegabytes = json.at("peak_mb");
        return sample;
    }
    catch (const Json::exception& error)
    {
        throw RunError("not a measurement: \"" + line + "\" (" + error.what() + ")");
    }
}

std::vector<BenchRow>
MakeBenchRows(const BenchPlan& plan, const std::vector<std::vector<BenchSample>>& samples)
{
    std::vector<BenchRow> rows;
    for (std::size_t i = 0; i < plan.cases.size(); ++i)
    {
        if (!samples[i].empty())
        {
            rows.push_back(Summarise(plan.cases[i], samples[i]));
        }
    }
    CompareToStock(rows);
    return rows;
}

std::string
FormatBenchJson(const std::vector<BenchRow>& rows)
{
    Json results = Json::array();
    for (const auto& row : rows)
    {
        results.push_back({
            {"case", row.what.work},
            {"transport", row.what.transport},
            {"hosts", row.what.hosts},
            {"mtu", row.what.mtu},
            {"cpu_s_per_gb", CpuPerGigabyte(row)},
            {"data_hops_per_cpu_s", OrNull(DataHopRate(row))},
            {"goodput_gbps_per_host", row.median.goodput},
            {"peak_mb", row.median.peakMegabytes},
            {"ratio_to_stock", OrNull(row.ratioToStock)},
            {"bytes", row.median.bytes},
            {"simulated_s", row.median.simulatedSeconds},
            {"data_hops", OrNull(row.median.dataHops)},
            {"drops", OrNull(row.median.drops)},
            {"events", row.median.events},
            {"cpu_s", row.median.cpuSeconds},
            {"setup_cpu_s", row.median.setupSeconds},
            {"spread", row.spread},
            {"repetitions", row.repetitions},
        });
    }
    return Json({{"results", results}}).dump(2) + "\n";
}

void
PrintBenchTable(std::ostream& os, const std::vector<BenchRow>& rows)
{
    TextTable table({"work",
                     "hosts",
                     "MTU",
                     "transport",
                     "MB",
                     "Gbps/host",
                     "CPU s/GB",
                     "spread",
                     "data-hops/CPU s",
                     "events/CPU s",
                     "peak MB",
                     "x stock"});
    for (const auto& row : rows)
    {
        const BenchSample& median = row.median;
        const auto hops = DataHopRate(row);
        table.AddRow(
            {row.what.work,
             std::to_string(row.what.hosts),
             std::to_string(row.what.mtu),
             row.what.transport,
             FormatNumber(static_cast<double>(median.bytes) * 1e-6, 3),
             FormatNumber(median.goodput, 3),
             FormatNumber(CpuPerGigabyte(row), 3),
             FormatNumber(row.spread * 100, 2) + " %",
             hops ? FormatNumber(*hops * 1e-6, 3) + " M" : "-",
             FormatNumber(static_cast<double>(median.events) / median.cpuSeconds * 1e-6, 3) + " M",
             FormatNumber(median.peakMegabytes, 3),
             OrDash(row.ratioToStock)});
    }
    table.Print(os);
}

} // namespace ddl
} // namespace ns3
