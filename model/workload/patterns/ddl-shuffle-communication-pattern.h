// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SHUFFLE_COMMUNICATION_PATTERN_H
#define DDL_SHUFFLE_COMMUNICATION_PATTERN_H

#include "ddl-communication-pattern.h"

namespace ns3::ddl
{

/**
 * `shuffle`: one-way traffic, each worker (a mapper) to each server (a reducer), without answers.
 * The M bytes are split over the servers in proportion to Weights, and the part of a server evenly
 * over the workers (Coflow-Benchmark; Chowdhury et al., SIGCOMM 2014).
 *
 * Exactly: server r gets floor(M (w_0 + ... + w_r) / sum w) less the bytes of the servers before
 * it, so with weights that add up to M each gets its weight. Empty transfers are left out.
 */
class ShuffleCommunicationPattern : public CommunicationPattern
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "one way, each worker to each server in proportion to Weights (coflow traces)";
    }

    std::string Refuse(const PatternView& view) const override;

  private:
    TransferPlan DoPlan(const PatternView& view) const override;
    void SetWeights(std::string text);

    std::string GetWeights() const
    {
        return m_text;
    }

    std::vector<uint64_t> m_weights; //!< weight of each server; empty: all are equal
    std::string m_text;              //!< the attribute Weights as given
    bool m_isWrong{false};           //!< whether m_text is no list of whole numbers
};

} // namespace ns3::ddl

#endif // DDL_SHUFFLE_COMMUNICATION_PATTERN_H
