// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PLAN_BUILDER_H
#define DDL_PLAN_BUILDER_H

#include "ddl-communication-pattern.h"

namespace ns3::ddl
{

/** A range of the model's bytes. */
struct ByteRange
{
    uint64_t offset{0};
    uint64_t bytes{0};
};

/** \return one of about equal parts of a range (SplitBytes) */
inline ByteRange
GetPart(const ByteRange& range, uint32_t parts, uint32_t index)
{
    return {range.offset + SplitOffset(range.bytes, parts, index),
            SplitBytes(range.bytes, parts, index)};
}

/**
 * Builds all-reduce plans step by step: a rank sends when all transfers to it in earlier steps have
 * arrived.
 */
class PlanBuilder
{
  public:
    /** \param ranks number of workers of the job, at least 1 */
    explicit PlanBuilder(uint32_t ranks);

    /**
     * Add a transfer to the present step; an empty range adds nothing.
     *
     * \param source, destination different ranks
     * \param range the bytes that it carries
     * \param copy whether it replaces the destination's bytes, or is added to them
     * \param inTurn whether to wait also until the last transfer of the source has arrived
     */
    void Send(uint32_t source,
              uint32_t destination,
              ByteRange range,
              bool copy,
              bool inTurn = false);

    /**
     * Add a transfer that waits only for transfers of its bytes to the source: for parts that go
     * round a ring, where no part waits for another one. Parameters as in Send.
     */
    void SendPart(uint32_t source, uint32_t destination, ByteRange range, bool copy);

    /**
     * Let two ranks exchange ranges of bytes in the present step, as MPI_Sendrecv does: each sends
     * when both have reached this step. A rank has reached it when all earlier transfers to it, and
     * its own last one, have arrived. It then clears the other to send, by a message of one byte.
     *
     * \param rank, partner different ranks
     * \param sent bytes that the rank sends; an empty range sends nothing
     * \param received bytes that it receives; for an empty range the partner sends nothing
     * \param copy whether the bytes replace the destination's, or are added to them
     */
    void Exchange(uint32_t rank, uint32_t partner, ByteRange sent, ByteRange received, bool copy);

    /** End the present step: later transfers can wait for its transfers. */
    void EndStep();

    /** Take the plan; the builder is empty then. \return the plan */
    TransferPlan Take();

  private:
    /** \return the transfers to a rank in earlier steps, and the last one from it */
    std::vector<uint32_t> ListBefore(uint32_t rank) const;

    TransferPlan m_plan;
    std::size_t m_stepBegin{0};                    //!< index of the present step's first transfer
    std::vector<std::vector<uint32_t>> m_arrivals; //!< transfers to each rank in earlier steps
    std::vector<std::vector<uint32_t>> m_latest;   //!< last transfer of each rank, if any
};

/**
 * \param ranks ranks of workers
 * \param places number of each worker's server (or rack), by rank
 * \return the ranks of each server (or rack), in the order given; servers by their first rank
 */
std::vector<std::vector<uint32_t>> GroupRanks(const std::vector<uint32_t>& ranks,
                                              const std::vector<uint32_t>& places);

using Ring = std::vector<uint32_t>; //!< ranks, each of which sends to the next one

/**
 * List the rings of each tier, lowest tier first. All rings of a tier have the same number of
 * ranks, and ranks at the same place of their rings in one tier share a ring in the next tier.
 *
 * A tier whose groups are not of the same size, or have one rank each, has no rings; its ranks meet
 * in the next tier.
 *
 * \param ranks ranks, each once; the order decides the places in a ring
 * \param places for each tier but the last the number of each rank's server (or rack), by rank; an
 *        empty list is no tier
 * \return rings by tier; none if there is one rank
 */
std::vector<std::vector<Ring>> ListTiers(const Ring& ranks,
                                         const std::vector<const std::vector<uint32_t>*>& places);

/** \return the largest power of two that is at most \p n, which is at least 1 */
uint32_t FloorPowerOfTwo(uint32_t n);

/**
 * Add a step before, or after, an all-reduce among the first P = 2^k of N workers, by which the
 * other r = N - P workers take part. Each of these gives its M bytes to a group of the P, a part to
 * each member (group sizes differ by one at most), and gets the sums back from the same group.
 *
 * So all P start equally late: the step takes as long as M bytes through one port, and r M bytes
 * are sent. (If each of the r had one partner only, r of the P would start later than the others.
 * The next messages of those others would compete with the ones for which all wait.)
 *
 * \param builder the builder to which the step is added
 * \param view the job
 * \param after whether the step follows the all-reduce, or precedes it
 */
void AddFoldStep(PlanBuilder& builder, const PatternView& view, bool after);

} // namespace ns3::ddl

#endif // DDL_PLAN_BUILDER_H
