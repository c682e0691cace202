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
 * pulls of a server wait for the same W pushes: one count, not W). A rank's slots are its inbound
 * transfers, numbered from 0 in the order of the plan. Behind them come the echoes: slots for the
 * arrivals of its own transfers at their destinations, if something waits for these.
 */
struct RankSteps
{
    static constexpr uint32_t NO_ECHO = std::numeric_limits<uint32_t>::max();

    struct Send
    {
        uint32_t channel{0};    //!< index into RankPlan::channels
        uint32_t slot{0};       //!< at the destination
        uint64_t bytes{0};      //!< or one more, see RankPlan::GetBytes
        uint32_t part{0};       //!< of the bytes, at a rank whose shift is 0
        uint32_t larger{0};     //!< the first so many parts have one byte more; 0: it is no part
        uint32_t echo{NO_ECHO}; //!< slot at the source that its arrival fills, if any
    };

    std::vector<Send> sends;          //!< group by group
    std::vector<uint32_t> groupEnds;  //!< behind the last send of each group
    std::vector<uint32_t> bucketEnds; //!< behind the last group of each bucket
    std::vector<uint32_t> needs; //!< arrivals that each group waits for, and 1 for the rank itself
    std::vector<uint32_t> waiters;    //!< groups that wait for a slot, slot by slot
    std::vector<uint32_t> waiterEnds; //!< behind the last waiter of each slot
    uint32_t inbound{0};              //!< slots that inbound transfers fill; echoes fill the rest

    /** Of a rank whose buckets go one after the other (otherwise empty): for each bucket, arrivals
     * at its slots plus groups that must go out before the bucket is over. */
    std::vector<uint32_t> bucketNeeds;
    std::vector<uint32_t> slotBuckets; //!< likewise: bucket of each slot, echoes included

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

    std::shared_ptr<const RankSteps> steps; //!< maybe those of other ranks, too
    std::vector<uint32_t> channels;         //!< by number in the steps: index into JobPlan's
    uint32_t shift{0};                      //!< added to the number of each part
    uint32_t parts{1};                      //!< into which bytes are divided

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
        uint32_t source{0};      //!< rank
        uint32_t destination{0}; //!< rank
        uint64_t bytes{0};       //!< per iteration
    };

    std::vector<RankPlan> ranks;
    std::vector<Channel> channels; //!< by source, then destination
    uint64_t bytes{0};             //!< of all transfers
    uint64_t transfers{0};         //!< their number
};

/**
 * \param plan checked, as CommunicationPattern::Plan gives it
 * \param ranks number of ranks of the job
 * \param buckets of the plan, which has them one behind the other
 * \param serial ranks below this one send nothing of a bucket before the bucket before is over
 *        there. It is over when all its transfers to the rank have arrived and all those from it
 *        have gone out (have arrived, if there are none to it). 0: buckets do not wait for each
 *        other
 */
JobPlan CompilePlan(const TransferPlan& plan,
                    uint32_t ranks,
                    uint32_t buckets = 1,
                    uint32_t serial = 0);

/**
 * The transfers of an iteration whose gradients are sent in buckets: the pattern's plan for the
 * bytes of each bucket, one behind the other. No transfer waits for one of another bucket.
 *
 * \param pattern that serves the job
 * \param view the job; its bytes are those of all buckets
 * \param buckets bytes of each, at least one bucket; of one without bytes nothing is sent
 * \return the plan, by bucket; with one bucket, the pattern's plan
 */
TransferPlan PlanInBuckets(const CommunicationPattern& pattern,
                           const PatternView& view,
                           const std::vector<uint64_t>& buckets);

/**
 * If all ranks do the same (CommunicationPattern::PlanRotated), this takes memory of O(the ranks +
 * the transfers of one rank): the 2 N (N - 1) transfers of a ring of N workers are not listed.
 *
 * \return the plan of a job whose gradients are sent in these buckets
 */
JobPlan PlanJob(const CommunicationPattern& pattern,
                const PatternView& view,
                const BucketPlan& buckets);

/** \return the same, with all gradients in one bucket */
JobPlan PlanJob(const CommunicationPattern& pattern, const PatternView& view);

} // namespace ns3::ddl

#endif // DDL_RANK_PLAN_H
