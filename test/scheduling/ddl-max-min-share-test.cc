// SPDX-License-Identifier: GPL-2.0-only
// Gavel's linear program beside an enumeration of all its vertices, and its paper's example.
#include "ns3/ddl-max-min-share.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <vector>

using namespace ns3::ddl;

namespace
{

using ShareRow = std::vector<double>;

/** Rows with row . x <= limit. */
struct SharePolyhedron
{
    std::vector<ShareRow> rows;
    std::vector<double> limits;

    void Add(ShareRow row, double limit)
    {
        rows.push_back(std::move(row));
        limits.push_back(limit);
    }
};

/** \return the point at which all these rows are tight; none: they are not independent */
std::optional<ShareRow>
FindShareVertex(const SharePolyhedron& all, const std::vector<std::size_t>& tight)
{
    const std::size_t n = tight.size();
    std::vector<ShareRow> a;
    for (const std::size_t i : tight)
    {
        a.push_back(all.rows[i]);
        a.back().push_back(all.limits[i]);
    }
    for (std::size_t column = 0; column < n; ++column)
    {
        const auto pivot = std::max_element(a.begin() + column, a.end(), [&](auto& x, auto& y) {
            return std::abs(x[column]) < std::abs(y[column]);
        });
        if (std::abs((*pivot)[column]) < 1e-9)
        {
            return std::nullopt;
        }
        std::swap(a[column], *pivot);
        for (std::size_t i = 0; i < n; ++i)
        {
            const double factor = i == column ? 0 : a[i][column] / a[column][column];
            for (std::size_t j = column; factor != 0 && j <= n; ++j)
            {
                a[i][j] -= factor * a[column][j];
            }
        }
    }
    ShareRow x;
    for (std::size_t i = 0; i < n; ++i)
    {
        x.push_back(a[i][n] / a[i][i]);
    }
    return x;
}

bool
IsInsideOf(const SharePolyhedron& all, const ShareRow& x)
{
    for (std::size_t i = 0; i < all.rows.size(); ++i)
    {
        double sum = 0;
        for (std::size_t j = 0; j < x.size(); ++j)
        {
            sum += all.rows[i][j] * x[j];
        }
        if (sum > all.limits[i] + 1e-9)
        {
            return false;
        }
    }
    return true;
}

/** \return the constraints of Gavel §4.1 on (t, X_11, X_12, ...) */
SharePolyhedron
MakeShareConstraints(const std::vector<uint32_t>& pools, const std::vector<ShareDemand>& jobs)
{
    const std::size_t types = pools.size();
    const std::size_t n = 1 + jobs.size() * types;
    double gpus = 0;
    for (const uint32_t pool : pools)
    {
        gpus += pool;
    }
    SharePolyhedron all;
    for (std::size_t m = 0; m < jobs.size(); ++m)
    {
        ShareRow throughput(n);
        ShareRow time(n);
        double equal = 0;
        for (std::size_t j = 0; j < types; ++j)
        {
            equal += jobs[m].speeds[j] * pools[j] / gpus;
        }
        throughput[0] = 1;
        for (std::size_t j = 0; j < types; ++j)
        {
            const std::size_t x = 1 + m * types + j;
            throughput[x] = -jobs[m].speeds[j] * jobs[m].gpus / jobs[m].weight / equal;
            time[x] = 1;
            ShareRow positive(n);
            positive[x] = -1;
            all.Add(positive, 0);
            if (pools[j] < jobs[m].gpus)
            {
                ShareRow nothing(n);
                nothing[x] = 1;
                all.Add(nothing, 0);
            }
        }
        all.Add(throughput, 0);
        all.Add(time, 1);
    }
    for (std::size_t j = 0; j < types; ++j)
    {
        ShareRow pool(n);
        for (std::size_t m = 0; m < jobs.size(); ++m)
        {
            pool[1 + m * types + j] = jobs[m].gpus;
        }
        all.Add(pool, pools[j]);
    }
    return all;
}

/** \return the greatest least throughput, over all vertices */
double
SolveSharesByVertices(const std::vector<uint32_t>& pools, const std::vector<ShareDemand>& jobs)
{
    const SharePolyhedron all = MakeShareConstraints(pools, jobs);
    const std::size_t n = 1 + jobs.size() * pools.size();
    std::vector<bool> isTight(all.rows.size());
    std::fill(isTight.begin(), isTight.begin() + n, true);
    double best = 0;
    do
    {
        std::vector<std::size_t> tight;
        for (std::size_t i = 0; i < isTight.size(); ++i)
        {
            isTight[i] ? tight.push_back(i) : void();
        }
        const auto x = FindShareVertex(all, tight);
        if (x && x->front() > best && IsInsideOf(all, *x))
        {
            best = x->front();
        }
    } while (std::prev_permutation(isTight.begin(), isTight.end()));
    return best;
}

class MaxMinShareTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        if (!HasShareSolver())
        {
            GTEST_SKIP() << "built without lp_solve";
        }
    }
};

