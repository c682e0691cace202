// SPDX-License-Identifier: GPL-2.0-only
// Regression forests: functions that they must learn exactly, another implementation, and errors.
#include "ns3/boolean.h"
#include "ns3/ddl-estimator.h"
#include "ns3/ddl-regression-error.h"
#include "ns3/ddl-regression-forest.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <memory>

using namespace ns3;
using namespace ns3::ddl;

namespace
{

using ForestSamples = std::vector<RegressionSample>;

Ptr<UniformRandomVariable>
MakeForestDraw(int64_t stream)
{
    auto draw = CreateObject<UniformRandomVariable>();
    draw->SetStream(stream);
    return draw;
}

/** One tree that grows until nothing is left to be split. */
ForestSpec
MakeExactForest()
{
    ForestSpec spec;
    spec.trees = 1;
    spec.depth = 100;
    spec.split = 2;
    spec.leaf = 1;
    spec.isBagged = false;
    return spec;
}

/** \return samples at random points of the unit cube of so many features */
ForestSamples
DrawSamples(std::size_t count,
            uint32_t features,
            int64_t stream,
            const std::function<double(const std::vector<double>&)>& function)
{
    const auto draw = MakeForestDraw(stream);
    ForestSamples samples(count);
    for (RegressionSample& sample : samples)
    {
        for (uint32_t i = 0; i < features; ++i)
        {
            sample.features.push_back(draw->GetValue(0, 1));
        }
        sample.label = function(sample.features);
    }
    return samples;
}

RegressionError
TestForest(const RegressionForest& forest, const ForestSamples& samples)
{
    std::vector<Prediction> predictions;
    for (const RegressionSample& sample : samples)
    {
        predictions.push_back({forest.Predict(sample.features), sample.label});
    }
    return ComputeError(predictions);
}

TEST(RegressionForest, AStepIsExact)
{
    // 0 ... 9 of feature 1, which steps from 2 to 7 between 5 and 6; feature 0 says nothing.
    ForestSamples samples;
    for (int i = 0; i < 10; ++i)
    {
        samples.push_back({{double(i * 7 % 10), double(i)}, i > 5 ? 7.0 : 2.0});
    }
    const RegressionForest forest(samples, MakeExactForest(), MakeForestDraw(1));
    for (const RegressionSample& sample : samples)
    {
        EXPECT_EQ(forest.Predict(sample.features), sample.label);
    }
    EXPECT_EQ(forest.Predict({0, 5.49}), 2) << "the threshold is in the middle";
    EXPECT_EQ(forest.Predict({0, 5.51}), 7);
    const RegressionError error = TestForest(forest, samples);
    EXPECT_EQ(error.rmse, 0);
    EXPECT_EQ(error.r2, 1.0);
}

TEST(RegressionForest, AConstantHasNoR2)
{
    const ForestSamples samples = DrawSamples(30, 2, 3, [](const auto&) { return 4.25; });
    const RegressionForest forest(samples, ForestSpec(), MakeForestDraw(1));
    const RegressionError error = TestForest(forest, samples);
    EXPECT_EQ(error.rmse, 0);
    EXPECT_FALSE(error.r2);
    EXPECT_FALSE(error.explained);
    EXPECT_EQ(error.count, 30U);
}

TEST(RegressionForest, LeavesAndSplitsAndDepthAreLimits)
{
    const auto isStep = [](const std::vector<double>& at) { return at[0] > 0.5 ? 1.0 : 0.0; };
    const ForestSamples samples = DrawSamples(40, 1, 5, isStep);
    ForestSpec spec = MakeExactForest();
    spec.depth = 0;
    double mean = 0;
    for (const auto& sample : samples)
    {
        mean += sample.label / 40;
    }
    EXPECT_NEAR(RegressionForest(samples, spec, MakeForestDraw(1)).Predict({0.1}), mean, 1e-12);
    spec.depth = 1;
    EXPECT_EQ(RegressionForest(samples, spec, MakeForestDraw(1)).Predict({0.1}), 0);
    spec.split = 41;
    EXPECT_NEAR(RegressionForest(samples, spec, MakeForestDraw(1)).Predict({0.1}), mean, 1e-12);
    spec.split = 2;
    spec.leaf = 21; // no two leaves of 21 out of 40
    EXPECT_NEAR(RegressionForest(samples, spec, MakeForestDraw(1)).Predict({0.1}), mean, 1e-12);
}

TEST(RegressionForest, LinearAndNoisyFunctions)
{
    const auto linear = [](const std::vector<double>& at) { return 3 * at[0] - 2 * at[1]; };
    const ForestSamples train = DrawSamples(600, 3, 11, linear);
    const ForestSamples test = DrawSamples(300, 3, 12, linear);
    const RegressionForest forest(train, ForestSpec(), MakeForestDraw(1));
    EXPECT_GT(*TestForest(forest, test).r2, 0.95);

    // Noise of deviation 0.5 over a step from 0 to 4, so of variance 4: no model reaches more than
    // 1 - 0.25 / 4.25 = 0.94. Single trees that grow to the end learn the noise, twice its variance
    // off: 1 - 0.5 / 4.25 = 0.88; the mean of many is better than each.
    const auto noise = MakeForestDraw(99);
    const auto noisy = [&noise](const std::vector<double>& at) {
        return (at[1] > 0.5 ? 4.0 : 0.0) + noise->GetValue(-0.5, 0.5) * std::sqrt(3.0);
    };
    const ForestSamples learn = DrawSamples(600, 3, 13, noisy);
    const ForestSamples check = DrawSamples(2000, 3, 14, noisy);
    const double ofForest =
        *TestForest(RegressionForest(learn, ForestSpec(), MakeForestDraw(1)), check).r2;
    const double ofTree =
        *TestForest(RegressionForest(learn, MakeExactForest(), MakeForestDraw(1)), check).r2;
    EXPECT_NEAR(ofTree, 0.88, 0.03);
    EXPECT_GT(ofForest, ofTree + 0.02);
    EXPECT_LT(ofForest, 0.955);
}

TEST(RegressionForest, EqualDrawsGiveEqualForests)
{
    const auto function = [](const std::vector<double>& at) { return at[0] * at[1]; };
    const ForestSamples samples = DrawSamples(100, 4, 21, function);
    ForestSpec spec;
    spec.features = 2;
    const RegressionForest a(samples, spec, MakeForestDraw(7));
    const RegressionForest b(samples, spec, MakeForestDraw(7));
    const RegressionForest c(samples, spec, MakeForestDraw(8));
    bool differs = false;
    double sum = 0;
    for (const auto& sample : DrawSamples(50, 4, 22, function))
    {
        sum += a.Predict(sample.features);
        EXPECT_EQ(a.Predict(sample.features), b.Predict(sample.features));
        differs = differs || a.Predict(sample.features) != c.Predict(sample.features);
    }
    EXPECT_TRUE(differs);
    EXPECT_NEAR(sum, 12.433489934126, 1e-9); // on every machine
}

/** A regression tree by brute force: all splits, each measured by the squares of both sides. */
class PlainTree
{
  public:
    PlainTree(const ForestSamples& samples, const ForestSpec& spec, uint32_t depth = 0)
        : m_mean(MeanOf(samples))
    {
        double best = SquaresOf(samples) * (1 - 1e-9);
        for (uint32_t f = 0; f < samples.front().features.size(); ++f)
        {
            for (const auto& at : samples)
            {
                const double value = at.features[f];
                double next = HUGE_VAL;
                ForestSamples left;
                ForestSamples right;
                for (const auto& sample : samples)
                {
                    (sample.features[f] <= value ? left : right).push_back(sample);
                    next = sample.features[f] > value ? std::min(next, sample.features[f]) : next;
                }
                const bool may = depth < spec.depth && samples.size() >= spec.split &&
                                 left.size() >= spec.leaf && right.size() >= spec.leaf;
                if (may && SquaresOf(left) + SquaresOf(right) < best)
                {
                    best = SquaresOf(left) + SquaresOf(right);
                    m_feature = f;
                    m_threshold = (value + next) / 2;
                    m_left = std::make_unique<PlainTree>(left, spec, depth + 1);
                    m_right = std::make_unique<PlainTree>(right, spec, depth + 1);
                }
            }
        }
    }

