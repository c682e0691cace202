// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-bench-measure.h"

#include "ns3/ddl-error.h"
#include "ns3/simulator.h"

#include <fstream>
#include <string>
#include <sys/resource.h>

namespace ns3
{
namespace ddl
{

namespace
{

constexpr double PATIENCE = 100;          //!< times the duration at line rate
const Time LEAST_PATIENCE = Seconds(1.0); //!< simulated

double
CpuSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/** rusage's ru_maxrss would do, if exec did not hand on that of the parent. */
uint64_t
PeakBytes()
{
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word)
    {
        uint64_t kibibytes = 0;
        if (word == "VmHWM:" && status >> kibibytes)
        {
            return kibibytes * 1024;
        }
    }
    return 0;
}

Time
FindDeadline(const BenchWork& work)
{
    const double perHost = static_cast<double>(work.bytes) / work.GetHosts();
    Time last;
    for (const auto& flow : work.flows)
    {
        last = Max(last, flow.start);
    }
    const double seconds = perHost * 8 / static_cast<double>(work.rate.GetBitRate());
    return last + Max(LEAST_PATIENCE, Seconds(seconds * PATIENCE));
}

} // namespace

void
RunMeasured(const BenchWork& work, BenchMeasure& measure)
{
    Simulator::Stop(FindDeadline(work));
    measure.setupSeconds = CpuSeconds();
    Simulator::Run();
    measure.cpuSeconds = CpuSeconds() - measure.setupSeconds;
    measure.events = Simulator::GetEventCount();
    measure.peakBytes = PeakBytes();
}

void
RequireDelivered(const BenchWork& work, const BenchMeasure& measure)
{
    if (measure.bytes != work.bytes)
    {
        throw RunError(std::to_string(measure.bytes) + " of " + std::to_string(work.bytes) +
                       " bytes had arrived when the run ended");
    }
}

} // namespace ddl
} // namespace ns3
