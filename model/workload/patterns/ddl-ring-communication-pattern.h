// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_RING_COMMUNICATION_PATTERN_H
#define DDL_RING_COMMUNICATION_PATTERN_H

#include "ddl-communication-pattern.h"

namespace ns3::ddl
{

/**
 * `ring`: all-reduce of M bytes by N workers in 2(N-1) steps; in each, every worker sends one of N
 * chunks to the next worker: N-1 steps reduce and scatter, N-1 gather (Ada-SRSF Table I).
 *
 * Chunk c starts at worker c and goes round the ring: in step t (from 0) worker c + t sends it,
 * after it has arrived from worker c + t - 1. The first `M % N` chunks have one byte more. Each
 * worker sends 2(N-1)/N M bytes, exactly when N divides M; all together send 2(N-1) M.
 */
class RingCommunicationPattern : public CommunicationPattern
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "all-reduce around a ring: 2(N-1) steps of M/N bytes (Ada-SRSF Table I)";
    }

    std::string Refuse(const PatternView& view) const override;

  private:
    TransferPlan DoPlan(const PatternView& view) const override;
    RotatedPlan DoPlanRotated(const PatternView& view) const override;
};

} // namespace ns3::ddl

#endif // DDL_RING_COMMUNICATION_PATTERN_H