    double Predict(const std::vector<double>& at) const
    {
        return !m_left                        ? m_mean
               : at[m_feature] <= m_threshold ? m_left->Predict(at)
                                              : m_right->Predict(at);
    }

  private:
    static double MeanOf(const ForestSamples& samples)
    {
        double sum = 0;
        for (const auto& sample : samples)
        {
            sum += sample.label;
        }
        return samples.empty() ? 0 : sum / double(samples.size());
    }

    static double SquaresOf(const ForestSamples& samples)
    {
        const double mean = MeanOf(samples);
        double sum = 0;
        for (const auto& sample : samples)
        {
            sum += (sample.label - mean) * (sample.label - mean);
        }
        return sum;
    }

    double m_mean;
    uint32_t m_feature{0};
    double m_threshold{0};
    std::unique_ptr<PlainTree> m_left;
    std::unique_ptr<PlainTree> m_right;
};

TEST(RegressionForest, ATreeIsThatOfAnotherImplementation)
{
    const auto function = [](const std::vector<double>& at) {
        return std::sin(7 * at[0]) + at[1] * at[2];
    };
    for (int64_t seed = 1; seed <= 6; ++seed)
    {
        for (const auto& [depth, split, leaf] :
             {std::make_tuple(3U, 2U, 1U), {5U, 5U, 2U}, {4U, 10U, 5U}})
        {
            ForestSpec spec = MakeExactForest();
            spec.depth = depth;
            spec.split = split;
            spec.leaf = leaf;
            const ForestSamples samples = DrawSamples(25, 3, 30 + seed, function);
            const RegressionForest forest(samples, spec, MakeForestDraw(1));
            const PlainTree plain(samples, spec);
            for (const auto& sample : DrawSamples(40, 3, 60 + seed, function))
            {
                EXPECT_NEAR(forest.Predict(sample.features), plain.Predict(sample.features), 1e-12)
                    << "seed " << seed << ", depth " << depth;
            }
        }
    }
}

TEST(RegressionError, ByHand)
{
    // Actual 1, 2, 3 of mean 2: SST 2. Predicted 1, 2, 5: SSE 4, RMSE sqrt(4/3), R2 1 - 4/2 = -1;
    // explained (1 + 0 + 9) / 2 = 5, the printed "R2", which is above 1.
    const RegressionError error = ComputeError({{1, 1}, {2, 2}, {5, 3}});
    EXPECT_EQ(error.count, 3U);
    EXPECT_NEAR(error.mean, 2, 1e-15);
    EXPECT_NEAR(error.rmse, std::sqrt(4.0 / 3), 1e-15);
    EXPECT_NEAR(*error.r2, -1, 1e-12);
    EXPECT_NEAR(*error.explained, 5, 1e-12);
    EXPECT_EQ(ComputeError({}).count, 0U);
    EXPECT_FALSE(ComputeError({}).r2);
}

JobSpec
MakeEstimated(const std::string& model, uint32_t batch, uint32_t servers)
{
    JobSpec job;
    job.model.name = model;
    job.model.batch = batch;
    job.workers = 2;
    job.servers = servers;
    return job;
}

TEST(ForestEstimator, KnowsAModelAfterThreeOfItsJobs)
{
    const JobSpec job = MakeEstimated("m", 16, 1);
    JobUsage used;
    Get(used.worker, UsageLabel::RECEIVE_RATE) = 5e6;
    Get(used.server, UsageLabel::RECEIVE_RATE) = 7e6;
    for (const bool byRole : {true, false})
    {
        const auto estimator = CreatePolicy<Estimator>("forest");
        estimator->SetAttribute("ByRole", BooleanValue(byRole));
        for (uint32_t learnt = 1; learnt <= 3; ++learnt)
        {
            EXPECT_FALSE(estimator->Estimate({job, 10}));
            EXPECT_EQ(estimator->Learn({job, 10}, used), learnt == 3);
        }
        const auto usage = estimator->Estimate({job, 10});
        ASSERT_TRUE(usage);
        // 6 samples of both roles are too few to be split: their mean, up to the draws of bagging
        const double worker = Get(usage->worker, UsageLabel::RECEIVE_RATE);
        EXPECT_NEAR(worker, byRole ? 5e6 : 6e6, byRole ? 1 : 0.3e6);
        const double server = Get(usage->server, UsageLabel::RECEIVE_RATE);
        EXPECT_NEAR(server, byRole ? 7e6 : 6e6, byRole ? 1 : 0.3e6);
        EXPECT_FALSE(estimator->Estimate({MakeEstimated("other", 16, 1), 10}));
        // a job of the model without parameter servers has one sample
        EXPECT_TRUE(estimator->Estimate({MakeEstimated("m", 16, 0), 10}));
    }
}

TEST(ForestEstimator, LearnsByBatchAndRole)
{
    const auto estimator = CreatePolicy<Estimator>("forest");
    estimator->SetAttribute("Leaf", UintegerValue(1));
    estimator->SetAttribute("Split", UintegerValue(2));
    const auto use = [](uint32_t batch) {
        JobUsage used;
        Get(used.worker, UsageLabel::SEND_RATE) = 1e6 * batch;
        Get(used.server, UsageLabel::SEND_RATE) = 3e6 * batch;
        return used;
    };
    for (uint32_t i = 0; i < 60; ++i)
    {
        const uint32_t batch = 4 * (1 + i % 8);
        estimator->Learn({MakeEstimated("m", batch, 1), 10}, use(batch));
    }
    for (const uint32_t batch : {4U, 16U, 32U})
    {
        const auto usage = estimator->Estimate({MakeEstimated("m", batch, 1), 10});
        EXPECT_NEAR(Get(usage->worker, UsageLabel::SEND_RATE) / (1e6 * batch), 1, 0.1);
        EXPECT_NEAR(Get(usage->server, UsageLabel::SEND_RATE) / (3e6 * batch), 1, 0.1);
    }
}

TEST(LinearEstimator, APlaneIsExact)
{
    // 2e6 x batch - 1e4 x iterations + 5e6; the other features are always the same. At batch 4 and
    // 2000 iterations that would be -7e6.
    const auto estimator = CreatePolicy<Estimator>("linear");
    const auto use = [](uint32_t batch, uint64_t iterations) {
        JobUsage used;
        Get(used.worker, UsageLabel::SEND_RATE) = 2e6 * batch - 1e4 * double(iterations) + 5e6;
        Get(used.server, UsageLabel::SEND_RATE) = 3e6;
        return used;
    };
    for (const auto& [batch, iterations] :
         std::vector<std::pair<uint32_t, uint64_t>>{{4, 100}, {8, 900}, {32, 300}})
    {
        EXPECT_FALSE(estimator->Estimate({MakeEstimated("m", batch, 1), iterations}));
        estimator->Learn({MakeEstimated("m", batch, 1), iterations}, use(batch, iterations));
    }
    const auto usage = estimator->Estimate({MakeEstimated("m", 20, 1), 700});
    ASSERT_TRUE(usage);
    EXPECT_NEAR(Get(usage->worker, UsageLabel::SEND_RATE), 38e6, 1); // 40e6 - 7e6 + 5e6
    EXPECT_NEAR(Get(usage->server, UsageLabel::SEND_RATE), 3e6, 1);
    const auto low = estimator->Estimate({MakeEstimated("m", 4, 1), 2000});
    EXPECT_EQ(Get(low->worker, UsageLabel::SEND_RATE), 0);
}

TEST(LinearEstimator, FeaturesThatSayTheSameAreNoMatter)
{
    // Batch and iterations always in proportion: the plane is not unique, its values there are.
    const auto estimator = CreatePolicy<Estimator>("linear");
    for (const uint32_t batch : {4U, 12U, 28U})
    {
        JobUsage used;
        Get(used.worker, UsageLabel::GPU_UTILISATION) = 0.02 * batch;
        estimator->Learn({MakeEstimated("m", batch, 0), 10 * batch}, used);
    }
    const auto usage = estimator->Estimate({MakeEstimated("m", 20, 0), 200});
    EXPECT_NEAR(Get(usage->worker, UsageLabel::GPU_UTILISATION), 0.4, 1e-12);
}

TEST(LinearEstimator, LeastSquares)
{
    // At batches 0, 1, 2, 3: 1, 2, 2, 5. Mean 2.5 at 1.5; slope (1.5 x 1.5 + 0.5 x 0.5 - 0.5 x 0.5
    // + 1.5 x 2.5) / 5 = 6 / 5.
    const auto estimator = CreatePolicy<Estimator>("linear");
    estimator->SetAttribute("Retrain", UintegerValue(4));
    const double values[] = {1, 2, 2, 5};
    for (uint32_t batch = 0; batch < 4; ++batch)
    {
        JobUsage used;
        Get(used.worker, UsageLabel::RECEIVE_RATE) = values[batch];
        estimator->Learn({MakeEstimated("m", batch, 0), 1}, used);
    }
    const auto usage = estimator->Estimate({MakeEstimated("m", 5, 0), 1});
    EXPECT_NEAR(Get(usage->worker, UsageLabel::RECEIVE_RATE), 2.5 + 3.5 * 1.2, 1e-12);
}

TEST(TableEstimator, AnswersWithTheMeanOfAlikeJobs)
{
    const auto estimator = CreatePolicy<Estimator>("table");
    const JobSpec job = MakeEstimated("m", 16, 0);
    EXPECT_FALSE(estimator->Estimate({job, 1}));
    for (const double rate : {2e6, 4e6, 9e6})
    {
        JobUsage used;
        Get(used.worker, UsageLabel::SEND_RATE) = rate;
        EXPECT_TRUE(estimator->Learn({job, 1}, used));
    }
    EXPECT_NEAR(Get(estimator->Estimate({job, 1})->worker, UsageLabel::SEND_RATE), 5e6, 1);
    EXPECT_FALSE(estimator->Estimate({MakeEstimated("m", 16, 1), 1}));
}

TEST(OracleEstimator, SaysWhatTheJobWouldUseAlone)
{
    const JobSpec job = MakeEstimated("m", 16, 0);
    EstimateQuestion question{job, 1};
    Get(question.uncontended.worker, UsageLabel::GPU_UTILISATION) = 0.75;
    const auto usage = CreatePolicy<Estimator>("oracle")->Estimate(question);
    EXPECT_EQ(Get(usage->worker, UsageLabel::GPU_UTILISATION), 0.75);
    EXPECT_FALSE(CreatePolicy<Estimator>("none")->IsAsked());
}

} // namespace
