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

/**
 * Builds all-reduce plans step by step: a rank sends when all transfers to it in earlier steps have
 * arrived.
 */
class PlanBuilder
{
  public:
    /** \param ranks workers of the job, at least 1 */
    explicit PlanBuilder(uint32_t ranks);

    /**
     * One transfer of the present step; an empty range sends nothing.
     *
     * \param source, destination ranks, different ones
     * \param range bytes that it carries
     * \param copy replaces what the destination has
     * \param inTurn wait also until the last transfer of the source has arrived
     */
    void Send(uint32_t source,
              uint32_t destination,
              ByteRange range,
              bool copy,
              bool inTurn = false);

    /**
     * The same, but it waits only for transfers of these bytes to the source: for parts that go
     * round a ring, where no part waits for another one.
     */
    void SendPart(uint32_t source, uint32_t destination, ByteRange range, bool copy);

    /**
     * In the present step two ranks exchange ranges of bytes, as MPI_Sendrecv does: each sends when
     * both have reached this step. A rank has reached it when all earlier transfers to it, and its
     * own last one, have arrived. It then clears the other to send, by a message of one byte.
     *
     * \param rank, partner different ones
     * \param sent by the rank; an empty range sends nothing
     * \param received by it, likewise
     * \param copy replaces what the destination has
     */
    void Exchange(uint32_t rank, uint32_t partner, ByteRange sent, ByteRange received, bool copy);

    /** End the present step: its transfers have arrived for the next one. */
    void EndStep();

    /** \return the plan, and start anew */
    TransferPlan Take();

  private:
    /** \return transfers that arrived at a rank in earlier steps, and the last one from it */
    std::vector<uint32_t> ListBefore(uint32_t rank) const;

    TransferPlan m_plan;
    std::size_t m_stepBegin{0};                    //!< first transfer of the present step
    std::vector<std::vector<uint32_t>> m_arrivals; //!< by rank, in the steps before
    std::vector<std::vector<uint32_t>> m_latest;   //!< by rank: the last one sent, if any
};

/**
 * \param ranks of workers
 * \param places number of each worker's server (or rack), by rank
 * \return the ranks of each server, in the order given; servers by their first rank
 */
std::vector<std::vector<uint32_t>> GroupRanks(const std::vector<uint32_t>& ranks,
                                              const std::vector<uint32_t>& places);

/** \return the largest power of two that is not above `n`; n at least 1 */
uint32_t FloorPowerOfTwo(uint32_t n);

/**
 * Adds a step before, or after, an all-reduce among the first P = 2^k of N workers. By these steps
 * the other r = N - P workers take part. Each of these gives its M bytes to a group of the P, a
 * part to each member (group sizes differ by one at most), and gets the sums back from the same
 * group.
 *
 * So all P start equally late: the step takes as long as M bytes through one port, and r M bytes
 * are sent. (If each of the r had one partner only, r of the P would start later than the others.
 * The next messages of those others would compete with the ones for which all wait.)
 *
 * \param builder takes the step
 * \param view the job
 * \param after the all-reduce, and not before it
 */
void AddFoldStep(PlanBuilder& builder, const PatternView& view, bool after);

} // namespace ns3::ddl

#endif // DDL_PLAN_BUILDER_H
