// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_BINARY_TREE_COMMUNICATION_PATTERN_H
#define DDL_BINARY_TREE_COMMUNICATION_PATTERN_H

#include "ddl-communication-pattern.h"

namespace ns3
{
namespace ddl
{

/**
 * `binary-tree`: all-reduce of M bytes by N workers up a binomial tree to rank 0 and down again
 * (Ada-SRSF Table I).
 *
 * In step k upwards (from 0) rank r = 2^k (2i + 1) sends its sum of M bytes to r - 2^k, once it has
 * those of all its own children; downwards the same in reverse, a rank's largest subtree first, and
 * to the next child when the one before has it. Any N: ceil(log2 N) steps each way,
 *
 *     T = 2 ceil(log2 N) (alpha + M beta),
 *
 * and all together send 2 (N - 1) M bytes.
 */
class BinaryTreeCommunicationPattern : public CommunicationPattern
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

#endif // DDL_BINARY_TREE_COMMUNICATION_PATTERN_H
