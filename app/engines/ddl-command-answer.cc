// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-command-answer.h"

#include "app/process/ddl-child-process.h"

#include "ns3/ddl-error.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <sstream>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace ns3::ddl
{

namespace
{

/** A file in memory that takes the output of a command. */
class OutputFile
{
  public:
    OutputFile()
        : m_file(memfd_create("answer", MFD_CLOEXEC))
    {
        if (m_file < 0)
        {
            throw RunError(std::string("cannot make a file in memory: ") + std::strerror(errno));
        }
    }

    ~OutputFile()
    {
        close(m_file);
    }

    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    int Get() const
    {
        return m_file;
    }

    std::string Read() const
    {
        std::string text;
        std::array<char, 4096> buffer{};
        lseek(m_file, 0, SEEK_SET);
        for (ssize_t size = 1; size > 0;)
        {
            size = read(m_file, buffer.data(), buffer.size());
            text.append(buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
        }
        return text;
    }

  private:
    int m_file;
};

} // namespace

CommandAnswer
AskCommand(const std::vector<std::string>& command)
{
    constexpr std::chrono::seconds PATIENCE(60);
    constexpr std::chrono::milliseconds PAUSE(10);
    const OutputFile output;
    ChildProcess child({command, "", -1, output.Get()});
    const auto deadline = std::chrono::steady_clock::now() + PATIENCE;
    while (!child.Poll() && std::chrono::steady_clock::now() < deadline)
    {
        std::this_thread::sleep_for(PAUSE);
    }
    child.Signal(SIGKILL); // nothing if it has ended
    const int status = child.Wait();
    return {status, output.Read()};
}

std::vector<std::string>
SplitLines(const std::string& text)
{
    std::vector<std::string> lines;
    for (auto& line : SplitFields(text, '\n'))
    {
        if (!line.empty())
        {
            lines.push_back(std::move(line));
        }
    }
    return lines;
}

std::vector<std::string>
SplitFields(const std::string& text, char separator)
{
    std::vector<std::string> fields;
    std::istringstream stream(text);
    std::string field;
    while (std::getline(stream, field, separator))
    {
        fields.push_back(field);
    }
    return fields;
}

} // namespace ns3::ddl
