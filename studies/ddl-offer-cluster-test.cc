// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-offer-workload.h"

#include "ns3/ddl-error.h"

#include <fstream>
#include <gtest/gtest.h>
#include <numeric>

using namespace ns3::ddl;

namespace
{

/** \return speed of a job: a job of the model "half" computes half of its time, others always. */
double
GetSpeed(const OfferJob& job, const OfferTiers& tiers)
{
    return job.model == "half" || tiers.inRack > 1 ? 0.5 : 1;
}

OfferJob
MakeJob(uint32_t gpus, uint64_t iterations, double seconds, const std::string& model = "full")
{
    OfferJob job;
    job.model = model;
    job.gpus = gpus;
    job.iterations = iterations;
    job.seconds = seconds;
    return job;
}

/** \return options: a server of 8 GPUs, leases of 10 s, a look at the lease per iteration */
OfferOptions
MakeOptions(bool allBid)
{
    OfferOptions options;
    options.racks = 1;
    options.servers = 1;
    options.lease = 10;
    options.block = 1;
    options.isDally = false;
    options.allBid = allBid;
    return options;
}

// A runs from 0 to 9, 18, 27, 36: after 9 s another iteration of 3 s would outlast the lease. B
// runs from 0 to 9.6, 19.2, 28.8, for the same reason. There are 8 GPUs, and each waits for nobody.
const std::vector<OfferJob> TWO_JOBS = {MakeJob(1, 12, 3), MakeJob(1, 12, 2.4)};

TEST(OfferCluster, JobsThatWaitBid)
{
    const OfferResult result = RunOffers(TWO_JOBS, MakeOptions(false), GetSpeed);
    EXPECT_NEAR(result.jct[0], 36, 1e-9);
    EXPECT_NEAR(result.jct[1], 28.8, 1e-9);
    EXPECT_NEAR(result.meanHeld, (36 + 28.8) / 36, 1e-9);
    EXPECT_NEAR(result.meanComputing, (36 + 28.8) / 36, 1e-9);
}

// Both begin at 0 at the first offer (one per arrival), and at the second each wins 1 GPU more: 4
// are held. At 9 A gives 1 back and gets it again, B wins 1: 5. At 9.6 it is A that wins one: 6; at
// 18 B: 7; at 19.2 A: 8. At 27 A has had 27 GPU seconds, B 19.2 + 7.2 (3 of the 4 iterations of its
// run), so B wins the GPU that A gave back, and A waits. At 28.8 B is done and gives 5 GPUs back,
// offered 5 s later: A runs from 33.8 to 42.8, beside the 3 that it forgot.
TEST(OfferCluster, JobsThatComputeBidAndForgetWhatTheyWin)
{
    const OfferResult result = RunOffers(TWO_JOBS, MakeOptions(true), GetSpeed);
    EXPECT_NEAR(result.jct[0], 42.8, 1e-9);
    EXPECT_NEAR(result.jct[1], 28.8, 1e-9);
    const double held = 4 * 9 + 5 * 0.6 + 6 * 8.4 + 7 * 1.2 + 8 * 9.6 + 3 * 5 + 4 * 9;
    EXPECT_NEAR(result.meanHeld, held / 42.8, 1e-9);
    EXPECT_NEAR(result.meanComputing, (36 + 28.8) / 42.8, 1e-9);
}

// B's iterations take 30 s. It wins 1 GPU at 0, none at 9, 18 and 27 (still the same iteration). At
// 30 it gives both back, as the lease of the one that it won is over, too; they are offered 1 s
// later: B goes on, and A, which ends at 36, wins 1 for the second time. A's 3 GPUs are offered at
// 39, and B wins 1. B ends at 61.
TEST(OfferCluster, AJobWinsOncePerBlock)
{
    const std::vector<OfferJob> jobs = {MakeJob(1, 12, 3), MakeJob(1, 2, 30)};
    const OfferResult result = RunOffers(jobs, MakeOptions(true), GetSpeed);
    EXPECT_NEAR(result.jct[0], 36, 1e-9);
    EXPECT_NEAR(result.jct[1], 61, 1e-9);
    EXPECT_NEAR(result.meanHeld, (4 * 30 + 2 * 1 + 4 * 5 + 1 * 3 + 2 * 22) / 61.0, 1e-9);
}

// Two jobs of 2 GPUs on 2. X runs from 0 to 9 (3 blocks of 1.5 s, doubled), Y to 17.7 (3 of 2.9 s).
// Then X has had 18 GPU seconds and computed half of the time, Y 17.4, and all of it. Whoever is
// done first, after its second run, gives its GPUs back 2 s later.
TEST(OfferCluster, DallyPrefersJobsThatCommunicateTiresiasThoseWithLeastService)
{
    const std::vector<OfferJob> jobs = {MakeJob(2, 12, 1.5, "half"), MakeJob(2, 12, 2.9)};
    OfferOptions options = MakeOptions(false);
    options.gpus = 2;
    const OfferResult tiresias = RunOffers(jobs, options, GetSpeed);
    EXPECT_NEAR(tiresias.jct[1], 17.7 + 8.7, 1e-9);
    EXPECT_NEAR(tiresias.jct[0], 26.4 + 2 + 9, 1e-9);
    options.isDally = true;
    const OfferResult dally = RunOffers(jobs, options, GetSpeed);
    EXPECT_NEAR(dally.jct[0], 17.7 + 9, 1e-9);
    EXPECT_NEAR(dally.jct[1], 26.7 + 2 + 8.7, 1e-9);
}

// Two servers of 2 GPUs: A and a long job, B and a long job. D waits for 2 GPUs; B is done at 1.
// At 9, 18, ... A gives its GPU back, and one is free on either server. Tiresias takes them at 9,
// also for a skewed job, since 2 + 1 exceed the 2 of a server. Dally's timer is 6 leases without
// waits of others, so D declines until 63. On two servers its 4 s take 8.
TEST(OfferCluster, DallyDeclinesServersOfARackForSixLeases)
{
    const std::vector<OfferJob> jobs = {MakeJob(1, 100, 3),
                                        MakeJob(1, 1, 1000),
                                        MakeJob(1, 1, 1),
                                        MakeJob(1, 1, 1000),
                                        MakeJob(2, 2, 4)};
    OfferOptions options = MakeOptions(false);
    options.servers = 2;
    options.gpus = 2;
    EXPECT_NEAR(RunOffers(jobs, options, GetSpeed).jct[4], 9 + 8, 1e-9);
    std::vector<OfferJob> skewed = jobs;
    skewed[4].isSkewed = true;
    EXPECT_NEAR(RunOffers(skewed, options, GetSpeed).jct[4], 9 + 8, 1e-9);
    options.isDally = true;
    EXPECT_NEAR(RunOffers(jobs, options, GetSpeed).jct[4], 63 + 8, 1e-9);
}

TEST(OfferCluster, TiersDivideTheGpusOrAreOneRing)
{
    const auto list = [](const OfferTiers& tiers) {
        return std::vector<uint32_t>{tiers.inHalf, tiers.inServer, tiers.inRack, tiers.across};
    };
    EXPECT_EQ(list(FindTiers(4, 1, 1, 1)), (std::vector<uint32_t>{4, 1, 1, 1}));
    EXPECT_EQ(list(FindTiers(8, 2, 1, 1)), (std::vector<uint32_t>{4, 2, 1, 1}));
    // 16 over 2 servers are 8; these over all 4 halves are 2
    EXPECT_EQ(list(FindTiers(16, 4, 2, 1)), (std::vector<uint32_t>{2, 4, 2, 1}));
    EXPECT_EQ(list(FindTiers(8, 8, 8, 1)), (std::vector<uint32_t>{1, 1, 8, 1}));
    EXPECT_EQ(list(FindTiers(16, 5, 3, 1)), (std::vector<uint32_t>{1, 1, 16, 1}));
    EXPECT_EQ(list(FindTiers(16, 6, 5, 3)), (std::vector<uint32_t>{1, 1, 1, 16}));
}

TEST(OfferWorkload, JobsAreThoseOfTheBatch)
{
    const std::vector<OfferJob> jobs = MakeOfferJobs(1);
    EXPECT_EQ(jobs.size(), 500U);
    const auto gpus =
        std::accumulate(jobs.begin(), jobs.end(), 0U, [](uint32_t sum, const auto& job) {
            return sum + job.gpus;
        });
    EXPECT_EQ(gpus, 2544U);
    for (const OfferJob& job : jobs)
    {
        const double seconds = static_cast<double>(job.iterations) * job.seconds;
        EXPECT_GT(seconds, 7000);
        EXPECT_LT(seconds, 1166e3);
    }
}

TEST(OfferWorkload, JobsOfAFile)
{
    const std::string file = testing::TempDir() + "offer-jobs.csv";
    std::ofstream(file) << "model,gpus,iterations,seconds_per_iteration\nVGG11,4,3000000000,0.25\n";
    const std::vector<OfferJob> jobs = ReadOfferJobs(file);
    ASSERT_EQ(jobs.size(), 1U);
    EXPECT_EQ(jobs[0].gpus, 4U);
    EXPECT_EQ(jobs[0].iterations, 3000000000U);
    EXPECT_DOUBLE_EQ(jobs[0].seconds, 0.25);
    EXPECT_TRUE(jobs[0].isSkewed);
    for (const std::string row : {"VGG12,4,3,0.25",
                                  "VGG11,4,-3,0.25",
                                  "VGG11,-4,3,0.25",
                                  "VGG11,4,2.5,0.25",
                                  "VGG11,4,3,0.25,7",
                                  "VGG11,4,3"})
    {
        std::ofstream(file) << "model,gpus,iterations,seconds_per_iteration\n" << row << "\n";
        EXPECT_THROW(ReadOfferJobs(file), InputError) << row;
    }
    EXPECT_THROW(ReadOfferJobs(file + "x"), InputError);
}

// MobileNetV3 computes 63.3 us. Its 54 layers, on 4 + 4 GPUs in two racks, take 2 steps of 100 us
// each: 10.8 ms, of which the backward pass hides little. Table I: 196 times the compute time.
TEST(OfferWorkload, AcrossRacksLatencyDecides)
{
    OfferTiers tiers;
    tiers.inHalf = 4;
    tiers.across = 2;
    const double share = GetComputeShare(MakeJob(8, 1, 1, "MobileNetV3"), tiers, {});
    EXPECT_NEAR(1 / share - 1, 10800 / 63.3, 2);
    tiers.across = 1;
    tiers.inRack = 2; // 540 us; Table I: 9.4 times
    const double rack = GetComputeShare(MakeJob(8, 1, 1, "MobileNetV3"), tiers, {});
    EXPECT_NEAR(1 / rack - 1, 540 / 63.3, 1);
}

} // namespace