TEST_F(MaxMinShareTest, ThreeHundredInstancesAsAllTheirVerticesSay)
{
    std::mt19937 random(2020);
    for (int instance = 0; instance < 300; ++instance)
    {
        const std::size_t types = 1 + random() % 3;
        const std::size_t most = types == 1 ? 6 : types == 2 ? 3 : 2;
        const std::size_t count = 1 + random() % (instance % 30 == 0 ? most + 1 : most);
        std::vector<uint32_t> pools(types);
        for (uint32_t& pool : pools)
        {
            pool = 1 + random() % 8;
        }
        std::vector<ShareDemand> jobs(count);
        for (ShareDemand& job : jobs)
        {
            job.gpus = 1 + random() % 4;
            job.weight = 0.5 * (1 + random() % 4);
            for (std::size_t j = 0; j < types; ++j)
            {
                job.speeds.push_back(random() % 5 == 0 ? 0 : 0.1 * (1 + random() % 20));
            }
            job.speeds[random() % types] = 1;
        }
        if (instance % 3 == 0)
        {
            jobs.back() = jobs.front(); // equal jobs are one set of variables
        }
        const MaxMinShares answer = SolveMaxMinShares(pools, jobs);
        EXPECT_NEAR(answer.least, SolveSharesByVertices(pools, jobs), 1e-6) << instance;
        ShareRow point{answer.least - 1e-6}; // the shares keep what they promise
        for (const auto& shares : answer.shares)
        {
            point.insert(point.end(), shares.begin(), shares.end());
        }
        for (double& value : point)
        {
            value *= 1 - 1e-9;
        }
        EXPECT_TRUE(IsInsideOf(MakeShareConstraints(pools, jobs), point)) << instance;
    }
}

TEST_F(MaxMinShareTest, ThePapersThreeJobsOnAV100AndAK80)
{
    // Gavel §4.1: throughputs of 40 and 10, 12 and 4, 100 and 50. Job 3 has x of the V100 and the
    // rest of its time the K80, where job 2 fills x. Equal throughputs (1 + x) of a third of both:
    // (1 + x)/2.4 + (1 + x)/2.25 - x/3 + x = 1, so x = 1/11, and all get 12/11 of it.
    const MaxMinShares answer =
        SolveMaxMinShares({1, 1}, {{1, 1, {40, 10}}, {1, 1, {12, 4}}, {1, 1, {100, 50}}});
    // The mean over the GPUs is 3/2 of a third of each.
    EXPECT_NEAR(answer.least * 3 / 2, 12.0 / 11, 1e-9);
    const std::vector<std::vector<double>> printed{{0.45, 0}, {0.45, 0.09}, {0.09, 0.91}};
    for (std::size_t m = 0; m < 3; ++m)
    {
        for (std::size_t j = 0; j < 2; ++j)
        {
            EXPECT_NEAR(answer.shares[m][j], printed[m][j], 0.005) << m << " " << j;
        }
    }
}

TEST_F(MaxMinShareTest, EqualJobsGetEqualShares)
{
    // Three jobs share two GPUs: each has 2/3 of the time, and no more than 1/3 on either.
    const ShareDemand job{1, 1, {4, 1}};
    const MaxMinShares answer = SolveMaxMinShares({1, 1}, {job, job, job});
    for (const auto& shares : answer.shares)
    {
        EXPECT_NEAR(shares[0], 1.0 / 3, 1e-9);
        EXPECT_NEAR(shares[1], 1.0 / 3, 1e-9);
    }
    EXPECT_NEAR(answer.least, 2.0 / 3, 1e-9); // (4 + 1) / 3 over the mean speed, 5/2
}

TEST_F(MaxMinShareTest, NobodyNeedsAProgramWithoutJobs)
{
    EXPECT_TRUE(SolveMaxMinShares({1}, {}).shares.empty());
}

} // namespace
