// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-offer-workload.h"

#include "ns3/ddl-error.h"
#include "ns3/ddl-model-profile.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>
#include <sstream>
#include <utility>

namespace ns3::ddl
{

namespace
{

/** Jobs of a model in the authors' batch. */
struct OfferModel
{
    std::string name;
    std::vector<std::pair<uint32_t, uint32_t>> sizes; //!< numbers of GPUs, with numbers of jobs
    std::vector<double> quantiles; //!< time on one GPU, 10^3 s: least, 10, 25, 50, 75, 90 %, most
    double seconds;                //!< median time of an iteration on one GPU, seconds
    bool isSkewed;                 //!< the authors' scheduler Tiresias lists it as skewed
};

constexpr double MOST_GPUS = 1e6; //!< most GPUs of a job in a file

const std::vector<double> OFFER_LEVELS = {0, 0.1, 0.25, 0.5, 0.75, 0.9, 1};

const std::vector<OfferModel>&
ListOfferModels()
{
    static const std::vector<OfferModel> models = {
        {"MobileNetV3",
         {{1, 17}, {2, 2}, {4, 15}, {8, 52}, {16, 26}, {32, 10}, {40, 1}, {48, 1}, {56, 1}},
         {7.2, 41.1, 47.7, 78.2, 173, 251, 1166},
         0.77e-3,
         true},
        {"BERT-large",
         {{1, 94}, {2, 4}, {4, 7}, {8, 15}, {16, 5}},
         {37.5, 40.4, 47.8, 95.1, 180, 217, 487},
         8.3e-3,
         false},
        {"ResNet50",
         {{1, 67}, {2, 7}, {4, 16}, {8, 27}, {16, 7}, {32, 1}},
         {36.2, 40.8, 48.5, 75.5, 132, 190, 762},
         1.5e-3,
         false},
        {"AlexNet",
         {{1, 27}, {4, 9}, {8, 13}, {16, 4}},
         {7.2, 7.5, 7.9, 8.5, 10.1, 10.4, 10.7},
         1.2e-3,
         true},
        {"ResNet18", {{1, 35}, {4, 3}}, {7.3, 7.6, 8.4, 9.4, 10.1, 10.3, 10.6}, 0.57e-3, false},
        {"VGG11", {{1, 30}, {4, 2}, {8, 2}}, {7.3, 7.5, 8, 8.5, 10.1, 10.3, 10.7}, 0.28e-3, true}};
    return models;
}

/** \return quantile at a level from 0 to 1; between given ones the logarithm is linear */
double
GetQuantile(const std::vector<double>& values, double level)
{
    const auto above = std::upper_bound(OFFER_LEVELS.begin(), OFFER_LEVELS.end() - 1, level);
    const auto i = static_cast<std::size_t>(above - OFFER_LEVELS.begin());
    const double part = (level - OFFER_LEVELS[i - 1]) / (OFFER_LEVELS[i] - OFFER_LEVELS[i - 1]);
    return values[i - 1] * std::pow(values[i] / values[i - 1], part);
}

} // namespace

std::vector<OfferJob>
MakeOfferJobs(uint32_t seed)
{
    std::mt19937_64 random(seed);
    std::vector<OfferJob> jobs;
    for (const OfferModel& model : ListOfferModels())
    {
        for (const auto& [gpus, count] : model.sizes)
        {
            for (uint32_t i = 0; i < count; ++i)
            {
                const double level = static_cast<double>(random() >> 11U) * 0x1p-53;
                OfferJob job;
                job.model = model.name;
                job.gpus = gpus;
                job.seconds = model.seconds;
                job.iterations = static_cast<uint64_t>(1e3 * GetQuantile(model.quantiles, level) /
                                                       model.seconds);
                job.isSkewed = model.isSkewed;
                jobs.push_back(job);
            }
        }
    }
    std::shuffle(jobs.begin(), jobs.end(), random);
    return jobs;
}

std::vector<OfferJob>
ReadOfferJobs(const std::string& file)
{
    std::ifstream in(file);
    std::string text;
    if (!std::getline(in, text))
    {
        throw InputError(file + ": cannot be read, or is empty");
    }
    std::vector<OfferJob> jobs;
    for (uint32_t line = 2; std::getline(in, text); ++line)
    {
        std::replace(text.begin(), text.end(), ',', ' ');
        std::istringstream words(text);
        OfferJob job;
        double gpus = 0;
        double iterations = 0;
        words >> job.model >> gpus >> iterations >> job.seconds;
        const auto isCount = [](double number, double most) {
            return number >= 1 && number <= most && number == std::floor(number);
        };
        const auto& models = ListOfferModels();
        const auto model =
            std::find_if(models.begin(), models.end(), [&job](const OfferModel& other) {
                return other.name == job.model;
            });
        std::string more;
        if (words.fail() || words >> more || model == models.end() || !isCount(gpus, MOST_GPUS) ||
            !isCount(iterations, 0x1p53) || !(job.seconds > 0))
        {
            throw InputError(file + ":" + std::to_string(line) +
                             ": not a model, a number of GPUs, of iterations, and seconds");
        }
        job.gpus = static_cast<uint32_t>(gpus);
        job.iterations = static_cast<uint64_t>(iterations);
        job.isSkewed = model->isSkewed;
        jobs.push_back(job);
    }
    return jobs;
}

double
GetComputeShare(const OfferJob& job, const OfferTiers& tiers, const OfferNetwork& network)
{
    struct Tier
    {
        double workers;
        double delay; // seconds
        double rate;  // bytes per second
    };

    const Tier ways[] = {{static_cast<double>(tiers.inHalf), 0, 600e9},
                         {static_cast<double>(tiers.inServer), 0.5e-6, 600e9},
                         {static_cast<double>(tiers.inRack), network.rackDelay, 200e9},
                         {static_cast<double>(tiers.across), network.acrossDelay, 400e9}};
    const ModelProfile& model = FindModel("Dally-" + job.model);
    const auto& layers = model.layers.Get();
    double ready = model.forward.GetSeconds();
    double end = 0; // end of the all-reduce of the layer before
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer)
    {
        ready += layer->backward.GetSeconds();
        double time = 0;
        auto bytes = static_cast<double>(layer->bytes);
        for (const Tier& way : ways)
        {
            if (way.workers > 1)
            {
                bytes /= way.workers;
                time += 2 * (way.workers - 1) * (way.delay + bytes / way.rate);
            }
        }
        end = std::max(end, ready) + time;
    }
    return (model.forward + model.backward).GetSeconds() / end;
}

} // namespace ns3::ddl
