// SPDX-License-Identifier: GPL-2.0-only
// The origin of Ada-SRSF's Table V: its own simulation, slot by slot (scenarios/ada-srsf-table-5).
//
//   ddl-slotted-study [SEEDS]        prints CSV, means over seeds (10)
#include "ddl-slotted-cluster.h"

#include "ns3/ddl-statistics.h"

#include <iostream>
#include <string>

using namespace ns3::ddl;

namespace
{

/** Print the results of a gate, as means over all seeds. */
void
Study(const std::string& gate, const SlottedOptions& options, uint32_t seeds)
{
    std::vector<double> mean, median, high, utilisation;
    for (uint32_t seed = 1; seed <= seeds; ++seed)
    {
        const SlottedResult result = RunSlotted(seed, options);
        const Distribution jct = Describe(result.jct);
        mean.push_back(jct.mean);
        median.push_back(jct.p50);
        high.push_back(jct.p95);
        utilisation.push_back(100 * result.utilisation);
    }
    std::cout << gate << "," << options.memory / 1000 << "," << options.eta;
    for (const auto* values : {&mean, &median, &high, &utilisation})
    {
        const Estimate estimate = EstimateMean(*values);
        std::cout << "," << estimate.mean << "," << estimate.halfWidth.value_or(0);
    }
    std::cout << std::endl;
}

} // namespace

int
main(int argc, char** argv)
{
    const uint32_t seeds = argc > 1 ? static_cast<uint32_t>(std::stoul(argv[1])) : 10;
    std::cout << "gate,memory_gb,eta,jct_s,ci95,median_s,ci95,p95_s,ci95,utilisation_percent,ci95"
              << std::endl;
    for (const double memory : {16000.0, 32768.0})
    {
        for (const double eta : {0.235, 0.0})
        {
            Study("srsf-1", {0, false, false, memory, eta}, seeds);
            Study("srsf-2", {1, false, false, memory, eta}, seeds);
            Study("srsf-3", {2, false, false, memory, eta}, seeds);
            Study("ada-dual", {1, true, false, memory, eta}, seeds);
            Study("ada-dual that asks for free", {1, true, true, memory, eta}, seeds);
        }
    }
    return 0;
}
