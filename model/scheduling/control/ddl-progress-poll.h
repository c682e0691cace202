// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PROGRESS_POLL_H
#define DDL_PROGRESS_POLL_H

#include "ddl-control-plane.h"

#include "ns3/abort.h"

#include <set>

namespace ns3
{
namespace ddl
{

/** Rounds of questions to machines: one at a time, over when all have answered. */
class ProgressPoll
{
  public:
    /**
     * Begin a round; the one before is over.
     *
     * \tparam Request message with the number of the round
     * \return true if somebody was asked
     */
    template <typename Request>
    bool Ask(ControlPlane& plane, const std::set<HostId>& machines)
    {
        if (machines.empty())
        {
            return false;
        }
        ++m_round;
        m_unanswered = machines.size();
        for (const HostId machine : machines)
        {
            plane.ToAgent(machine, Request{m_round});
        }
        return true;
    }

    bool IsOpen() const
    {
        return m_unanswered > 0;
    }

    /** \return true for the last answer of the round */
    bool NoteAnswer(uint32_t round)
    {
        NS_ABORT_MSG_IF(round != m_round || m_unanswered == 0, "a report nobody asked for");
        return --m_unanswered == 0;
    }

  private:
    uint32_t m_round{0};      //!< number of the newest one
    uint32_t m_unanswered{0}; //!< reports that it still waits for
};

} // namespace ddl
} // namespace ns3

#endif // DDL_PROGRESS_POLL_H
