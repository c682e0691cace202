// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_BENCH_REPORT_H
#define DDL_BENCH_REPORT_H

#include "ddl-bench-plan.h"

#include <optional>
#include <ostream>

namespace ns3
{
namespace ddl
{

/** What ddl-bench-case said of one run. */
struct BenchSample
{
    uint64_t bytes{0}; //!< of the application, delivered
    double simulatedSeconds{0};
    double goodput{0};              //!< Gbps a host
    std::optional<double> dataHops; //!< data packets times links; none where there are no packets
    std::optional<uint64_t> drops;  //!< packets; none where there are none
    uint64_t events{0};
    double cpuSeconds{0};
    double setupSeconds{0}; //!< CPU, before the simulation runs
    double peakMegabytes{0};
};

/**
 * \param line of JSON
 * \return what it says
 * \throws RunError when it is not what ddl-bench-case writes
 */
BenchSample ReadBenchSample(const std::string& line);

/** A line of the table. */
struct BenchRow
{
    BenchCase what;
    BenchSample median; //!< CPU seconds and memory; all else is the same in every repetition
    uint32_t repetitions{0};
    double spread{0};                   //!< (most - least) / median of the CPU seconds
    std::optional<double> ratioToStock; //!< CPU s/GB of stock on W, same hosts and MTU, over ours
};

/**
 * \param plan what was run
 * \param samples by case; a case without any gets no row
 * \return rows in the order of the plan. A ring has no stock case, so no ratio.
 */
std::vector<BenchRow> MakeBenchRows(const BenchPlan& plan,
                                    const std::vector<std::vector<BenchSample>>& samples);

/** \return bench.json */
std::string FormatBenchJson(const std::vector<BenchRow>& rows);

/** The rows for people. */
void PrintBenchTable(std::ostream& os, const std::vector<BenchRow>& rows);

} // namespace ddl
} // namespace ns3

#endif // DDL_BENCH_REPORT_H
