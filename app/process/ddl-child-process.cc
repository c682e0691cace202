// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-child-process.h"

#include "ns3/abort.h"
#include "ns3/ddl-error.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iostream>
#include <sstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3::ddl
{

namespace
{

constexpr int CANNOT_EXECUTE = 127; //!< exit status of a command that cannot run, as in shells

/** Runs in the child after fork, where only async-signal-safe calls are allowed before exec. */
void
LeaveParent(const ChildProcess::Setup& setup, pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
    {
        _exit(CANNOT_EXECUTE); // the parent died before it was watched
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int number : {SIGINT, SIGTERM, SIGPIPE})
    {
        std::signal(number, SIG_DFL);
    }
    if (!IsIgnored(SIGHUP)) // under nohup, the child ignores the signal, too
    {
        std::signal(SIGHUP, SIG_DFL);
    }
    const int input = setup.input >= 0 ? setup.input : open("/dev/null", O_RDONLY);
    dup2(input, STDIN_FILENO);
    if (setup.output >= 0)
    {
        dup2(setup.output, STDOUT_FILENO);
        dup2(setup.output, STDERR_FILENO);
    }
}

[[noreturn]] void
BecomeProgram(const ChildProcess::Setup& setup, char* const* argv)
{
    if (setup.folder.empty() || chdir(setup.folder.c_str()) == 0)
    {
        execvp(argv[0], argv);
    }
    const char* const reason = std::strerror(errno);
    for (const char* const part : std::initializer_list<const char*>{argv[0], ": ", reason, "\n"})
    {
        if (write(STDERR_FILENO, part, std::strlen(part)) < 0)
        {
            break;
        }
    }
    _exit(CANNOT_EXECUTE);
}

/** Do the work and exit without destructors and exit handlers, which are the parent's. */
[[noreturn]] void
DoWork(const std::function<int()>& work)
{
    int status = 1;
    try
    {
        status = work();
    }
    catch (const std::exception& error)
    {
        std::cerr << error.what() << std::endl;
    }
    std::cout.flush();
    std::fflush(nullptr);
    _exit(status);
}

} // namespace

ChildProcess::ChildProcess(const Setup& setup)
{
    NS_ABORT_MSG_IF(setup.command.empty() && !setup.work, "nothing to start");
    std::cout.flush(); // otherwise the child would write the buffer again
    std::fflush(nullptr);
    std::vector<char*> argv;
    for (const auto& argument : setup.command)
    {
        argv.push_back(const_cast<char*>(argument.c_str()));
    }
    argv.push_back(nullptr);
    const pid_t parent = getpid();
    m_pid = fork();
    if (m_pid == 0)
    {
        LeaveParent(setup, parent);
        if (setup.command.empty())
        {
            DoWork(setup.work);
        }
        BecomeProgram(setup, argv.data());
    }
    if (m_pid < 0)
    {
        throw RunError("cannot start " + (setup.command.empty() ? "a process" : setup.command[0]) +
                       ": " + std::strerror(errno));
    }
    setpgid(m_pid, m_pid); // set here as well, so that a signal sent at once finds the group
}

ChildProcess::~ChildProcess()
{
    if (!Poll())
    {
        Signal(SIGKILL);
        Wait();
    }
}

void
ChildProcess::Reap(int options)
{
    siginfo_t ended{};
    int result = 0;
    do
    {
        result = waitid(P_PID, static_cast<id_t>(m_pid), &ended, WEXITED | WNOWAIT | options);
    } while (result != 0 && errno == EINTR);
    if (result != 0)
    {
        m_status = CANNOT_EXECUTE; // the system keeps no status for us (SIGCHLD is ignored)
    }
    else if (ended.si_pid == m_pid)
    {
        // Nobody has waited for the ended child, so its number is not reused: the group is its own.
        kill(-m_pid, SIGKILL);
        waitpid(m_pid, nullptr, 0);
        m_status = ended.si_code == CLD_EXITED ? ended.si_status : 128 + ended.si_status;
    }
}

std::optional<int>
ChildProcess::Poll()
{
    if (!m_status)
    {
        Reap(WNOHANG);
    }
    return m_status;
}

int
ChildProcess::Wait()
{
    if (!m_status)
    {
        Reap(0);
    }
    return m_status.value_or(CANNOT_EXECUTE);
}

void
ChildProcess::Signal(int signal)
{
    if (!m_status)
    {
        kill(-m_pid, signal);
    }
}

std::string
FindProgram(const std::string& name)
{
    if (name.find('/') != std::string::npos)
    {
        return access(name.c_str(), X_OK) == 0 ? name : "";
    }
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    std::string folder;
    while (std::getline(folders, folder, ':'))
    {
        std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
        if (std::filesystem::is_regular_file(candidate) && access(candidate.c_str(), X_OK) == 0)
        {
            return candidate;
        }
    }
    return "";
}

std::string
FindSibling(const std::string& self, const std::string& program)
{
    const std::filesystem::path executable = std::filesystem::read_symlink("/proc/self/exe");
    std::string name = executable.filename().string();
    const auto at = name.find(self);
    name = at == std::string::npos ? program : name.replace(at, self.size(), program);
    return (executable.parent_path() / name).string();
}

std::string
ReadEnd(const std::filesystem::path& path, std::size_t lines)
{
    std::ifstream file(path);
    std::deque<std::string> last;
    std::string line;
    while (std::getline(file, line))
    {
        last.push_back(line);
        if (last.size() > lines)
        {
            last.pop_front();
        }
    }
    std::string text;
    for (const auto& kept : last)
    {
        text += kept + "\n";
    }
    return text;
}

bool
IsIgnored(int signal)
{
    struct sigaction now = {};
    return sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

} // namespace ns3::ddl
