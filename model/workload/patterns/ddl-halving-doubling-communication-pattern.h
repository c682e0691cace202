// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_HALVING_DOUBLING_COMMUNICATION_PATTERN_H
#define DDL_HALVING_DOUBLING_COMMUNICATION_PATTERN_H

#include "ddl-communication-pattern.h"

namespace ns3
{
namespace ddl
{

/**
 * `halving-doubling`: all-reduce of M bytes by N workers by recursive halving (reduce-scatter) and
 * doubling (all-gather) (Ada-SRSF Table I, "recursive halving and doubling").
 *
 * In step k (from 0) ranks that differ in bit k alone halve the blocks that they still share, send
 * each other the half that they give up, M/2^(k+1) bytes, and add what they get; then the same in
 * reverse, with the sums. So the largest messages go between neighbours. The model is cut into P
 * blocks as evenly as can be.
 *
 * N that is no power of two: P = 2^floor(log2 N) take part, the others by a step before and one
 * after, each of M bytes through a port (AddFoldStep):
 *
 *     T = 2 (log2 P + [N > P]) alpha + 2 ((P - 1) / P + [N > P]) M beta;
 *
 * all together send 2 (N - 1) M bytes.
 */
class HalvingDoublingCommunicationPattern : public CommunicationPattern
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    std::string Refuse(const PatternView& view) const override;

  private:
    TransferPlan DoPlan(const PatternView& view) const override;
};

} // namespace ddl
} // namespace ns3

#endif // DDL_HALVING_DOUBLING_COMMUNICATION_PATTERN_H
