// SPDX-License-Identifier: GPL-2.0-only
// Random samples of functions, and what a regression forest that has learnt some of them says of
// the others, as text for ddl-forest-dlib, which grows dlib's forest from the same samples and does
// not link ns-3.
//
//   ddl-forest-instances SEEDS
//
// Each instance: FUNCTION TREES SPLIT FEATURES LEARNT TESTED, then a line a sample: its features,
// its label, and of those tested what the forest says.
#include "ddl-instance-count.h"

#include "ns3/ddl-regression-forest.h"

#include <cmath>
#include <functional>
#include <iomanip>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

constexpr uint32_t TREES = 100;
constexpr uint32_t FEATURES = 4; // the last one says nothing
constexpr uint32_t LEARNT = 300;
constexpr uint32_t TESTED = 500;

using At = std::vector<double>;

/** \return functions of features between 0 and 1; noise of deviation 1 comes on top */
std::vector<std::pair<std::string, std::function<double(const At&)>>>
ListFunctions()
{
    return {
        {"step", [](const At& at) { return at[1] > 0.5 ? 4.0 : 0.0; }},
        {"linear", [](const At& at) { return 6 * at[0] - 4 * at[1] + 2 * at[2]; }},
        {"product", [](const At& at) { return 10 * at[0] * at[1] + std::sin(6 * at[2]); }},
    };
}

void
PrintInstance(const std::string& name,
              const std::function<double(const At&)>& function,
              int seed,
              uint32_t split)
{
    auto uniform = CreateObject<UniformRandomVariable>();
    uniform->SetStream(seed);
    const auto noise = CreateObject<NormalRandomVariable>();
    noise->SetStream(1000 + seed);
    std::vector<RegressionSample> samples(LEARNT + TESTED);
    for (RegressionSample& sample : samples)
    {
        for (uint32_t i = 0; i < FEATURES; ++i)
        {
            // Of few values, as numbers of workers and batch sizes are, or of many.
            const double drawn = uniform->GetValue(0, 1);
            sample.features.push_back(i == 0 ? std::floor(drawn * 8) / 8 : drawn);
        }
        sample.label = function(sample.features) + noise->GetValue(0, 1);
    }
    ForestSpec spec;
    spec.trees = TREES;
    spec.depth = LEARNT; // no limit
    spec.split = split;
    spec.leaf = 1;
    auto draw = CreateObject<UniformRandomVariable>();
    draw->SetStream(2000 + seed);
    const RegressionForest forest({samples.begin(), samples.begin() + LEARNT}, spec, draw);
    std::cout << name << ' ' << TREES << ' ' << split << ' ' << FEATURES << ' ' << LEARNT << ' '
              << TESTED << '\n';
    for (uint32_t i = 0; i < samples.size(); ++i)
    {
        for (const double feature : samples[i].features)
        {
            std::cout << feature << ' ';
        }
        std::cout << samples[i].label;
        if (i >= LEARNT)
        {
            std::cout << ' ' << forest.Predict(samples[i].features);
        }
        std::cout << '\n';
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    const auto seeds = argc == 2 ? ParseInstanceCount(argv[1]) : std::nullopt;
    if (!seeds)
    {
        std::cerr << "usage: ddl-forest-instances SEEDS (1 to 1000000)\n";
        return 2;
    }
    std::cout << std::setprecision(17);
    for (const auto& [name, function] : ListFunctions())
    {
        for (const uint32_t split : {2, 10})
        {
            for (uint32_t seed = 1; seed <= *seeds; ++seed)
            {
                PrintInstance(name, function, seed, split);
            }
        }
    }
    return 0;
}
