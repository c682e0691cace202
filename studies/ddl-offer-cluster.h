// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_OFFER_CLUSTER_H
#define DDL_OFFER_CLUSTER_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A job of Dally's own simulation. All jobs are submitted at 0 (the paper's batch). */
struct OfferJob
{
    std::string model;
    uint32_t gpus{1};
    uint64_t iterations{1}; //!< iterations of all GPUs together: K GPUs end K at a time
    double seconds{1};      //!< time of an iteration on one GPU, seconds
    bool isSkewed{false};   //!< Tiresias places it on as few servers as possible
};

/** How many GPUs communicate with each other in each tier, 1 if none do. */
struct OfferTiers
{
    uint32_t inHalf{1};   //!< size of the ring of GPUs in half a server
    uint32_t inServer{1}; //!< size of the ring of halves
    uint32_t inRack{1};   //!< size of the ring of servers
    uint32_t across{1};   //!< size of the ring of racks
};

/** \return the share of its time for which a job computes, 0 to 1 */
using OfferSpeed = std::function<double(const OfferJob& job, const OfferTiers& tiers)>;

/** The cluster, the scheduler and its parameters. */
struct OfferOptions
{
    uint32_t racks{8};
    uint32_t servers{8};               //!< servers per rack
    uint32_t gpus{8};                  //!< GPUs per server, in two halves
    std::vector<uint32_t> serverOrder; //!< order in which servers are searched; empty: ascending
    double lease{3600};                //!< length of a lease, seconds
    double history{48};                //!< time for which a past wait counts, leases
    double block{1000};                //!< iterations per GPU between two looks at the lease
    bool isDally{true};                //!< the policy is Dally; false: Tiresias
    bool allBid{false};                //!< the slip: jobs that compute bid, too (RunOffers)
};

/** Results of a run. */
struct OfferResult
{
    double makespan{0};      //!< end of the last job, seconds
    double meanHeld{0};      //!< mean number of leased GPUs over time
    double meanComputing{0}; //!< mean number of GPUs of running jobs over time
    std::vector<double> jct; //!< completion time of each job, seconds
};

/**
 * Simulate the allocator of the program that Dally's authors publish, in our own words: jobs,
 * offers and leases, without messages.
 *
 * A job that waits and gets its K GPUs computes block after block of iterations. When its lease is
 * over, or would be before the next block ends, it gives its GPUs back and waits. They are free at
 * once; the offer that follows comes K seconds later (the time of a checkpoint) if the lease was
 * over, else at once. An earlier offer has these GPUs, too. At an offer all jobs that bid are asked
 * in order: Dally's with the least share of computing in their time so far first, Tiresias' with
 * the least GPU time. Ties go to the job whose wait (or run) began first, then to the earlier one
 * of the list. Jobs in front that decline do not block those behind.
 *
 * `allBid` repeats a slip of that program. It asks all jobs that own no GPUs for their next block,
 * and while a job computes it owns none. So a job that runs wins K more GPUs, once per block.
 * When its block ends it forgets them, and they stay leased until the job has ended. (If the block
 * outlasted the lease, those of them whose lease is over, too, are given back.)
 *
 * \param jobs jobs that are submitted at time 0
 * \param speed gives the speed of a job on its GPUs; not called for jobs of one GPU
 */
OfferResult RunOffers(const std::vector<OfferJob>& jobs,
                      const OfferOptions& options,
                      const OfferSpeed& speed);

/**
 * \param gpus number of GPUs of a job
 * \param halves number of halves of servers that the job has GPUs in
 * \param servers number of servers that it has GPUs in
 * \param racks number of racks that it has GPUs in
 * \return tiers of the job's all-reduce as the authors' program finds them: from the racks down,
 *         each tier divides the number of GPUs by its own number. Where that leaves a rest,
 *         all that are left are one ring in that tier.
 */
OfferTiers FindTiers(uint32_t gpus, uint32_t halves, uint32_t servers, uint32_t racks);

} // namespace ns3::ddl

#endif // DDL_OFFER_CLUSTER_H
