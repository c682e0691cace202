// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RUN_SUMMARY_H
#define DDL_RUN_SUMMARY_H

#include <map>
#include <optional>
#include <string>

namespace ns3::ddl
{

/** The part of a run's `summary.json` that tables and figures need. */
struct RunSummary
{
    /**
     * \param folder results of one run
     * \throws InputError when there is no `summary.json`, or a run has not written it
     */
    explicit RunSummary(const std::string& folder);

    /**
     * \param metric "sct_s", ..., "estimates.LABEL.r2", "timers.GPUS.rack_s", as in summary.json
     * \param statistic "mean", "p50", ... of a metric that is a distribution
     * \return its value in its own unit; nothing when it was not measured
     */
    std::optional<double> GetMetric(const std::string& metric,
                                    const std::string& statistic = "mean") const;

    std::string name;        //!< of the scenario, "" if none is given
    std::string status;      //!< "done", "unfinished" or "interrupted"
    bool hasFailures{false}; //!< something went wrong beside the work
    bool hasFiles{false};    //!< the files with the rest of the results are there, none of them cut
    std::string scale;       //!< "model 1, iterations 0.1", "" if none is given
    std::string transport;   //!< "rdma": its kind, "" if none is given
    std::map<std::string, double> metrics; //!< by "makespan_s", and by "sct_s/mean"
};

} // namespace ns3::ddl

#endif // DDL_RUN_SUMMARY_H
