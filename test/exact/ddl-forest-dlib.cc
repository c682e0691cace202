// SPDX-License-Identifier: GPL-2.0-only
// Holds the forests that ddl-forest-instances writes against dlib's
// (random_forest_regression_trainer) from the same samples. dlib limits neither the depth of a tree
// nor its leaves: it splits each node with more samples than its min_samples_per_leaf. Links
// nothing of ns-3 or of the module.
//
// Both draw samples with replacement by generators of their own, so their forests differ by chance.
// For each function, the mean over its instances of (our RMSE / dlib's - 1) has to be within
// MOST_MEAN of 0, and each within MOST_ONE.
#include <algorithm>
#include <cmath>
#include <dlib/random_forest.h>
#include <iomanip>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace
{

constexpr double MOST_MEAN = 0.01;
constexpr double MOST_ONE = 0.03;

using Vector = dlib::matrix<double, 0, 1>;

struct Samples
{
    std::vector<Vector> features;
    std::vector<double> labels;
    std::vector<double> predictions; // ours
};

Samples
ReadSamples(std::size_t count, long features, bool arePredicted)
{
    Samples samples;
    for (std::size_t i = 0; i < count; ++i)
    {
        Vector at(features);
        for (long feature = 0; feature < features; ++feature)
        {
            std::cin >> at(feature);
        }
        double label = 0;
        double prediction = 0;
        std::cin >> label;
        if (arePredicted)
        {
            std::cin >> prediction;
        }
        samples.features.push_back(at);
        samples.labels.push_back(label);
        samples.predictions.push_back(prediction);
    }
    return samples;
}

double
GetRmse(const std::vector<double>& predictions, const std::vector<double>& labels)
{
    double sum = 0;
    for (std::size_t i = 0; i < labels.size(); ++i)
    {
        sum += std::pow(predictions[i] - labels[i], 2);
    }
    return std::sqrt(sum / static_cast<double>(labels.size()));
}

/** \return what dlib's forest says of the samples tested */
std::vector<double>
GrowAndAsk(const Samples& learnt, const Samples& tested, std::size_t trees, std::size_t split)
{
    dlib::random_forest_regression_trainer<dlib::dense_feature_extractor> trainer;
    trainer.set_num_trees(trees);
    trainer.set_feature_subsampling_fraction(1);
    trainer.set_min_samples_per_leaf(split - 1);
    trainer.set_seed("ddl");
    const auto forest = trainer.train(learnt.features, learnt.labels);
    std::vector<double> predictions;
    for (const Vector& at : tested.features)
    {
        predictions.push_back(forest(at));
    }
    return predictions;
}

} // namespace

int
main()
{
    std::map<std::pair<std::string, std::size_t>, std::vector<double>> gaps;
    std::string function;
    std::size_t trees = 0;
    std::size_t split = 0;
    long features = 0;
    std::size_t learnt = 0;
    std::size_t tested = 0;
    while (std::cin >> function >> trees >> split >> features >> learnt >> tested)
    {
        const Samples learn = ReadSamples(learnt, features, false);
        const Samples test = ReadSamples(tested, features, true);
        if (!std::cin)
        {
            std::cerr << "an instance of " << function << " is cut off\n";
            return 1;
        }
        const double theirs = GetRmse(GrowAndAsk(learn, test, trees, split), test.labels);
        gaps[{function, split}].push_back(GetRmse(test.predictions, test.labels) / theirs - 1);
    }
    bool isRight = !gaps.empty();
    std::cout << std::fixed << std::setprecision(2);
    for (const auto& [name, all] : gaps)
    {
        double mean = 0;
        double most = 0;
        for (const double gap : all)
        {
            mean += gap / static_cast<double>(all.size());
            most = std::max(most, std::abs(gap));
        }
        const bool isNear = std::abs(mean) <= MOST_MEAN && most <= MOST_ONE; // not where one is NaN
        isRight = isRight && isNear;
        std::cout << name.first << ", split at " << name.second << ": RMSE over dlib's "
                  << 100 * mean << " % in the mean of " << all.size() << ", at most " << 100 * most
                  << " %" << (isNear ? "" : ": TOO FAR") << '\n';
    }
    return isRight ? 0 : 1;
}
