// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-steady-stretch.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace ns3::ddl;

namespace
{

/** A stream over two links that delivers these bytes. */
Stretch
MakeStretch(const std::vector<float>& bytes)
{
    return {{2}, {bytes}};
}

TEST(SteadyStretch, ConstantRatesAreSkippedAfterTheirRecognition)
{
    const Stretch stretch{{2, 3}, {std::vector<float>(50, 100), std::vector<float>(50, 10)}};
    const SteadySum sum = MeasureStretch(stretch, {0.01, 1, 10}, 0);
    EXPECT_DOUBLE_EQ(sum.steady, 50 * (2 * 100 + 3 * 10));
    EXPECT_DOUBLE_EQ(sum.whileSteady.byteHops, 40 * (2 * 100 + 3 * 10));
    EXPECT_DOUBLE_EQ(sum.untilChange.byteHops, sum.whileSteady.byteHops);
    EXPECT_DOUBLE_EQ(sum.whileSteady.bytes, 40 * 110);
    EXPECT_DOUBLE_EQ(sum.whileSteady.error, 0);
}

TEST(SteadyStretch, AShortStretchHasNothingToSkip)
{
    EXPECT_EQ(MeasureStretch(MakeStretch(std::vector<float>(9, 100)), {0.01, 1, 10}, 0).steady, 0);
    const auto just = MeasureStretch(MakeStretch(std::vector<float>(10, 100)), {0.01, 1, 10}, 0);
    EXPECT_EQ(just.steady, 10 * 2 * 100);
    EXPECT_EQ(just.whileSteady.byteHops, 0);
}

TEST(SteadyStretch, AStepEndsASteadyTimeAndBeginsAnother)
{
    std::vector<float> bytes(30, 100);
    bytes.resize(50, 50); // 30 windows of 100, then 20 of 50
    const SteadySum sum = MeasureStretch(MakeStretch(bytes), {0.05, 1, 10}, 0);
    EXPECT_DOUBLE_EQ(sum.steady, 2 * (30 * 100 + 20 * 50));
    EXPECT_DOUBLE_EQ(sum.whileSteady.byteHops, 2 * (20 * 100 + 10 * 50));
    EXPECT_DOUBLE_EQ(sum.whileSteady.error, 0);
    // who does not know of the step predicts 20 windows of 50 bytes too much
    EXPECT_DOUBLE_EQ(sum.untilChange.bytes, 20 * 100 + 20 * 50);
    EXPECT_DOUBLE_EQ(sum.untilChange.error, 20 * 50);
}

TEST(SteadyStretch, AnOscillationOf3PercentIsSteadyAt5AndNotAt2)
{
    std::vector<float> bytes;
    for (int i = 0; i < 100; ++i)
    {
        bytes.push_back(i % 2 == 0 ? 97 : 103); // the mean of any even number is 100
    }
    const Stretch stretch = MakeStretch(bytes);
    EXPECT_DOUBLE_EQ(MeasureStretch(stretch, {0.05, 1, 10}, 0).steady, 2 * 100 * 100);
    EXPECT_EQ(MeasureStretch(stretch, {0.02, 1, 10}, 0).steady, 0);
    EXPECT_EQ(MeasureStretch(stretch, {0.01, 1, 10}, 0).steady, 0);
    // over two windows it vanishes, and a packet of 3 bytes explains it
    EXPECT_DOUBLE_EQ(MeasureStretch(stretch, {0.01, 2, 10}, 0).steady, 2 * 100 * 100);
    EXPECT_DOUBLE_EQ(MeasureStretch(stretch, {0.01, 1, 10}, 3).steady, 2 * 100 * 100);
}

TEST(SteadyStretch, OneUnsteadyStreamKeepsItsComponentFromBeingSkipped)
{
    std::vector<float> rising;
    for (int i = 0; i < 40; ++i)
    {
        rising.push_back(static_cast<float>(100 * std::pow(1.1, i)));
    }
    const Stretch stretch{{2, 2}, {std::vector<float>(40, 100), rising}};
    EXPECT_EQ(MeasureStretch(stretch, {0.05, 1, 10}, 0).steady, 0);
}

TEST(SteadyStretch, AnyRatesAreSteadyWithoutATolerance)
{
    std::vector<float> bytes(15, 0);
    bytes.resize(50, 50);
    const double any = std::numeric_limits<double>::infinity();
    const SteadySum sum = MeasureStretch(MakeStretch(bytes), {any, 1, 10}, 0);
    EXPECT_DOUBLE_EQ(sum.whileSteady.byteHops, 2 * 35 * 50);
    EXPECT_DOUBLE_EQ(sum.whileSteady.error, 35 * 50); // it had recognised a silent stream
}

TEST(SteadyStretch, TogetherAStreamOfFewBytesDoesNotMatter)
{
    std::vector<float> bytes;
    for (int i = 0; i < 40; ++i)
    {
        bytes.push_back(i % 2 == 0 ? 1 : 3); // differs by 1 of 102
    }
    const Stretch stretch{{2, 2}, {std::vector<float>(40, 100), bytes}};
    EXPECT_EQ(MeasureStretch(stretch, {0.02, 1, 10, false}, 0).steady, 0);
    EXPECT_DOUBLE_EQ(MeasureStretch(stretch, {0.02, 1, 10, true}, 0).steady, 2 * 40 * 102);
    EXPECT_EQ(MeasureStretch(stretch, {0.005, 1, 10, true}, 0).steady, 0);
}

/** Two streams for some windows of 100 bytes each; the second changes in the middle. */
class StretchFinderTest : public ::testing::Test
{
  protected:
    void Run(const std::vector<std::vector<uint32_t>>& saturated)
    {
        StretchFinder finder([this](const Stretch& found) { m_found.push_back(found); });
        for (int window = 0; window < 21; ++window)
        {
            const bool isFirst = window == 0; // both messages begin
            finder.AddWindow({{1, 2, 100, isFirst, false}, {2, 2, 100, isFirst || window == 10}},
                             window == 3 ? saturated : decltype(saturated){});
        }
        finder.Finish();
        EXPECT_DOUBLE_EQ(finder.GetByteHops(), 21 * 2 * 2 * 100);
        m_changing = finder.GetChanging() / 200;
    }

