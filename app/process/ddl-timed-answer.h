// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TIMED_ANSWER_H
#define DDL_TIMED_ANSWER_H

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace ns3::ddl
{

/** The last answer of a piece of work that has ended or was killed at its deadline. */
struct TimedAnswer
{
    std::string text;          //!< last answer of the work; "" if it gave none
    std::optional<int> status; //!< exit status, 128 + signal if a signal ended it; none: killed
};

/** Takes an answer, which replaces the one before. */
using SayAnswer = std::function<void(const std::string&)>;

/**
 * Do work that may take for ever, but not longer than until a deadline. The work is done in a copy
 * of this process. It gives an answer again and again: what it would say if it had to stop now. At
 * the deadline the copy is killed, and its last answer counts. The copy reads this process's
 * standard input, and what it prints is printed at once.
 *
 * \param deadline time on the wall clock
 * \param work the work; gives answers, and returns its exit status (ChildProcess::Setup::work)
 * \throws RunError when the system cannot start another process
 */
TimedAnswer AnswerInTime(std::chrono::steady_clock::time_point deadline,
                         const std::function<int(const SayAnswer&)>& work);

/**
 * \return when this process began, on the wall clock: a program that `exec` started, as `./ddl`
 *         does, has the start of the program before it. Now, if the system does not tell
 */
std::chrono::steady_clock::time_point GetProcessStart();

} // namespace ns3::ddl

#endif // DDL_TIMED_ANSWER_H
