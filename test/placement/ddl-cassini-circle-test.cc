// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ddl-cassini-circle.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace ns3::ddl;

namespace
{

/** A job of the search by brute force: all in bins of the circle. */
struct BinnedJob
{
    int iteration{1}; //!< bins
    int up{1};        //!< bins
    int step{1};      //!< bins between two rotations
    double demand{1};
};

/** \return the score with these rotations, bin by bin */
double
ScoreInBins(const std::vector<BinnedJob>& jobs, const std::vector<int>& steps, int bins)
{
    double excess = 0;
    for (int bin = 0; bin < bins; ++bin)
    {
        double demand = 0;
        for (std::size_t i = 0; i < jobs.size(); ++i)
        {
            const int own = (bin - steps[i] * jobs[i].step + 100 * bins) % jobs[i].iteration;
            demand += own < jobs[i].up ? jobs[i].demand : 0;
        }
        excess += std::max(0.0, demand - 1);
    }
    return 1 - excess / bins;
}

/** \return the best score of all rotations of all jobs but the first */
double
FindBestInBins(const std::vector<BinnedJob>& jobs, int bins)
{
    std::vector<int> steps(jobs.size(), 0);
    double best = -1e9;
    while (true)
    {
        best = std::max(best, ScoreInBins(jobs, steps, bins));
        std::size_t job = 1;
        while (job < jobs.size() && ++steps[job] * jobs[job].step >= jobs[job].iteration)
        {
            steps[job++] = 0;
        }
        if (job == jobs.size())
        {
            return best;
        }
    }
}

std::vector<LinkPattern>
ToPatterns(const std::vector<BinnedJob>& jobs, double bin)
{
    std::vector<LinkPattern> patterns;
    for (const BinnedJob& job : jobs)
    {
        patterns.push_back({job.up * bin, job.demand});
    }
    return patterns;
}

UnifiedCircle
ToCircle(const std::vector<BinnedJob>& jobs, int bins, double bin)
{
    UnifiedCircle circle{bins * bin, {}};
    for (const BinnedJob& job : jobs)
    {
        circle.iterations.push_back(bins / job.iteration);
    }
    return circle;
}

/** \return the longest stretch of an iteration on a circle of that perimeter */
double
GetStretch(const std::vector<double>& iterations, double perimeter)
{
    double longest = 1;
    for (const double iteration : iterations)
    {
        const double count = std::floor(perimeter / iteration + 1e-9);
        longest = std::max(longest, perimeter / count / iteration);
    }
    return longest;
}

} // namespace

TEST(CassiniCircle, ThePerimeterIsTheLeastCommonMultiple)
{
    const UnifiedCircle circle = MakeCircle({0.04, 0.06}, 0, 8);
    EXPECT_DOUBLE_EQ(circle.perimeter, 0.12);
    EXPECT_EQ(circle.iterations, (std::vector<uint32_t>{3, 2}));
    EXPECT_DOUBLE_EQ(circle.GetIteration(0), 0.04);
    const UnifiedCircle three =
        MakeCircle({0.03, 0.05, 0.02}, 0, 8); // 30 = 10 x 3 = 6 x 5 = 15 x 2
    EXPECT_NEAR(three.perimeter, 0.3, 1e-12);
    EXPECT_EQ(three.iterations, (std::vector<uint32_t>{10, 6, 15}));
    EXPECT_DOUBLE_EQ(MakeCircle({7.5}, 0, 1).perimeter, 7.5);
}

TEST(CassiniCircle, IterationsAreStretchedToFitAShortOne)
{
    // 102 fits both if 100 grows by 2 %; their least common multiple is 5100.
    const UnifiedCircle circle = MakeCircle({100, 102}, 0.05, 8);
    EXPECT_DOUBLE_EQ(circle.perimeter, 102);
    EXPECT_EQ(circle.iterations, (std::vector<uint32_t>{1, 1}));
}

