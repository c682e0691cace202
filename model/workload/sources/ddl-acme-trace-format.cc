// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-cluster-log-trace-format.h"

namespace ns3::ddl
{

/**
 * `acme`: `trace_seren.csv` and `trace_kalos.csv` of Shanghai AI Laboratory's Acme clusters (Hu et
 * al., NSDI 2024). CSV with the columns `gpu_num`, `submit_time`, `type`, and `duration` or
 * `start_time` and `end_time`. `type` (Pretrain, Evaluation, ...) stands for the model. Times have
 * zones: +08:00 in Seren, +00:00 in Kalos.
 *
 * In Kalos, `duration` is end - submission, which the published description says it is not;
 * `Duration` decides.
 */
class AcmeTraceFormat : public ClusterLogTraceFormat
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::AcmeTraceFormat")
                                .SetParent<ClusterLogTraceFormat>()
                                .SetGroupName("Ddl")
                                .AddConstructor<AcmeTraceFormat>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "job tables of Acme, trace_seren.csv and trace_kalos.csv (gpu_num,type,state,...)";
    }

    bool Recognises(const std::string& header) const override
    {
        return TraceColumns(header).HasAll({"gpu_num", "submit_time", "state", "type"});
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
                "type"};
    }

    void ReadGpus(const TraceRow& row, LogJob& job) const override
    {
        job.AddGpus(LogJobs::ReadCount(row, "gpu_num"));
    }
};

NS_OBJECT_ENSURE_REGISTERED(AcmeTraceFormat);

} // namespace ns3::ddl
