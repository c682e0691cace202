// SPDX-License-Identifier: GPL-2.0-only
#include "app/process/ddl-timed-answer.h"

#include <cerrno>
#include <csignal>
#include <gtest/gtest.h>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace ns3::ddl
{
namespace
{

using Clock = std::chrono::steady_clock;
using std::chrono::hours;
using std::chrono::milliseconds;

/** \return true if this process has a child, alive or dead */
bool
HasChild()
{
    return waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD;
}

TEST(TimedAnswer, TheLastAnswerCounts)
{
    const auto answer = AnswerInTime(Clock::now() + hours(1), [](const SayAnswer& say) {
        say("one");
        say("");
        say("two\nlines");
        return 3;
    });
    EXPECT_EQ(answer.text, "two\nlines");
    EXPECT_EQ(answer.status, 3);
    EXPECT_FALSE(HasChild());
}

TEST(TimedAnswer, WorkThatNeverEndsIsKilledAtTheDeadline)
{
    const auto start = Clock::now();
    const auto answer = AnswerInTime(start + milliseconds(500), [](const SayAnswer& say) {
        std::signal(SIGTERM, SIG_IGN);
        say("so far");
        for (volatile int i = 0;; i = i + 1)
        {
        }
        return 0;
    });
    EXPECT_EQ(answer.text, "so far");
    EXPECT_FALSE(answer.status);
    EXPECT_GE(Clock::now() - start, milliseconds(500));
    EXPECT_FALSE(HasChild());
}

TEST(TimedAnswer, MuchIsSaidInOnePiece)
{
    const std::string much(1 << 20, 'x'); // a pipe holds 64 KiB
    const auto answer = AnswerInTime(Clock::now() + hours(1), [&much](const SayAnswer& say) {
        say(much);
        say(much + "y");
        return 0;
    });
    EXPECT_EQ(answer.text, much + "y");
    EXPECT_EQ(answer.status, 0);
}

TEST(TimedAnswer, OfWorkThatSaysNothingThereIsNone)
{
    const auto ended = AnswerInTime(Clock::now() + hours(1), [](const SayAnswer&) { return 0; });
    EXPECT_EQ(ended.text, "");
    EXPECT_EQ(ended.status, 0);
    const auto late = AnswerInTime(Clock::now() - hours(1), [](const SayAnswer&) {
        std::this_thread::sleep_for(hours(1));
        return 0;
    });
    EXPECT_EQ(late.text, "");
    EXPECT_FALSE(late.status);
    EXPECT_FALSE(HasChild());
}

TEST(TimedAnswer, FaultsAreInTheStatus)
{
    const auto killed = AnswerInTime(Clock::now() + hours(1), [](const SayAnswer& say) {
        say("before");
        std::raise(SIGKILL);
        return 0;
    });
    EXPECT_EQ(killed.text, "before");
    EXPECT_EQ(killed.status, 128 + SIGKILL);
    const auto thrown = AnswerInTime(Clock::now() + hours(1), [](const SayAnswer&) -> int {
        throw std::runtime_error("oh");
    });
    EXPECT_EQ(thrown.status, 1);
}

TEST(TimedAnswer, AProcessBeganBeforeNow)
{
    const auto start = GetProcessStart();
    EXPECT_LE(start, Clock::now());
    EXPECT_LE(std::chrono::abs(start - GetProcessStart()), milliseconds(50)); // ticks of 10 ms
}

} // namespace
} // namespace ns3::ddl