TEST(CassiniCircle, NeverShortensAnIterationAndFindsTheLeastStretchWithinTheBound)
{
    std::mt19937 random(1);
    std::uniform_real_distribution<double> length(1, 4);
    for (int i = 0; i < 300; ++i)
    {
        std::vector<double> iterations(2 + i % 3);
        std::generate(iterations.begin(), iterations.end(), [&] { return length(random); });
        const double longest = *std::max_element(iterations.begin(), iterations.end());
        const UnifiedCircle circle = MakeCircle(iterations, 0, 6);
        for (std::size_t job = 0; job < iterations.size(); ++job)
        {
            EXPECT_GE(circle.GetIteration(job), iterations[job] * (1 - 1e-8));
        }
        EXPECT_LE(circle.perimeter, 6 * longest * (1 + 1e-8));
        double best = 10;
        for (double perimeter = longest; perimeter <= 6 * longest; perimeter *= 1.0001)
        {
            best = std::min(best, GetStretch(iterations, perimeter));
        }
        EXPECT_LE(GetStretch(iterations, circle.perimeter), best + 1e-3);
        // a bound that is met stops the search at the first perimeter that meets it
        const double met = GetStretch(iterations, MakeCircle(iterations, 0.05, 6).perimeter);
        EXPECT_TRUE(met <= 1.05 + 1e-8 || met <= best + 1e-3) << met << " " << best;
    }
}

/** The paper's example: the jobs overlap for a fifth of the time, with twice the capacity. */
TEST(CassiniCircle, TwoJobsThatSendSixtyPercentOfTheTime)
{
    const UnifiedCircle circle = MakeCircle({1, 1}, 0, 1);
    const auto rotation = FindRotation(circle, {{0.6, 1}, {0.6, 1}}, 5);
    EXPECT_NEAR(rotation.score, 0.8, 1e-9);
    EXPECT_EQ(rotation.shifts[0], 0);
    EXPECT_GE(rotation.shifts[1], 0.4 - 1e-9);
    EXPECT_LE(rotation.shifts[1], 0.6 + 1e-9);
    EXPECT_NEAR(GetCompatibility(circle, {{0.6, 1}, {0.6, 1}}, {0, 0}), 0.4, 1e-9); // in step
}

TEST(CassiniCircle, JobsThatFitStandApart)
{
    const auto rotation = FindRotation(MakeCircle({1, 1}, 0, 1), {{0.4, 1}, {0.4, 1}}, 5);
    EXPECT_NEAR(rotation.score, 1, 1e-9);
    EXPECT_NEAR(rotation.shifts[1],
                0.5,
                1e-9); // not at 0.4, where the least delay makes a conflict
}

TEST(CassiniCircle, TheScoreMayBeNegative)
{
    const UnifiedCircle circle{1, {1, 1, 1, 1}};
    EXPECT_NEAR(GetCompatibility(circle, std::vector<LinkPattern>(4, {1, 1}), {0, 0, 0, 0}),
                -2,
                1e-9);
}

/** One turn holds one, two or three iterations; rotations of 5 degrees of the own iteration. */
TEST(CassiniCircle, TheRotationOfTwoAndThreeJobsIsTheBestOfAll)
{
    constexpr int BINS = 432; // 72 rotations of 6, 3 or 2 bins
    constexpr double BIN = 1e-3;
    std::mt19937 random(2);
    for (int i = 0; i < 24; ++i)
    {
        std::vector<BinnedJob> jobs(2 + i % 4 / 3); // three jobs every fourth time
        for (BinnedJob& job : jobs)
        {
            const int turns = 1 + static_cast<int>(random() % 3);
            job.iteration = BINS / turns;
            job.step = job.iteration / 72;
            job.up = 1 + static_cast<int>(random() % job.iteration);
            job.demand = 0.3 + 0.1 * static_cast<double>(random() % 8);
        }
        const auto rotation = FindRotation(ToCircle(jobs, BINS, BIN), ToPatterns(jobs, BIN), 5);
        EXPECT_NEAR(rotation.score, FindBestInBins(jobs, BINS), 1e-9) << i;
        EXPECT_NEAR(
            GetCompatibility(ToCircle(jobs, BINS, BIN), ToPatterns(jobs, BIN), rotation.shifts),
            rotation.score,
            1e-9);
    }
}

TEST(CassiniCircle, TheSearchWithMoreJobsComesClose)
{
    constexpr int BINS = 72; // 12 rotations of 6 bins
    std::mt19937 random(3);
    double lost = 0;
    for (int i = 0; i < 100; ++i)
    {
        std::vector<BinnedJob> jobs(4 + i % 2);
        for (BinnedJob& job : jobs)
        {
            job = {BINS,
                   1 + static_cast<int>(random() % 36),
                   6,
                   0.4 + 0.1 * static_cast<double>(random() % 7)};
        }
        const double best = FindBestInBins(jobs, BINS);
        const auto rotation = FindRotation(ToCircle(jobs, BINS, 1), ToPatterns(jobs, 1), 30);
        EXPECT_LE(rotation.score, best + 1e-9);
        EXPECT_GE(rotation.score, best - 0.1);
        lost += best - rotation.score;
    }
    EXPECT_LE(lost / 100, 0.01);
}
