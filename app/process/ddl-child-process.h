// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_CHILD_PROCESS_H
#define DDL_CHILD_PROCESS_H

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace ns3::ddl
{

/**
 * A child process, from its start to its end: another program, or a function run in a copy of this
 * process. It gets a process group of its own, so that a Ctrl-C at the terminal reaches it only
 * when this process passes it on. It is killed when this process dies.
 *
 * Invariant: no child outlives its object, and nothing that it has started outlives the child; the
 * destructor kills one that still runs.
 */
class ChildProcess
{
  public:
    /** What a child starts with. File descriptors stay the caller's. */
    struct Setup
    {
        std::vector<std::string>
            command;        //!< program, searched in PATH if it has no /, and arguments
        std::string folder; //!< folder where it runs; "": the current folder
        int input{-1};      //!< file descriptor of its standard input; -1: an empty one
        int output{-1};     //!< descriptor of its standard output and error; -1: this process's
        /**
         * What a copy of this process does if there is no command. It returns the exit status; an
         * exception is status 1. The copy has this process's memory, but none of its other threads.
         */
        std::function<int()> work{};
    };

    /**
     * Start the child. A program that cannot be executed ends with status 127.
     *
     * \param setup command or work to start
     * \throws RunError when the system cannot start another process
     */
    explicit ChildProcess(const Setup& setup);
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /** \return the child's exit status, 128 + signal if a signal ended it; nothing while it runs */
    std::optional<int> Poll();
    /** Wait for the child's end. \return the exit status, as Poll() gives it */
    int Wait();
    /** Send a signal to the child and to all that it has started. */
    void Signal(int signal);

  private:
    void Reap(int options);

    pid_t m_pid;
    std::optional<int> m_status; //!< exit status; none until the child has ended
};

/**
 * \param name name or path of a program
 * \return path of the program: \p name itself if it has a /, else the first executable of that name
 *         in PATH; "" when there is none
 */
std::string FindProgram(const std::string& name);

/**
 * \param self path or name by which the running program was called
 * \param program name of another program of this module
 * \return path of the other program, beside the running one. ns-3's own build puts a version
 *         before and a profile behind every name, so only the middle changes
 */
std::string FindSibling(const std::string& self, const std::string& program);

/** \return the last \p lines lines of a text file, "" if it cannot be read */
std::string ReadEnd(const std::filesystem::path& path, std::size_t lines);

/** \return true if this process ignores a signal, as SIGHUP under `nohup` */
bool IsIgnored(int signal);

} // namespace ns3::ddl

#endif // DDL_CHILD_PROCESS_H
