// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SERVER_RANK_H
#define DDL_SERVER_RANK_H

#include "ddl-rank.h"

namespace ns3::ddl
{

/**
 * A parameter server: sends the answers of the plan when the pushes have arrived. Adding them up
 * takes no time. It sends nothing of a stage before its machine has received the start of that
 * stage.
 */
class ServerRank : public Rank
{
  private:
    void DoGrant() override;
    void DoArrive(uint64_t iteration) override;
    void DoAcknowledged(uint64_t iteration) override;
    bool IsReadyFor(uint64_t iteration) const override;

    /** Forget the iterations in which nothing is left to do. */
    void RetireFinished();

    uint64_t m_known{0}; //!< iterations below this one need no SetReady any more
    uint64_t m_seen{0};  //!< behind the newest iteration of which something has arrived
};

} // namespace ns3::ddl

#endif // DDL_SERVER_RANK_H
