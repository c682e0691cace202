// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TIMED_ANSWER_H
#define DDL_TIMED_ANSWER_H

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace ns3::ddl
{

/** What a piece of work had to say at its end, or when its time was up. */
struct TimedAnswer
{
    std::string text;          //!< the last answer that it gave; "" if it gave none
    std::optional<int> status; //!< its exit status, 128 + signal if a signal ended it; none: killed
};

/** Takes an answer, which replaces the one before. */
using SayAnswer = std::function<void(const std::string&)>;

/**
 * Do work that may take for ever, but not longer than until a deadline. The work is done in a copy
 * of this process, whatever it does there: it says again and again what it would answer if it had
 * to stop now. At the deadline the copy is killed, and its last answer counts. It reads this
 * process's standard input, and what it prints itself is printed at once.
 *
 * \param deadline by the wall clock
 * \param work returns its exit status, see ChildProcess::Setup::work
 * \throws RunError when the system cannot start another process
 */
TimedAnswer AnswerInTime(std::chrono::steady_clock::time_point deadline,
                         const std::function<int(const SayAnswer&)>& work);

/**
 * \return when this process began, by the wall clock: where it was started by `exec`, as by
 * `./ddl`, when the program before it began. Now, if the system does not tell
 */
std::chrono::steady_clock::time_point GetProcessStart();

} // namespace ns3::ddl

#endif // DDL_TIMED_ANSWER_H
