// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_BENCH_PAIRS_H
#define DDL_BENCH_PAIRS_H

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A scenario that is run in two ways, in turn: how many times the CPU time of the first takes the
 * second? */
struct BenchPair
{
    /** One of the two. */
    struct Run
    {
        std::string name;
        std::vector<std::string> settings; //!< as `ddl run --set` takes them
    };

    std::string work; //!< "repeat"
    std::string transport;
    std::string scenario; //!< JSON
    std::array<Run, 2> runs;

    /** \return "repeat-rdma-leaps": for files and messages */
    std::string GetName(std::size_t run) const;
};

/** \return the works of pairs: "repeat", "sampled", "waiting" */
std::vector<std::string> ListBenchPairWorks();

/**
 * `repeat`: two rings with which nobody contends, 1,000 iterations each, with leaps and without.
 * `sampled`: two rings that share all links, 500 iterations each, sampled and all on packets.
 * `waiting`: 1,000 and 10,000 jobs of 4 workers wait for 64 GPUs under SRSF.
 *
 * \return all, on the transports where they say something
 */
std::vector<BenchPair> ListBenchPairs();

/**
 * \param folder of a run
 * \return CPU seconds of the simulation; of a sampled run with all its samples
 * \throws RunError when its cost.json does not say
 */
double ReadCpuSeconds(const std::filesystem::path& folder);

} // namespace ns3::ddl

#endif // DDL_BENCH_PAIRS_H
