// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SIGNAL_WATCH_H
#define DDL_SIGNAL_WATCH_H

#include "ddl-child-process.h"

#include <csignal>

namespace ns3::ddl
{

/**
 * Blocks the signals that matter to the pool, so that it can wait for them. This needs no handler
 * and no global variable, and loses no signal between two waits.
 */
class SignalWatch
{
  public:
    SignalWatch()
    {
        sigemptyset(&m_watched);
        for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP})
        {
            if (signal != SIGHUP || !IsIgnored(signal)) // nohup: a blocked SIGHUP would still come
            {
                sigaddset(&m_watched, signal);
            }
        }
        sigprocmask(SIG_BLOCK, &m_watched, &m_before);
    }

    ~SignalWatch()
    {
        sigprocmask(SIG_SETMASK, &m_before, nullptr);
    }

    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;

    /** \return true if a signal asks to stop; false after a child has ended, or after a second */
    bool WaitForInterrupt() const
    {
        const timespec second{1, 0};
        const int signal = sigtimedwait(&m_watched, nullptr, &second);
        return signal > 0 && signal != SIGCHLD;
    }

  private:
    sigset_t m_watched;
    sigset_t m_before;
};

} // namespace ns3::ddl

#endif // DDL_SIGNAL_WATCH_H
