// SPDX-License-Identifier: GPL-2.0-only
// How near to the best GPU utilisation does each part of Crux come?
//
//   ddl-crux-study [--cases=1500] [--seed=1] [--levels=3] [--choices=6]
//
// Small clusters, drawn at random, of which all paths and all levels are tried (doc/crux.md).
// Prints CSV: each part's utilisation over the best there is, the other two parts being the best.
#include "ddl-crux-optimum.h"

#include "ns3/command-line.h"

#include <iostream>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

/** Ratios of one part to the best. */
struct Ratios
{
    const char* part;
    double sum{0};
    double least{1};
    uint32_t best{0}; //!< cases in which it is as good

    void Add(double ratio)
    {
        sum += ratio;
        least = std::min(least, ratio);
        best += ratio > 1 - 1e-6 ? 1 : 0;
    }
};

} // namespace

int
main(int argc, char* argv[])
{
    uint32_t cases = 1500;
    uint32_t seed = 1;
    uint32_t levels = 3;
    uint32_t choices = 6;
    CommandLine command;
    command.AddValue("cases", "clusters", cases);
    command.AddValue("seed", "of the draws", seed);
    command.AddValue("levels", "levels, 1 to 8", levels);
    command.AddValue("choices", "most flows with a choice of paths, 1 to 10", choices);
    command.Parse(argc, argv);
    if (cases == 0 || levels < 1 || levels > 8 || choices < 1 || choices > 10)
    {
        std::cerr << "ddl-crux-study: a number is out of its range (--help)\n";
        return 2;
    }
    std::mt19937_64 random(seed);
    Ratios paths{"paths"};
    Ratios priorities{"priorities"};
    Ratios compression{"levels"};
    Ratios whole{"all three"};
    Ratios uncorrected{"all three but for k"};
    Ratios pathsOnly{"Crux's paths alone"};
    Ratios unordered{"none of them"};
    for (uint32_t i = 0; i < cases; ++i)
    {
        const SmallCluster cluster = DrawSmallCluster(random, choices);
        const CruxQuality quality = CruxOptimum(cluster, levels).Rate();
        paths.Add(quality.paths / quality.best);
        priorities.Add(quality.priorities / quality.best);
        compression.Add(quality.levels / quality.best);
        whole.Add(quality.whole / quality.best);
        uncorrected.Add(quality.uncorrected / quality.best);
        pathsOnly.Add(quality.pathsOnly / quality.best);
        unordered.Add(quality.unordered / quality.best);
    }
    std::cout << "part,cases,mean_percent,least_percent,best_cases\n";
    for (const Ratios& ratios :
         {paths, priorities, compression, whole, uncorrected, pathsOnly, unordered})
    {
        std::cout << ratios.part << "," << cases << "," << 100 * ratios.sum / cases << ","
                  << 100 * ratios.least << "," << ratios.best << "\n";
    }
    return 0;
}
