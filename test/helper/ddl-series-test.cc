// SPDX-License-Identifier: GPL-2.0-only
// series.csv: intervals add up to what the other files say, and looking changes nothing.
#include "app/results/ddl-csv-table.h"
#include "ddl-simulation-fixture.h"

#include "ns3/ddl-cluster.h"
#include "ns3/ddl-result-tables.h"
#include "ns3/ddl-summary.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <string>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** kind, name, queue, quantity */
using SeriesKey = std::tuple<std::string, std::string, std::string, std::string>;

class SeriesTest : public SimulationFixture, public testing::WithParamInterface<std::string>
{
  protected:
    /** Four jobs with jitter on four machines: they contend, wait, give way and come back. */
    static std::string Text()
    {
        std::string jobs;
        for (int i = 0; i < 4; ++i)
        {
            jobs +=
                std::string(i == 0 ? "" : ", ") +
                R"({"model": {"name": "m", "bytes": "300kB", "forward": "1ms", "backward": "1ms"},
                        "submit": ")" +
                std::to_string(3 * i) + R"(ms", "workers": )" + std::to_string(i % 2 + 2) +
                (i % 2 == 0 ? R"(, "servers": 2)" : R"(, "pattern": "ring")") +
                R"(, "iterations": )" + std::to_string(6 + i) + "}";
        }
        return OnSwitch(4,
                        1,
                        R"({"compute": {"jitter": {"type": "normal-random-variable", "Mean": 1,
                            "Variance": 0.04, "Bound": 0.9}}, "jobs": [)" +
                            jobs + "]}");
    }

    Settings GetSettings() const
    {
        return {"transport.kind=" + GetParam(),
                "scheduler.jobs=2d-las",
                "scheduler.lease=5ms",
                "cluster.topology.hostRate=1Gbps"};
    }

    /** \return what a run measured; its series goes to m_sums, m_last and m_samples */
    RunResult Record(const std::string& text, Time interval, const Settings& settings)
    {
        const std::string file = (m_folder / "series.csv").string();
        ClusterSimulation simulation(ReadText(text, settings));
        simulation.EnableSeries(file, interval);
        const RunResult result = simulation.Run();
        const CsvTable table(file);
        for (std::size_t row = 0; row < table.GetRows(); ++row)
        {
            const SeriesKey key{table.GetText(row, "kind"),
                                table.GetText(row, "name"),
                                table.GetText(row, "queue"),
                                table.GetText(row, "quantity")};
            const double value = *table.GetNumber(row, "value");
            m_sums[key] += value;
            m_last[key] = value;
            m_samples[table.GetText(row, "time_s")][key] = value;
        }
        return result;
    }

    double Sum(const SeriesKey& key) const
    {
        const auto found = m_sums.find(key);
        return found == m_sums.end() ? 0 : found->second;
    }

    std::map<SeriesKey, double> m_sums;
    std::map<SeriesKey, double> m_last;
    std::map<std::string, std::map<SeriesKey, double>> m_samples;
};

TEST_P(SeriesTest, IntervalsAddUpToTheOtherFilesToTheByte)
{
    const RunResult result = Record(Text(), MicroSeconds(700), GetSettings());
    ASSERT_EQ(result.status, RunResult::Status::DONE);
    EXPECT_GT(result.runTotals.preemptions, 0U); // else this says little
    for (const PortRow& row : result.ports)
    {
        const std::string name = row.node + "-" + std::to_string(row.port) + "-" + row.peer;
        const std::string queue = std::to_string(row.queue);
        EXPECT_EQ(Sum({"port", name, queue, "bytes"}), static_cast<double>(row.bytes)) << name;
        EXPECT_EQ(Sum({"port", name, queue, "marked"}), static_cast<double>(row.marked.value_or(0)))
            << name;
        EXPECT_EQ(Sum({"port", name, queue, "dropped"}),
                  static_cast<double>(row.dropped.value_or(0)))
            << name;
    }
    for (const JobRow& row : result.jobs)
    {
        const std::string name = std::to_string(row.job.value);
        EXPECT_EQ(Sum({"job", name, "", "bytes"}), static_cast<double>(row.bytes)) << name;
        const double attained = row.occupied.GetSeconds() * row.workers;
        const SeriesKey key{"job", name, "", "attained_gpu_s"};
        EXPECT_NEAR(m_last[key], attained, 1e-4 * attained) << name; // until its machines stop
    }
}

