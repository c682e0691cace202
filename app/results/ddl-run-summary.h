// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RUN_SUMMARY_H
#define DDL_RUN_SUMMARY_H

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace ns3::ddl
{

/** \return content of a JSON file; null if it cannot be read or is not JSON */
nlohmann::ordered_json ReadJsonFile(const std::filesystem::path& path);

/** The part of a run's `summary.json` that tables and figures need. */
struct RunSummary
{
    /**
     * \param folder folder of one run's results
     * \throws InputError when `summary.json` is missing, or is not one that a run has written
     */
    explicit RunSummary(const std::string& folder);

    /**
     * \param metric name as in summary.json: "sct_s", "estimates.LABEL.r2", "timers.GPUS.rack_s"
     * \param statistic statistic of a metric that is a distribution: "mean", "p50", ...
     * \return the metric in its own unit; nothing when it was not measured
     */
    std::optional<double> GetMetric(const std::string& metric,
                                    const std::string& statistic = "mean") const;

    /**
     * \return half of the interval in which packets are expected, for a metric of a sampled run in
     *         its own unit; nothing if the run was not sampled
     */
    std::optional<double> GetError(const std::string& metric, const std::string& statistic) const;

    std::string name;        //!< name of the scenario, "" if it has none
    std::string status;      //!< how the run ended: "done", "unfinished" or "interrupted"
    bool hasFailures{false}; //!< something other than the work failed
    bool hasFiles{false};    //!< all files that it lists are there, with their sizes
    std::string scale;       //!< scale, "model 1, iterations 0.1"; "" if none is given
    std::string transport;   //!< kind of transport, "rdma"; "" if none is given
    std::map<std::string, double> metrics; //!< values by name: "makespan_s", "sct_s/mean"
    std::map<std::string, double> errors;  //!< see GetError, by the names of metrics
};

/**
 * \return true if a folder holds complete results of a run: its `summary.json` says "done", and the
 *         files that it lists are there in full
 */
bool HoldsResults(const std::filesystem::path& folder);

} // namespace ns3::ddl

#endif // DDL_RUN_SUMMARY_H
