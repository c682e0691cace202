// SPDX-License-Identifier: GPL-2.0-only
// Why Dally's published gains are what they are: its authors' allocator, with and without its slip
// (doc/dally.md).
//
//   ddl-offer-study [NAME=VALUE]...   prints CSV: the geometric mean over seeds of the ratio of
//                                     makespans with its 95 % interval, and means
//
// seeds=8, racks=4,8,16, lease=1200,3600 (s), history=48 (leases), block=1000 (iterations),
// rack=5, across=100 (us per step of a ring), jobs=FILE (instead of jobs that are drawn)
#include "ddl-offer-workload.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <tuple>

using namespace ns3::ddl;

namespace
{

/** Settings that are varied, by name. */
using Settings = std::map<std::string, std::string>;

constexpr double MOST = 1e12;       //!< greatest value of a number
constexpr double MOST_WHOLE = 1000; //!< greatest number of seeds, and of racks

std::vector<double>
GetNumbers(const Settings& settings, const std::string& name)
{
    std::vector<double> numbers;
    std::istringstream words(settings.at(name));
    std::string word;
    while (std::getline(words, word, ','))
    {
        std::size_t used = 0;
        double number = 0;
        try
        {
            number = std::stod(word, &used);
        }
        catch (const std::exception&)
        {
            used = 0;
        }
        const bool mayBeNone = name == "history" || name == "rack" || name == "across";
        const bool isWhole = name == "seeds" || name == "racks";
        const bool isSuch = (mayBeNone ? number >= 0 : number >= 1) && number <= MOST &&
                            (!isWhole || (number == std::floor(number) && number <= MOST_WHOLE));
        if (used == 0 || used != word.size() || !isSuch)
        {
            throw InputError(name + ": '" + word + "' is no such number");
        }
        numbers.push_back(number);
    }
    return numbers;
}

double
GetNumber(const Settings& settings, const std::string& name)
{
    const auto numbers = GetNumbers(settings, name);
    if (numbers.size() != 1)
    {
        throw InputError(name + " is one number");
    }
    return numbers.front();
}

Settings
ReadSettings(int argc, char** argv)
{
    Settings settings = {{"seeds", "8"},
                         {"racks", "4,8,16"},
                         {"lease", "1200,3600"},
                         {"history", "48"},
                         {"block", "1000"},
                         {"rack", "5"},
                         {"across", "100"},
                         {"jobs", ""}};
    for (int i = 1; i < argc; ++i)
    {
        const std::string word = argv[i];
        const auto sign = word.find('=');
        const auto setting = settings.find(word.substr(0, sign));
        if (sign == std::string::npos || setting == settings.end())
        {
            throw InputError("'" + word +
                             "': give seeds, racks, lease, history, block, rack, across "
                             "or jobs as NAME=VALUE");
        }
        setting->second = word.substr(sign + 1);
    }
    return settings;
}

/** Runs all seeds on one cluster. */
class Study
{
  public:
    explicit Study(const Settings& settings)
        : m_settings(settings)
    {
        m_network.rackDelay = 1e-6 * GetNumber(settings, "rack");
        m_network.acrossDelay = 1e-6 * GetNumber(settings, "across");
    }

