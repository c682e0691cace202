// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-sample-run.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-metric.h"
#include "ns3/ddl-result-tables.h"

#include <set>

using namespace ns3;
using namespace ns3::ddl;

TEST(Metric, EachIsDescribedOnce)
{
    std::set<std::string> names;
    for (const Metric& metric : ListMetrics())
    {
        SCOPED_TRACE(metric.name);
        EXPECT_TRUE(names.insert(metric.name).second);
        EXPECT_EQ(&FindMetric(metric.name), &metric);
        EXPECT_NE(static_cast<bool>(metric.values), static_cast<bool>(metric.number));
        EXPECT_NE(metric.label, "");
        if (metric.table.empty())
        {
            EXPECT_EQ(metric.column, "");
            continue;
        }
        EXPECT_NE(("," + FindTable(metric.table).GetHeader() + ",").find("," + metric.column + ","),
                  std::string::npos);
    }
    EXPECT_THROW(FindMetric("jct"), InputError);
}

TEST(Metric, ValuesAreThoseOfTheColumn)
{
    const RunResult run = MakeSampleRun();
    // JCTs of 5 s and 2 ns; only one job was run alone, in 4 s.
    EXPECT_EQ(FindMetric("jct_s").values(run),
              (std::vector<double>{5, NanoSeconds(2).GetSeconds()}));
    EXPECT_EQ(FindMetric("job_slowdown").values(run), (std::vector<double>{1.25}));
    EXPECT_EQ(FindMetric("tta90_s").values(run), (std::vector<double>{3}));
    EXPECT_EQ(FindMetric("makespan_s").number(run), 6);
    EXPECT_EQ(FindMetric("gpu_waiting").number(run), std::nullopt);
    EXPECT_EQ(FindMetric("jct_s").GetAxisTitle(), "job completion time, s");
    EXPECT_EQ(FindMetric("job_slowdown").GetAxisTitle(), "job slowdown");
}
