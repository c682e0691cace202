// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_OFFER_CLUSTER_H
#define DDL_OFFER_CLUSTER_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A job of Dally's own simulation. It is there from the beginning (the paper's batch). */
struct OfferJob
{
    std::string model;
    uint32_t gpus{1};
    uint64_t iterations{1}; //!< of all its GPUs together: K GPUs end K of them at a time
    double seconds{1};      //!< of an iteration on one GPU
    bool isSkewed{false};   //!< Tiresias wants it on few servers
};

/** How many GPUs communicate with each other in each tier, 1 if none do. */
struct OfferTiers
{
    uint32_t inHalf{1};   //!< of a server
    uint32_t inServer{1}; //!< halves
    uint32_t inRack{1};   //!< servers
    uint32_t across{1};   //!< racks
};

/** \return the share of its time for which a job computes, 0 to 1 */
using OfferSpeed = std::function<double(const OfferJob& job, const OfferTiers& tiers)>;

/** The cluster, the scheduler and its parameters. */
struct OfferOptions
{
    uint32_t racks{8};
    uint32_t servers{8};               //!< of a rack
    uint32_t gpus{8};                  //!< of a server, in two halves
    std::vector<uint32_t> serverOrder; //!< in which room for a job is looked for; empty: ascending
    double lease{3600};                //!< seconds
    double history{48};                //!< leases for which a past wait counts
    double block{1000};                //!< iterations between two looks at the lease
    bool isDally{true};                //!< otherwise Tiresias
    bool allBid{false};                //!< the slip: jobs that compute bid, too, see RunOffers
};

/** What came of a run. */
struct OfferResult
{
    double makespan{0};      //!< seconds
    double meanHeld{0};      //!< GPUs that are leased, mean over time
    double meanComputing{0}; //!< GPUs of jobs that run, mean over time
    std::vector<double> jct; //!< seconds, by job
};

/**
 * The allocator of the simulator that Dally's authors publish, in our own words: jobs, offers and
 * leases, without messages.
 *
 * A job that waits and gets its K GPUs computes block after block of iterations. When its lease is
 * over, or would be before the next block ends, it gives its GPUs back and waits. They are free at
 * once; the offer that follows comes K seconds later (the time of a checkpoint) if the lease was
 * over, else at once. Any earlier offer has these GPUs, too. At an offer all jobs that bid are asked
 * in order: Dally's with the least share of computing in their time so far first, Tiresias' with the
 * least GPU time. Ties go to the job whose wait (or run) began first, then to the earlier one of the
 * list. Jobs in front that decline do not block those behind.
 *
 * `allBid` is what that program does. It asks all jobs that own no GPUs for their next block, and
 * while a job computes it owns none. So a job that runs wins K more GPUs, once per block. When its
 * block ends it forgets them, and they stay leased until the job has ended. (If the block outlasted
 * the lease, those of them whose lease is over, too, are given back.)
 *
 * \param jobs that are there at time 0
 * \param speed of a job on its GPUs; not asked about jobs of one GPU
 */
OfferResult RunOffers(const std::vector<OfferJob>& jobs,
                      const OfferOptions& options,
                      const OfferSpeed& speed);

/**
 * \param gpus of a job
 * \param halves, servers, racks that it has GPUs in, in all
 * \return the tiers of its all-reduce as that simulator finds them: from the racks down, each tier
 *         divides the GPUs by all that it has of them. Where they do not divide, all that are left
 *         are one ring in that tier.
 */
OfferTiers FindTiers(uint32_t gpus, uint32_t halves, uint32_t servers, uint32_t racks);

} // namespace ns3::ddl

#endif // DDL_OFFER_CLUSTER_H