    /** Run a setting, and print its line. */
    void Run(double lease, double racks, bool allBid)
    {
        constexpr std::size_t SCHEDULERS = 2; // number of schedulers: Dally, Tiresias
        std::array<std::vector<double>, SCHEDULERS> makespans, jcts, held, computing;
        std::vector<double> logRatios; // logarithms, as a few seeds are off by factors
        const auto seeds = static_cast<uint32_t>(GetNumber(m_settings, "seeds"));
        for (uint32_t seed = 1; seed <= seeds; ++seed)
        {
            OfferOptions options;
            options.racks = static_cast<uint32_t>(racks);
            options.lease = lease;
            options.history = GetNumber(m_settings, "history");
            options.block = GetNumber(m_settings, "block");
            options.allBid = allBid;
            const std::vector<OfferJob> jobs = MakeJobs(seed, options);
            for (std::size_t i = 0; i < SCHEDULERS; ++i)
            {
                options.isDally = i == 0;
                const OfferResult result =
                    RunOffers(jobs, options, [this](const auto& job, const auto& tiers) {
                        return GetSpeed(job, tiers);
                    });
                makespans[i].push_back(result.makespan);
                jcts[i].push_back(Describe(result.jct).mean);
                held[i].push_back(result.meanHeld);
                computing[i].push_back(result.meanComputing);
            }
            logRatios.push_back(std::log(makespans[0].back() / makespans[1].back()));
        }
        const Estimate ratio = EstimateMean(logRatios);
        const double margin = ratio.halfWidth.value_or(0);
        std::cout << lease / 60 << "," << racks << "," << (allBid ? "yes" : "no");
        for (const double value : {ratio.mean, ratio.mean - margin, ratio.mean + margin})
        {
            std::cout << "," << 100 * std::expm1(value);
        }
        for (std::size_t i = 0; i < SCHEDULERS; ++i)
        {
            for (const auto& values : {makespans[i], jcts[i], held[i], computing[i]})
            {
                std::cout << "," << EstimateMean(values).mean;
            }
        }
        std::cout << std::endl;
    }

  private:
    /** \return the jobs of a seed. The seed also draws the order in which servers are searched: in
     * the authors' program that of a hash table */
    std::vector<OfferJob> MakeJobs(uint32_t seed, OfferOptions& options) const
    {
        std::mt19937_64 random(1000 + seed);
        options.serverOrder.resize(options.racks * options.servers);
        std::iota(options.serverOrder.begin(), options.serverOrder.end(), 0);
        std::shuffle(options.serverOrder.begin(), options.serverOrder.end(), random);
        const std::string& file = m_settings.at("jobs");
        if (file.empty())
        {
            return MakeOfferJobs(seed);
        }
        std::vector<OfferJob> jobs = ReadOfferJobs(file);
        for (const OfferJob& job : jobs)
        {
            if (job.gpus > options.racks * options.servers * options.gpus)
            {
                throw InputError(file + ": a job has more GPUs than there are");
            }
        }
        std::shuffle(jobs.begin(), jobs.end(), random);
        return jobs;
    }

    double GetSpeed(const OfferJob& job, const OfferTiers& tiers)
    {
        const auto key =
            std::make_tuple(job.model, tiers.inHalf, tiers.inServer, tiers.inRack, tiers.across);
        const auto [known, isNew] = m_speeds.emplace(key, 0);
        if (isNew)
        {
            known->second = GetComputeShare(job, tiers, m_network);
        }
        return known->second;
    }

    Settings m_settings;
    OfferNetwork m_network;
    std::map<std::tuple<std::string, uint32_t, uint32_t, uint32_t, uint32_t>, double> m_speeds;
};

} // namespace

int
main(int argc, char** argv)
{
    try
    {
        const Settings settings = ReadSettings(argc, argv);
        Study study(settings);
        std::cout << "lease_min,racks,all_bid,dally_over_tiresias_percent,low95,high95";
        for (const std::string scheduler : {"dally", "tiresias"})
        {
            std::cout << "," << scheduler << "_makespan_s," << scheduler << "_jct_s," << scheduler
                      << "_held," << scheduler << "_computing";
        }
        std::cout << std::endl;
        for (const bool allBid : {true, false})
        {
            for (const double lease : GetNumbers(settings, "lease"))
            {
                for (const double racks : GetNumbers(settings, "racks"))
                {
                    study.Run(lease, racks, allBid);
                }
            }
        }
        return 0;
    }
    catch (const InputError& error)
    {
        std::cerr << error.what() << std::endl;
        return 2;
    }
}
