// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-bench-work.h"

#include "ns3/ddl-error.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <sys/resource.h>

namespace ns3::ddl
{

namespace
{

constexpr uint32_t MOST_HOSTS_PER_LEAF = 64;
const Time START = MicroSeconds(1); //!< start of all flows

constexpr double PATIENCE = 100;          //!< longest run, over its duration at line rate
const Time LEAST_PATIENCE = Seconds(1.0); //!< least limit of a run, simulated time

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

/** \return peak resident memory, bytes. (rusage's ru_maxrss is inherited over exec.) */
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

std::vector<std::string>
ListBenchWorks()
{
    return {"W", "remark", "ring"};
}

BenchWork
MakeBenchWork(const std::string& name, uint32_t hosts, uint32_t mtu, uint64_t bytes)
{
    const auto works = ListBenchWorks();
    const bool isKnown = std::count(works.begin(), works.end(), name) > 0;
    const auto root = static_cast<uint32_t>(std::lround(std::sqrt(hosts)));
    const bool isSquare = root * root == hosts && root > 1 && root <= MOST_HOSTS_PER_LEAF;
    if (!isKnown || !isSquare || bytes < hosts)
    {
        throw InputError("work is one of " + JoinNames(ListBenchWorks()) +
                         ", hosts one of 4, 9, 16 ... 4096, bytes at least one a host; not " + name +
                         ", " + std::to_string(hosts) + ", " + std::to_string(bytes));
    }
    BenchWork work;
    work.name = name;
    work.leaves = work.hostsPerLeaf = work.spines = root;
    work.mtu = mtu;
    work.remarkPeriod = name == "remark" ? MicroSeconds(100) : Time(0);
    const uint32_t stride = name == "ring" ? 1 : root;
    for (uint32_t host = 0; host < hosts; ++host)
    {
        work.flows.push_back({HostId{host}, HostId{(host + stride) % hosts}, bytes / hosts, START});
        work.bytes += bytes / hosts;
    }
    if (name == "ring")
    {
        work.bytes -= work.bytes % (2 * (hosts - 1)); // the ring sends the model that often
    }
    return work;
}

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

} // namespace ns3::ddl
