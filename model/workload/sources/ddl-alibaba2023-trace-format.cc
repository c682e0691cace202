// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-cluster-log-trace-format.h"

namespace ns3::ddl
{

/**
 * `alibaba2023`: `openb_pod_list_*.csv` of Alibaba's cluster-trace-gpu-v2023 (Weng et al., USENIX
 * ATC 2023): a pod a row, with the columns `num_gpu`, `gpu_milli` (thousandths of its GPU, for pods
 * of one GPU), `pod_phase`, `creation_time`, `scheduled_time` and `deletion_time` in seconds. Pods
 * that still ran when the log ended have its end as `deletion_time`. The lists multigpu* have no
 * times and cannot be replayed.
 */
class Alibaba2023TraceFormat : public ClusterLogTraceFormat
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::Alibaba2023TraceFormat")
                                .SetParent<ClusterLogTraceFormat>()
                                .SetGroupName("Ddl")
                                .AddConstructor<Alibaba2023TraceFormat>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "openb_pod_list_*.csv of Alibaba's cluster-trace-gpu-v2023 (num_gpu,gpu_milli,...)";
    }

    bool Recognises(const std::string& header) const override
    {
        return TraceColumns(header).HasAll({"num_gpu", "gpu_milli"});
    }

  private:
    LogColumns GetColumns() const override
    {
        return {{"num_gpu", "creation_time", "scheduled_time", "deletion_time"},
                "creation_time",
                "scheduled_time",
                "deletion_time",
                "",
                "pod_phase",
                "",
                true};
    }

    void ReadGpus(const TraceRow& row, LogJob& job) const override
    {
        constexpr double WHOLE = 1000; // thousandths
        const double gpus = LogJobs::ReadCount(row, "num_gpu");
        const double share =
            IsMissing(row.Text("gpu_milli")) ? WHOLE : LogJobs::ReadCount(row, "gpu_milli");
        const bool isPart = gpus == 1 && share < WHOLE;
        job.AddGpus(isPart ? share / WHOLE : gpus);
    }
};

NS_OBJECT_ENSURE_REGISTERED(Alibaba2023TraceFormat);

} // namespace ns3::ddl
