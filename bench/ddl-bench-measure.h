// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_BENCH_MEASURE_H
#define DDL_BENCH_MEASURE_H

#include "ddl-bench-work.h"

#include <optional>

namespace ns3
{
namespace ddl
{

/** What one simulator did with a work, and what it took. */
struct BenchMeasure
{
    uint64_t bytes{0};        //!< of the application, delivered
    Time start;               //!< first byte given to the transport
    Time end;                 //!< last byte delivered
    std::vector<Time> finish; //!< of each flow that has ended, by flow
    std::optional<double>
        dataHops; //!< data packets times the links that they passed; none: no packets
    std::optional<uint64_t> drops; //!< packets; none where there are none
    uint64_t events{0};            //!< of the simulator
    double cpuSeconds{0};          //!< user and system time of Simulator::Run
    double setupSeconds{0};        //!< user and system time of the process before it
    uint64_t peakBytes{0};         //!< resident memory of the process
};

/**
 * Run the simulator, to be stopped from within, and fill in what that took.
 *
 * \param work what is carried; a run that takes a hundred times as long as its bytes would at line
 *        rate ends
 * \param measure written
 */
void RunMeasured(const BenchWork& work, BenchMeasure& measure);

/**
 * \param work what was to be carried
 * \param measure of a run
 * \throws RunError when not everything has arrived
 */
void RequireDelivered(const BenchWork& work, const BenchMeasure& measure);

} // namespace ddl
} // namespace ns3

#endif // DDL_BENCH_MEASURE_H
