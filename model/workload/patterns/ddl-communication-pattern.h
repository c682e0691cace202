// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_COMMUNICATION_PATTERN_H
#define DDL_COMMUNICATION_PATTERN_H

#include "ns3/ddl-ids.h"
#include "ns3/ddl-policy.h"

#include <cstdint>
#include <vector>

namespace ns3::ddl
{

/** A job as a pattern sees it. */
struct PatternView
{
    uint32_t workers{1}; //!< number of workers, which are ranks 0 to workers - 1
    uint32_t servers{0}; //!< number of parameter servers, the ranks after the workers
    uint64_t bytes{0};   //!< bytes of the model
    /** Number of the server (chassis) of each worker, by rank; empty: each on one of its own. */
    std::vector<uint32_t> machines{};
    /** Number of the rack of each worker, by rank; empty: all in one rack. */
    std::vector<uint32_t> racks{};
    /** Rail of each worker, by rank: the number of its host within its server; empty: all 0. */
    std::vector<uint32_t> rails{};
};

/**
 * One message of an iteration: some of the model's bytes, from `offset` on.
 *
 * The plan alone decides its contents. A worker begins with its own gradients, a parameter server
 * with nothing. Then the transfers in `after` that arrived at the source are applied to their
 * bytes, in the order of the plan: each is added, or, if it is a `copy`, replaces the bytes that
 * were there. A `clear` carries no bytes of the model.
 */
struct Transfer
{
    uint32_t source{0};      //!< sending rank
    uint32_t destination{0}; //!< receiving rank, not the source
    uint64_t bytes{0};       //!< bytes of the message, at least 1
    /**
     * Earlier transfers of the plan, to or from `source`, that must have arrived. For a worker this
     * may be empty, because it sends nothing before it has computed.
     */
    std::vector<uint32_t> after;
    uint64_t offset{0}; //!< position of its first byte in the model
    bool copy{false};   //!< whether it replaces the destination's bytes, or is added to them
    bool clear{false};  //!< whether it only clears the destination to send (a rendezvous)
    uint32_t bucket{0}; //!< bucket whose gradients must be computed first; not set by patterns
};

/** The messages of one iteration; each names only transfers before it, so there is no cycle. */
using TransferPlan = std::vector<Transfer>;

/** One message that every rank of a job sends in an iteration: that of rank 0, rotated. */
struct RotatedTransfer
{
    uint32_t distance{1}; //!< rank r sends to rank r + distance, modulo the ranks; not 0
    /** Rank r sends part `part` + r, modulo the ranks, of the model's bytes (SplitBytes). */
    uint32_t part{0};
    /** Earlier transfers of the plan: those that are sent to this rank must have arrived. */
    std::vector<uint32_t> after;
    bool copy{false}; //!< whether it replaces the destination's bytes, or is added to them
};

/**
 * A plan in which all ranks do the same: it takes as much memory as one rank's part of it. Each
 * element stands for N transfers of N ranks. Empty: the pattern is not of that kind.
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
     *         earlier and to or from the source, parameter servers only answering
     * \throws InputError when the pattern cannot serve such a job (ring with servers, ...)
     */
    TransferPlan Plan(const PatternView& view) const;

    /**
     * \param view the job
     * \return the plan of Plan(), checked, if all ranks do the same and each has some bytes of the
     *         model; otherwise empty
     * \throws InputError when the pattern cannot serve such a job
     */
    RotatedPlan PlanRotated(const PatternView& view) const;

    /** \return why this job cannot use the pattern, or "" when it can */
    virtual std::string Refuse(const PatternView& view) const = 0;

  private:
    virtual TransferPlan DoPlan(const PatternView& view) const = 0;

    /** Plan for patterns in which each rank sends many messages, and all do the same. */
    virtual RotatedPlan DoPlanRotated(const PatternView& /* view */) const
    {
        return {};
    }

    /** \throws InputError when the pattern cannot serve the job */
    void CheckServes(const PatternView& view) const;
};

/** \return the transfers of all ranks, without those of empty parts, in the order of the rotated
 * plan, and for each of its elements by source */
TransferPlan ListTransfers(const RotatedPlan& plan, const PatternView& view);

/**
 * Size of one part when bytes are divided as evenly as can be: the first `bytes % parts` parts get
 * one byte more, so the parts add up exactly.
 *
 * \param bytes bytes to divide
 * \param parts number of parts, at least 1
 * \param index index of the part, from 0
 * \return bytes of that part; may be 0 when there are more parts than bytes
 */
constexpr uint64_t
SplitBytes(uint64_t bytes, uint32_t parts, uint32_t index)
{
    return bytes / parts + (index < bytes % parts ? 1 : 0);
}

/**
 * \param bytes, parts bytes to divide and number of parts, see SplitBytes
 * \param index index of a part, from 0 to \p parts
 * \return sum of the bytes of the parts before it
 */
constexpr uint64_t
SplitOffset(uint64_t bytes, uint32_t parts, uint32_t index)
{
    return bytes / parts * index + (index < bytes % parts ? index : bytes % parts);
}

} // namespace ns3::ddl

#endif // DDL_COMMUNICATION_PATTERN_H
