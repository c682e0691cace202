// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-log-time.h"
#include "ddl-trace-columns.h"
#include "ddl-trace-format.h"

#include <algorithm>

namespace ns3::ddl
{

/**
 * `philly`: jobs of the Philly cluster (Jeon et al., USENIX ATC 2019) as CSV with the columns
 * `timestamp,duration,num_gpus`, in any order, and others that are ignored: the job's arrival
 * (`2017-10-09 07:01:55`), its length in seconds, and its number of GPUs. Time 0 is the first
 * arrival. The format has no models.
 */
class PhillyTraceFormat : public TraceFormat
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::ddl::PhillyTraceFormat")
                                .SetParent<TraceFormat>()
                                .SetGroupName("Ddl")
                                .AddConstructor<PhillyTraceFormat>();
        return tid;
    }

    std::string GetSummary() const override
    {
        return "CSV with the columns timestamp,duration,num_gpus (Philly, Jeon et al. 2019)";
    }

    bool Recognises(const std::string& header) const override
    {
        return TraceColumns(header).HasAll({"timestamp", "duration", "num_gpus"});
    }

  private:
    void DoRead(TraceLines& lines, Trace& trace) const override
    {
        const TraceColumns columns(lines.Next().value_or(""));
        if (!columns.Require({"timestamp", "duration", "num_gpus"}, lines))
        {
            return;
        }
        std::vector<double> seconds; // arrival of each job, since 1970
        while (const auto line = lines.Next())
        {
            const TraceRow row(columns, *line, lines);
            TraceJob job;
            job.line = lines.GetNumber();
            job.id = static_cast<uint32_t>(trace.jobs.size() + 1);
            job.duration = row.Duration("duration").value_or(Time(0));
            job.gpus = row.Whole("num_gpus", 1, MOST_GPUS).value_or(1);
            const auto time = ParseTimestamp(row.Text("timestamp"));
            if (!time)
            {
                row.Refuse("timestamp", "a time such as 2017-10-09 07:01:55");
            }
            if (row.IsGood())
            {
                trace.jobs.push_back(job);
                seconds.push_back(*time);
            }
        }
        if (!seconds.empty())
        {
            const double first = *std::min_element(seconds.begin(), seconds.end());
            for (std::size_t i = 0; i < seconds.size(); ++i)
            {
                trace.jobs[i].submit = Seconds(seconds[i] - first);
            }
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(PhillyTraceFormat);

} // namespace ns3::ddl
