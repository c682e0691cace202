// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RANK_PLAN_H
#define DDL_RANK_PLAN_H

#include "ddl-bucket-plan.h"
#include "ddl-communication-pattern.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace ns3::ddl
{

/**
 * The transfers of a TransferPlan that one rank sends and receives in every iteration, in flat
 * lists, so that an iteration costs O(the rank's transfers). Ranks that do the same share it.
 *
 * Messages of one bucket that wait for the same arrivals form a group and go out together (the W
 * pulls of a parameter server wait for the same W pushes: one count, not W). A rank's slots are its
 * inbound transfers, numbered from 0 in the order of the plan. They are followed by the echoes:
 * slots for the arrivals of its own transfers at their destinations, where a group waits for these.
 */
struct RankSteps
{
    static constexpr uint32_t NO_ECHO = std::numeric_limits<uint32_t>::max();

    struct Send
    {
        uint32_t channel{0};    //!< index into RankPlan::channels
        uint32_t slot{0};       //!< slot at the destination that its arrival fills
        uint64_t bytes{0};      //!< bytes of the message, or one less, see RankPlan::GetBytes
        uint32_t part{0};       //!< number of its part of the bytes, at a rank of shift 0
        uint32_t larger{0};     //!< number of parts with one byte more; 0: it is no part
        uint32_t echo{NO_ECHO}; //!< slot at the source that its arrival fills, if any
    };

    std::vector<Send> sends;          //!< messages that the rank sends, group by group
    std::vector<uint32_t> groupEnds;  //!< index behind each group's last send
    std::vector<uint32_t> bucketEnds; //!< index behind each bucket's last group
    std::vector<uint32_t> needs;      //!< arrivals before each group, and 1 for the rank itself
    std::vector<uint32_t> waiters;    //!< groups that wait for a slot, slot by slot
    std::vector<uint32_t> waiterEnds; //!< index behind each slot's last waiter
    uint32_t inbound{0};              //!< number of slots of inbound transfers; echoes follow

    /** Arrivals at the slots of each bucket, plus groups that must be sent, before it is over;
     * empty unless the rank sends its buckets one after the other. */
    std::vector<uint32_t> bucketNeeds;
    std::vector<uint32_t> slotBuckets; //!< bucket of each slot, with echoes; empty as bucketNeeds

    /** \return number of inbound transfers */
    uint32_t GetSlots() const
    {
        return inbound;
    }
};

/** One rank's part of an iteration: steps, which other ranks may share, and values of its own. */
struct RankPlan
{
    static constexpr uint32_t NO_ECHO = RankSteps::NO_ECHO;

    std::shared_ptr<const RankSteps> steps; //!< steps, maybe shared with other ranks
    std::vector<uint32_t> channels;         //!< index in JobPlan::channels of each channel
    uint32_t shift{0};                      //!< number added to that of each part
    uint32_t parts{1};                      //!< number of parts into which bytes are divided

    /** \return bytes of a message */
    uint64_t GetBytes(const RankSteps::Send& send) const
    {
        return send.bytes + (send.larger > 0 && (send.part + shift) % parts < send.larger ? 1 : 0);
    }

    const RankSteps* operator->() const
    {
        return steps.get();
    }
};

/** One iteration of a job, rank by rank. */
struct JobPlan
{
    struct Channel
    {
        uint32_t source{0};      //!< sending rank
        uint32_t destination{0}; //!< receiving rank
        uint64_t bytes{0};       //!< bytes per iteration
    };

    std::vector<RankPlan> ranks;
    std::vector<Channel> channels; //!< pairs of ranks with messages, by source, then destination
    uint64_t bytes{0};             //!< sum of the bytes of all transfers
    uint64_t transfers{0};         //!< number of transfers
};

/**
 * \param plan a plan from CommunicationPattern::Plan or PlanInBuckets
 * \param ranks number of ranks of the job
 * \param buckets number of buckets of the plan, which has one after the other
 * \param serial ranks below this one send nothing of a bucket before the previous bucket is over
 *        there. It is over when all its transfers to the rank have arrived and all those from it
 *        have been sent (have arrived, if there are none to it). 0: buckets do not wait for each
 *        other
 * \return the plan, rank by rank
 */
JobPlan CompilePlan(const TransferPlan& plan,
                    uint32_t ranks,
                    uint32_t buckets = 1,
                    uint32_t serial = 0);

/**
 * Plan the transfers of an iteration whose gradients are sent in buckets: the pattern's plan for
 * the bytes of each bucket, one after the other. No transfer waits for one of another bucket.
 *
 * \param pattern a pattern that serves the job
 * \param view the job; its bytes are those of all buckets
 * \param buckets bytes of each bucket, at least one bucket; one without bytes has no transfers
 * \return the plan, bucket by bucket; with one bucket, the pattern's plan
 */
TransferPlan PlanInBuckets(const CommunicationPattern& pattern,
                           const PatternView& view,
                           const std::vector<uint64_t>& buckets);

/**
 * Plan an iteration of a job whose gradients are sent in buckets. If all ranks do the same
 * (CommunicationPattern::PlanRotated), this takes memory of O(ranks + transfers of one rank): the
 * 2 N (N - 1) transfers of a ring of N workers are not listed.
 *
 * \return the plan, rank by rank
 */
JobPlan PlanJob(const CommunicationPattern& pattern,
                const PatternView& view,
                const BucketPlan& buckets);

/** \return the plan of an iteration of a job, with all gradients in one bucket */
JobPlan PlanJob(const CommunicationPattern& pattern, const PatternView& view);

} // namespace ns3::ddl

#endif // DDL_RANK_PLAN_H
