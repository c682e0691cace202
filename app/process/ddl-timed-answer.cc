// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-timed-answer.h"

#include "ddl-child-process.h"

#include "ns3/ddl-error.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <sstream>
#include <unistd.h>

namespace ns3::ddl
{

namespace
{

using Clock = std::chrono::steady_clock;

constexpr char END_OF_ANSWER = '\0'; //!< follows each answer; no answer contains it

/** The two ends of a pipe, which its destructor closes. */
class Pipe
{
  public:
    Pipe()
    {
        if (pipe2(m_ends.data(), O_CLOEXEC) != 0)
        {
            throw RunError(std::string("cannot make a pipe: ") + std::strerror(errno));
        }
    }

    ~Pipe()
    {
        CloseWriting();
        close(m_ends[0]);
    }

    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    int GetReading() const
    {
        return m_ends[0];
    }

    int GetWriting() const
    {
        return m_ends[1];
    }

    void CloseWriting()
    {
        if (m_ends[1] >= 0)
        {
            close(m_ends[1]);
        }
        m_ends[1] = -1;
    }

  private:
    std::array<int, 2> m_ends{-1, -1};
};

/** Write an answer, unless nobody reads any more. */
void
WriteAnswer(int pipe, const std::string& answer)
{
    const std::string text = answer + END_OF_ANSWER;
    for (std::size_t done = 0; done < text.size();)
    {
        const ssize_t written = write(pipe, text.data() + done, text.size() - done);
        if (written < 0 && errno != EINTR)
        {
            return;
        }
        done += static_cast<std::size_t>(std::max<ssize_t>(0, written));
    }
}

/** Read until the other end is closed, or the deadline. \return true if it is closed */
bool
ReadAll(int pipe, Clock::time_point deadline, std::string& text)
{
    for (;;)
    {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0)
        {
            return false;
        }
        pollfd wanted{pipe, POLLIN, 0};
        if (poll(&wanted, 1, static_cast<int>(std::min<int64_t>(left, 60000))) <= 0)
        {
            continue; // timed out, or interrupted by a signal
        }
        std::array<char, 4096> buffer{};
        const ssize_t size = read(pipe, buffer.data(), buffer.size());
        if (size == 0 || (size < 0 && errno != EINTR))
        {
            return true;
        }
        text.append(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(0, size)));
        const auto last = text.rfind(END_OF_ANSWER);
        const auto before = last == std::string::npos || last == 0
                                ? std::string::npos
                                : text.rfind(END_OF_ANSWER, last - 1);
        text.erase(0, before == std::string::npos ? 0 : before + 1); // keep the latest answer
    }
}

} // namespace

TimedAnswer
AnswerInTime(Clock::time_point deadline, const std::function<int(const SayAnswer&)>& work)
{
    Pipe pipe;
    ChildProcess::Setup setup;
    setup.input = STDIN_FILENO;
    setup.work = [&pipe, &work] {
        close(pipe.GetReading());
        return work([&pipe](const std::string& answer) { WriteAnswer(pipe.GetWriting(), answer); });
    };
    ChildProcess child(setup);
    pipe.CloseWriting();
    TimedAnswer answer;
    const bool isOver = ReadAll(pipe.GetReading(), deadline, answer.text);
    const auto end = answer.text.find(END_OF_ANSWER);
    answer.text.resize(end == std::string::npos ? 0 : end);
    if (isOver)
    {
        answer.status = child.Wait();
    }
    return answer;
}

Clock::time_point
GetProcessStart()
{
    const auto now = Clock::now();
    // The 20th field behind the program's name in parentheses: ticks since the system booted.
    std::ifstream file("/proc/self/stat");
    std::string text;
    std::getline(file, text);
    std::istringstream fields(text.substr(std::min(text.size(), text.rfind(')') + 1)));
    std::string field;
    for (int i = 0; i < 20; ++i)
    {
        fields >> field;
    }
    timespec boot{};
    if (!fields || clock_gettime(CLOCK_BOOTTIME, &boot) != 0)
    {
        return now;
    }
    const double ticks = std::strtod(field.c_str(), nullptr);
    const double age = static_cast<double>(boot.tv_sec) + static_cast<double>(boot.tv_nsec) / 1e9 -
                       ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
    return now - std::chrono::duration_cast<Clock::duration>(
                     std::chrono::duration<double>(std::max(0.0, age)));
}

} // namespace ns3::ddl
