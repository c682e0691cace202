// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_BENCH_PAIRS_H
#define DDL_BENCH_PAIRS_H

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A scenario that is run in two ways, in turn, to compare the CPU time of the second with that of
 * the first. */
struct BenchPair
{
    /** One of the two ways to run the scenario. */
    struct Run
    {
        std::string name;
        std::vector<std::string> settings; //!< overrides as `ddl run --set` takes them
    };

    std::string work; //!< name of the work: "repeat"
    std::string transport;
    std::string scenario; //!< text of the scenario, JSON
    std::array<Run, 2> runs;

    /** \return name of a run for files and messages: "repeat-rdma-leaps" */
    std::string GetName(std::size_t run) const;
};

/** \return names of the works of pairs: "repeat", "sampled", "waiting" */
std::vector<std::string> ListBenchPairWorks();

/**
 * `repeat`: two rings without contention, 1,000 iterations each, with leaps and without.
 * `sampled`: two rings that share all links, 500 iterations each, sampled and all on packets.
 * `waiting`: 1,000 and 10,000 jobs of 4 workers wait for 64 GPUs under SRSF.
 *
 * \return all pairs, each on the transports for which it is meaningful
 */
std::vector<BenchPair> ListBenchPairs();

/**
 * \param folder folder of a run's results
 * \return CPU seconds of the simulation, and of all samples of a sampled run
 * \throws RunError when the run's cost.json does not say
 */
double ReadCpuSeconds(const std::filesystem::path& folder);

} // namespace ns3::ddl

#endif // DDL_BENCH_PAIRS_H
