// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RECURSIVE_DOUBLING_COMMUNICATION_PATTERN_H
#define DDL_RECURSIVE_DOUBLING_COMMUNICATION_PATTERN_H

#include "ddl-communication-pattern.h"

namespace ns3
{
namespace ddl
{

/**
 * `recursive-doubling`: all-reduce of M bytes by N workers; in step k (from 0) ranks that differ in
 * bit k alone exchange and add all M bytes (Ada-SRSF Table I).
 *
 * N that is no power of two: P = 2^floor(log2 N) take part, the others by a step before and one
 * after, each of M bytes through a port (AddFoldStep):
 *
 *     T = (log2 P + 2 [N > P]) (alpha + M beta);
 *
 * all together send (P log2 P + 2 (N - P)) M bytes.
 */
class RecursiveDoublingCommunicationPattern : public CommunicationPattern
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

#endif // DDL_RECURSIVE_DOUBLING_COMMUNICATION_PATTERN_H
