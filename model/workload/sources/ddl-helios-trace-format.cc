// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-cluster-log-trace-format.h"

namespace ns3::ddl
{

/**
 * `helios`: `cluster_log.csv` of SenseTime's Helios clusters (Hu et al., SC 2021), and the files
 * that Lucid's simulator reads (Hu et al., ASPLOS 2023), which have `model` as well. CSV with the
 * columns `gpu_num` and `submit_time`, and `duration` or `start_time` and `end_time`; `state`, `vc`
 * and others are used by attributes.
 */
class HeliosTraceFormat : public ClusterLogTraceFormat
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::HeliosTraceFormat")
                                .SetParent<ClusterLogTraceFormat>()
                                .SetGroupName("Ddl")
                                .AddConstructor<HeliosTraceFormat>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "cluster_log.csv of Helios and Lucid (gpu_num,state,submit_time,start_time,...)";
    }

    bool Recognises(const std::string& header) const override
    {
        const TraceColumns columns(header);
        return columns.HasAll({"gpu_num", "submit_time", "state"}) && !columns.Has("type");
    }

  private:
    LogColumns GetColumns() const override
    {
        return {{"gpu_num", "submit_time"},
                "submit_time",
                "start_time",
                "end_time",
                "duration",
                "state",
                "model"};
    }

    void ReadGpus(const TraceRow& row, LogJob& job) const override
    {
        job.AddGpus(LogJobs::ReadCount(row, "gpu_num"));
    }
};

NS_OBJECT_ENSURE_REGISTERED(HeliosTraceFormat);

} // namespace ns3::ddl
