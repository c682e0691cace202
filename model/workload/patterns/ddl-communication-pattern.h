// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COMMUNICATION_PATTERN_H
#define DDL_COMMUNICATION_PATTERN_H

#include "ns3/ddl-ids.h"
#include "ns3/ddl-policy.h"

#include <cstdint>
#include <vector>

namespace ns3::ddl
{

/** The job, as a pattern sees it. */
struct PatternView
{
    uint32_t workers{1}; //!< ranks 0 to workers - 1
    uint32_t servers{0}; //!< ranks workers to workers + servers - 1
    uint64_t bytes{0};   //!< of the model
    /** Number of the server (chassis) of each worker, by rank; empty: each on one of its own. */
    std::vector<uint32_t> machines{};
    /** Number of the rack of each worker, by rank; empty: all in one. */
    std::vector<uint32_t> racks{};
};

/**
 * One message of an iteration: some of the model's bytes, from `offset` on.
 *
 * The plan alone decides its contents. A worker begins with its own gradients, a server with
 * nothing. Then the transfers in `after` that arrived at the source are applied to their bytes, in
 * the order of the plan: each is added, or, if it is a `copy`, replaces the bytes that were there.
 * A `clear` carries no bytes of the model.
 */
struct Transfer
{
    uint32_t source{0};      //!< rank
    uint32_t destination{0}; //!< rank, another one
    uint64_t bytes{0};       //!< at least 1
    /**
     * Earlier transfers of the plan, to or from `source`, that must have arrived. For a worker this
     * may be empty, because it sends nothing before it has computed.
     */
    std::vector<uint32_t> after;
    uint64_t offset{0}; //!< of the first byte, in the model
    bool copy{false};   //!< replaces what the destination has, instead of being added to it
    bool clear{false};  //!< only tells the destination that it may send (a rendezvous)
    uint32_t bucket{0}; //!< of gradients; it waits for their computation. Not set by patterns
};

/** The messages of one iteration; each names only transfers before it, so there is no cycle. */
using TransferPlan = std::vector<Transfer>;

/** One message that every rank of a job sends in an iteration: what rank 0 does, rotated. */
struct RotatedTransfer
{
    uint32_t distance{1}; //!< rank r sends it to rank r + distance, modulo the ranks; not 0
    /** Rank r sends part `part` + r, modulo the ranks, of the model's bytes (SplitBytes). */
    uint32_t part{0};
    /** Earlier ones of the plan: those that are sent to this rank must have arrived. */
    std::vector<uint32_t> after;
    bool copy{false}; //!< as in Transfer
};

/**
 * A plan in which all ranks do the same: it takes as much memory as one rank's part of it. With N
 * ranks it stands for N transfers each. Empty: the pattern is not of that kind.
 */
using RotatedPlan = std::vector<RotatedTransfer>;

/**
 * Policy family: which bytes does each rank send to which other in one iteration, and after which
 * transfers?
 *
 * A worker has finished an iteration when all transfers to it have arrived and all of its own have
 * been given to their streams. A worker to which none is sent has finished when all of its own have
 * arrived; it learns of these arrivals at once, without an acknowledgement's delay.
 */
class CommunicationPattern : public Policy
{
  public:
    static TypeId GetTypeId();

    /**
     * \param view the job
     * \return the plan, checked: ranks in range, no empty and no self transfer, every `after`
     *         earlier and to or from the source, servers only answering
     * \throws InputError when the pattern cannot serve such a job (ring with servers, ...)
     */
    TransferPlan Plan(const PatternView& view) const;

    /**
     * \param view the job
     * \return the same plan, checked, if all ranks do the same and each has some bytes of the
     *         model; otherwise nothing
     * \throws InputError when the pattern cannot serve such a job
     */
    RotatedPlan PlanRotated(const PatternView& view) const;

    /** \return why this job cannot use the pattern, or "" when it can */
    virtual std::string Refuse(const PatternView& view) const = 0;

  private:
    virtual TransferPlan DoPlan(const PatternView& view) const = 0;

    /** Of patterns in which each rank sends many messages, and all do the same. */
    virtual RotatedPlan DoPlanRotated(const PatternView& /* view */) const
    {
        return {};
    }

    /** \throws InputError when the pattern cannot serve the job */
    void CheckServes(const PatternView& view) const;
};

/** \return the transfers of all ranks, without those of empty parts: in the order of the rotated
 * plan, and by source for each of its transfers */
TransferPlan ListTransfers(const RotatedPlan& plan, const PatternView& view);

/**
 * Size of one part when bytes are divided as evenly as can be: the first `bytes % parts` parts get
 * one byte more, so the parts add up exactly.
 *
 * \param bytes to divide
 * \param parts at least 1
 * \param index of the part, from 0
 * \return bytes of that part; 0 when there are more parts than bytes
 */
constexpr uint64_t
SplitBytes(uint64_t bytes, uint32_t parts, uint32_t index)
{
    return bytes / parts + (index < bytes % parts ? 1 : 0);
}

/**
 * \param bytes, parts as in SplitBytes
 * \param index of the part, from 0 to `parts`
 * \return bytes in the parts before it
 */
constexpr uint64_t
SplitOffset(uint64_t bytes, uint32_t parts, uint32_t index)
{
    return bytes / parts * index + (index < bytes % parts ? index : bytes % parts);
}

} // namespace ns3::ddl

#endif // DDL_COMMUNICATION_PATTERN_H
