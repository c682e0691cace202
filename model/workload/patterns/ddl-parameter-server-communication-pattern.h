// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PARAMETER_SERVER_COMMUNICATION_PATTERN_H
#define DDL_PARAMETER_SERVER_COMMUNICATION_PATTERN_H

#include "ddl-communication-pattern.h"

namespace ns3::ddl
{

/**
 * `parameter-server`: the model is divided over S parameter servers. Each of W workers pushes each
 * part's gradients to that part's server; a parameter server sends the new parameters to every
 * worker once all workers have pushed to it. This is a barrier per iteration (Grouper §II-A, Fig. 1
 * and 5).
 *
 * Per iteration there are W x S pushes of M/S bytes (the first `M % S` parameter servers hold one
 * byte more) and as many pulls of PullRatio times that, rounded to bytes. PullRatio 0 leaves the
 * pulls out; workers then have no barrier between them.
 */
class ParameterServerCommunicationPattern : public CommunicationPattern
{
  public:
    static TypeId GetTypeId();

    std::string GetSummary() const override
    {
        return "workers push to servers that hold the parts of the model, then pull from them "
               "(Grouper Fig. 1)";
    }

    std::string Refuse(const PatternView& view) const override;

  private:
    TransferPlan DoPlan(const PatternView& view) const override;

    double m_pullRatio; //!< bytes pulled per byte pushed
};

} // namespace ns3::ddl

#endif // DDL_PARAMETER_SERVER_COMMUNICATION_PATTERN_H
