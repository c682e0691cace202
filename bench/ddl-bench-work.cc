// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-bench-work.h"

#include "ns3/ddl-error.h"

namespace ns3
{
namespace ddl
{

namespace
{

constexpr uint32_t MOST_HOSTS_PER_LEAF = 16;
const Time START = MicroSeconds(1); //!< of all flows

/** \return the whole root of a square number, 0 of any other */
uint32_t
FindRoot(uint32_t square)
{
    for (uint32_t root = 2; root <= MOST_HOSTS_PER_LEAF; ++root)
    {
        if (root * root == square)
        {
            return root;
        }
    }
    return 0;
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
    bool known = false;
    for (const auto& legal : ListBenchWorks())
    {
        known = known || name == legal;
    }
    const uint32_t root = FindRoot(hosts);
    if (!known || root == 0 || bytes < hosts)
    {
        throw InputError("work is one of " + JoinNames(ListBenchWorks()) +
                         ", hosts one of 4, 9, 16 ... 256, bytes at least one a host; not " + name +
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
        work.bytes -= work.bytes % (2 * (hosts - 1)); // so often the model is sent
    }
    return work;
}

} // namespace ddl
} // namespace ns3
