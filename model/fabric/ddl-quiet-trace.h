// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_QUIET_TRACE_H
#define DDL_QUIET_TRACE_H

#include "ns3/traced-callback.h"

#include <memory>
#include <string>

namespace ns3::ddl
{

/**
 * A trace source that takes 8 bytes while nobody listens, a third of a TracedCallback: it makes
 * one when the first sink is connected. For trace sources that are asked for each packet.
 *
 * \tparam Ts what sinks are given
 */
template <typename... Ts>
class QuietTrace
{
  public:
    /** \return whether no sink is connected */
    bool IsEmpty() const
    {
        return !m_sinks || m_sinks->IsEmpty();
    }

    /** Call the sinks. \pre not IsEmpty() */
    void operator()(Ts... what) const
    {
        (*m_sinks)(what...);
    }

    // What MakeTraceSourceAccessor calls: as TracedCallback's.
    void ConnectWithoutContext(const CallbackBase& sink)
    {
        Need().ConnectWithoutContext(sink);
    }

    void Connect(const CallbackBase& sink, std::string path)
    {
        Need().Connect(sink, path);
    }

    void DisconnectWithoutContext(const CallbackBase& sink)
    {
        Need().DisconnectWithoutContext(sink);
    }

    void Disconnect(const CallbackBase& sink, std::string path)
    {
        Need().Disconnect(sink, path);
    }

  private:
    TracedCallback<Ts...>& Need()
    {
        if (!m_sinks)
        {
            m_sinks = std::make_unique<TracedCallback<Ts...>>();
        }
        return *m_sinks;
    }

    std::unique_ptr<TracedCallback<Ts...>> m_sinks;
};

} // namespace ns3::ddl

#endif // DDL_QUIET_TRACE_H
