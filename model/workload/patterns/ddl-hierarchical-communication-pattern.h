// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_HIERARCHICAL_COMMUNICATION_PATTERN_H
#define DDL_HIERARCHICAL_COMMUNICATION_PATTERN_H

#include "ddl-communication-pattern.h"

namespace ns3
{
namespace ddl
{

/**
 * `hierarchical`: all-reduce of M bytes in three parts: on each machine all workers send to its
 * leader, the first of them by rank; the leaders all-reduce by the pattern `Between`; each leader
 * sends the sum to the workers of its machine (Ada-SRSF §III-B: inside a machine nothing touches
 * the network).
 *
 * With L machines and local streams of rate 1/beta', as many at a time as there are workers,
 *
 *     T = 2 (alpha' + M beta') [some machine has 2] + T_between(L, M);
 *
 * all together send 2 (N - L) M bytes inside machines, and between them what `Between` sends for L
 * workers. A worker whose machine is not known has one of its own.
 */
class HierarchicalCommunicationPattern : public CommunicationPattern
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override;
    std::string Refuse(const PatternView& view) const override;

  private:
    TransferPlan DoPlan(const PatternView& view) const override;

    std::string m_between; //!< short name of the pattern among leaders
};

} // namespace ddl
} // namespace ns3

#endif // DDL_HIERARCHICAL_COMMUNICATION_PATTERN_H