    /** \return streams and windows of the i-th stretch */
    std::pair<std::size_t, std::size_t> GetSize(std::size_t i) const
    {
        return {m_found.at(i).bytes.size(), m_found.at(i).GetWindows()};
    }

    std::vector<Stretch> m_found;
    double m_changing{0}; //!< windows of streams that belong to no stretch
};

TEST_F(StretchFinderTest, AChangeDoesNotConcernAnotherComponent)
{
    Run({});
    ASSERT_EQ(m_found.size(), 3U);
    EXPECT_EQ(GetSize(0), std::make_pair(std::size_t{1}, std::size_t{9})); // windows 1 to 9
    EXPECT_EQ(GetSize(1), std::make_pair(std::size_t{1}, std::size_t{20}));
    EXPECT_EQ(GetSize(2), std::make_pair(std::size_t{1}, std::size_t{10}));
    EXPECT_DOUBLE_EQ(m_changing, 3);
}

TEST_F(StretchFinderTest, ASaturatedPortJoinsItsStreamsUntilOneChanges)
{
    Run({{1, 2}});
    ASSERT_EQ(m_found.size(), 3U);
    EXPECT_EQ(GetSize(0), std::make_pair(std::size_t{2}, std::size_t{9}));
    EXPECT_EQ(GetSize(1), std::make_pair(std::size_t{1}, std::size_t{10})); // alone again
    EXPECT_EQ(GetSize(2), std::make_pair(std::size_t{1}, std::size_t{10}));
    EXPECT_DOUBLE_EQ(m_changing, 4);
}

TEST(StretchFinder, AJoinedStretchBeginsWithTheLaterOfTheTwo)
{
    std::vector<Stretch> found;
    StretchFinder finder([&found](const Stretch& each) { found.push_back(each); });
    for (uint32_t window = 0; window < 20; ++window)
    {
        std::vector<StreamWindow> streams{{1, 2, 100, window == 0, false}};
        if (window >= 10)
        {
            streams.push_back({2, 2, 50, window == 10, false});
        }
        finder.AddWindow(streams,
                         window == 15 ? std::vector<std::vector<uint32_t>>{{2, 1}}
                                      : std::vector<std::vector<uint32_t>>{});
    }
    finder.Finish();
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].bytes, std::vector<std::vector<float>>{std::vector<float>(10, 100)});
    ASSERT_EQ(found[1].bytes.size(), 2U);
    EXPECT_EQ(found[1].GetWindows(), 9U); // windows 11 to 19
}

} // namespace
