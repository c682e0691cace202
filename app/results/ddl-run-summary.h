// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RUN_SUMMARY_H
#define DDL_RUN_SUMMARY_H

#include <map>
#include <optional>
#include <string>

namespace ns3::ddl
{

/** The `summary.json` of a finished run: what tables and figures need of it. */
class RunSummary
{
  public:
    /**
     * \param folder results of one run
     * \throws InputError when there is no `summary.json` or it is not one of ours
     */
    explicit RunSummary(const std::string& folder);

    /** \return name of the scenario, "" if none is given */
    const std::string& GetName() const;
    /** \return "done", "unfinished" or "interrupted" */
    const std::string& GetStatus() const;
    /** \return true if the files that hold the rest of the results are there, none of them cut */
    bool HasFiles() const;
    /** \return "model 1, iterations 0.1": the scale of the run, "" if none is given */
    const std::string& GetScale() const;
    /** \return "rdma": the kind of transport, "" if none is given */
    const std::string& GetTransport() const;
    /**
     * \param metric "sct_s", "makespan_s", ...
     * \param statistic "mean", "p50", ... of a metric that is a distribution
     * \return its value in its own unit; nothing when it was not measured
     */
    std::optional<double> GetMetric(const std::string& metric,
                                    const std::string& statistic = "mean") const;

  private:
    std::string m_name;
    std::string m_status;
    bool m_hasFiles{false};
    std::string m_scale;
    std::string m_transport;
    std::map<std::string, double> m_metrics; //!< by "makespan_s", and by "sct_s/mean"
};

} // namespace ns3::ddl

#endif // DDL_RUN_SUMMARY_H
