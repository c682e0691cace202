// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_QUIET_TRACE_H
#define DDL_QUIET_TRACE_H

#include "ns3/traced-callback.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * A trace source that sets flags when the first sink is connected: until then, code that runs for
 * each packet reads its flag instead of the trace source.
 *
 * \tparam Ts types of the arguments of the sinks
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

    /** \param watched flag that is set when a sink is connected, never cleared; outlives this */
    void SetWatched(bool& watched)
    {
        m_watched.push_back(&watched);
    }

    /** Call the sinks. \pre not IsEmpty() */
    void operator()(Ts... what) const
    {
        (*m_sinks)(what...);
    }

    // The functions below are those of TracedCallback that MakeTraceSourceAccessor calls.
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
        for (bool* watched : m_watched)
        {
            *watched = true;
        }
        if (!m_sinks)
        {
            m_sinks = std::make_unique<TracedCallback<Ts...>>();
        }
        return *m_sinks;
    }

    std::unique_ptr<TracedCallback<Ts...>> m_sinks;
    std::vector<bool*> m_watched;
};

} // namespace ns3::ddl

#endif // DDL_QUIET_TRACE_H