TEST_P(SeriesTest, GpusAndJobsAreAccountedForAtAllTimes)
{
    const RunResult result = Record(Text(), MicroSeconds(700), GetSettings());
    double busy = 0;
    double before = 0;
    double mostWaiting = 0;
    for (const auto& [time, values] : m_samples)
    {
        const auto get = [values = values](const std::string& kind, const std::string& quantity) {
            const auto found = values.find({kind, "all", "", quantity});
            return found == values.end() ? 0 : found->second;
        };
        EXPECT_NEAR(get("gpus", "busy") + get("gpus", "waiting") + get("gpus", "idle"), 4, 1e-7)
            << time;
        EXPECT_LE(get("jobs", "running") + get("jobs", "waiting"), 4) << time;
        EXPECT_LE(get("jobs", "running"), 2) << time; // of at least two GPUs each
        mostWaiting = std::max(mostWaiting, get("jobs", "waiting"));
        busy += get("gpus", "busy") * (std::stod(time) - before);
        before = std::stod(time);
    }
    EXPECT_GE(mostWaiting, 2);
    const double share = busy / (4 * result.makespan.GetSeconds());
    EXPECT_NEAR(share, result.gpuUtilisation, 1e-6);
}

TEST_P(SeriesTest, LookingChangesNothing)
{
    const RunResult looked = Record(Text(), MicroSeconds(13), GetSettings());
    const RunResult plain = Run(Text(), GetSettings());
    EXPECT_EQ(FindTable("jobs").Format(looked), FindTable("jobs").Format(plain));
    EXPECT_EQ(FindTable("runs").Format(looked), FindTable("runs").Format(plain));
    EXPECT_EQ(FindTable("ports").Format(looked), FindTable("ports").Format(plain));
    EXPECT_EQ(FindTable("remarks").Format(looked), FindTable("remarks").Format(plain));
    EXPECT_EQ(FormatSummary({}, looked, {}), FormatSummary({}, plain, {}));
    EXPECT_EQ(looked.events, plain.events);
}

TEST_P(SeriesTest, LeapsAddUpToo)
{
    // Two rings that nobody contends with
    const std::string ring =
        R"({"model": {"name": "m", "bytes": "300kB", "forward": "1ms", "backward": "1ms"},
            "pattern": "ring", "workers": 2, "iterations": 400})";
    const RunResult result = Record(OnSwitch(4, 1, R"({"jobs": [)" + ring + ", " + ring + "]}"),
                                    MilliSeconds(10),
                                    {"transport.kind=" + GetParam(), "leap={}"});
    ASSERT_TRUE(result.leaps);
    EXPECT_GT(result.leaps->iterations, 0U);
    for (const JobRow& row : result.jobs)
    {
        EXPECT_EQ(Sum({"job", std::to_string(row.job.value), "", "bytes"}),
                  static_cast<double>(row.bytes));
    }
    for (const PortRow& row : result.ports)
    {
        EXPECT_EQ(Sum({"port",
                       row.node + "-" + std::to_string(row.port) + "-" + row.peer,
                       std::to_string(row.queue),
                       "bytes"}),
                  static_cast<double>(row.bytes));
    }
}

INSTANTIATE_TEST_SUITE_P(Transports,
                         SeriesTest,
                         testing::Values("tcp", "rdma", "fluid"),
                         [](const auto& info) { return info.param; });

} // namespace
