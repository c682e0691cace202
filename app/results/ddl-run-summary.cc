// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-run-summary.h"

#include "ns3/ddl-csv-writer.h"
#include "ns3/ddl-error.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace ns3::ddl
{

namespace
{

using SummaryJson = nlohmann::ordered_json;

SummaryJson
ReadObject(const std::string& path)
{
    std::ifstream file(path);
    if (!file)
    {
        throw InputError({{path, "", "cannot be read (is this a folder of results?)"}});
    }
    SummaryJson json = SummaryJson::parse(file, nullptr, false);
    if (!json.is_object())
    {
        throw InputError({{path, "", "is not a JSON object"}});
    }
    return json;
}

std::string
GetString(const SummaryJson& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

/** \return text of a run's scale: "model M, iterations I" */
std::string
DescribeScale(const SummaryJson& json)
{
    std::string text;
    const SummaryJson scale = json.value("scale", SummaryJson::object());
    for (const char* key : {"model", "iterations"})
    {
        if (scale.contains(key) && scale[key].is_number())
        {
            text += (text.empty() ? "" : ", ") + std::string(key) + " " +
                    FormatReal(scale[key].get<double>());
        }
    }
    return text;
}

/** \return true if each file that a summary lists has the size that it lists */
bool
AreFilesWhole(const SummaryJson& json, const std::string& folder)
{
    const SummaryJson files = json.value("files", SummaryJson::object());
    for (const auto& [name, size] : files.items())
    {
        std::error_code failure;
        if (!size.is_number_unsigned() ||
            std::filesystem::file_size(folder + "/" + name, failure) != size.get<uint64_t>())
        {
            return false; // file_size() gives the greatest number if it fails
        }
    }
    return true;
}

} // namespace

RunSummary::RunSummary(const std::string& folder)
{
    const std::string path = folder + "/summary.json";
    const SummaryJson json = ReadObject(path);
    name = GetString(json, "name");
    status = GetString(json, "status");
    hasFailures = !json.value("failures", SummaryJson::array()).empty();
    hasFiles = AreFilesWhole(json, folder);
    scale = json.contains("scale") && json["scale"].is_object() ? DescribeScale(json) : "";
    const SummaryJson scenario = json.value("scenario", SummaryJson::object());
    const auto kind = scenario.find("transport");
    transport = kind != scenario.end() && kind->is_object() ? GetString(*kind, "kind") : "";
    const auto measured = json.find("metrics");
    if (measured == json.end() || !measured->is_object())
    {
        throw InputError({{path, "/metrics", "is missing"}});
    }
    for (const auto& [key, value] : measured->items())
    {
        if (value.is_number())
        {
            metrics[key] = value.get<double>();
        }
        for (const auto& [statistic, number] : value.items())
        {
            if (value.is_object() && number.is_number())
            {
                metrics[key + "/" + statistic] = number.get<double>();
            }
        }
    }
    for (const std::string section : {"sampling", "leaps"})
    {
        const SummaryJson part = json.value(section, SummaryJson::object());
        const SummaryJson stated =
            part.is_object() ? part.value("errors", SummaryJson::object()) : SummaryJson::object();
        for (const auto& [key, statistics] : stated.items())
        {
            for (const auto& [statistic, error] : statistics.items())
            {
                if (error.is_object() && error.contains("error") && error["error"].is_number())
                {
                    errors[key + "/" + statistic] = error["error"].get<double>();
                }
            }
        }
    }
    for (const std::string section : {"estimates", "timers"})
    {
        const SummaryJson labels = json.value(section, SummaryJson::object());
        for (const auto& [label, numbers] : labels.items())
        {
            for (const auto& [name, number] : numbers.items())
            {
                if (numbers.is_object() && number.is_number())
                {
                    metrics[section + "." + label + "." + name] = number.get<double>();
                }
            }
        }
    }
}

std::optional<double>
RunSummary::GetMetric(const std::string& metric, const std::string& statistic) const
{
    for (const auto& key : {metric, metric + "/" + statistic})
    {
        const auto found = metrics.find(key);
        if (found != metrics.end())
        {
            return found->second;
        }
    }
    return std::nullopt;
}

std::optional<double>
RunSummary::GetError(const std::string& metric, const std::string& statistic) const
{
    const auto found = errors.find(metric + "/" + statistic);
    return found != errors.end() ? std::make_optional(found->second) : std::nullopt;
}

} // namespace ns3::ddl
