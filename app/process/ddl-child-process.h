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
            command;        //!< program (looked up in PATH unless it has a /), arguments
        std::string folder; //!< where it runs; "": the current folder
        int input{-1};      //!< its standard input; -1 for an empty one
        int output{-1};     //!< its standard output and error; -1: those of this process
        /**
         * What a copy of this process does if there is no command. It returns the exit status; an
         * exception is status 1. The copy has this process's memory, but none of its other threads.
         */
        std::function<int()> work{};
    };

    /**
     * Start the child. A program that cannot be executed ends with status 127.
     *
     * \param setup what to start
     * \throws RunError when the system cannot start another process
     */
    explicit ChildProcess(const Setup& setup);
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /** \return its exit status, 128 + signal if a signal ended it; nothing while it runs */
    std::optional<int> Poll();
    /** \return its exit status, as Poll, after waiting for it */
    int Wait();
    /** Send a signal to the child and to all that it has started. */
    void Signal(int signal);

  private:
    void Reap(int options);

    pid_t m_pid;
    std::optional<int> m_status; //!< set once it has ended
};

/**
 * \param name a program
 * \return its path: \p name itself if it has a /, else the first executable of that name in PATH;
 * "" when there is none
 */
std::string FindProgram(const std::string& name);

/**
 * \param self path or name by which the running program was called
 * \param program name of another program of this module
 * \return its path, beside the running one. ns-3's own build puts a version before and a profile
 *         behind every name, so only the middle changes
 */
std::string FindSibling(const std::string& self, const std::string& program);

/** \return the last \p lines lines of a text file, "" if it cannot be read */
std::string ReadEnd(const std::filesystem::path& path, std::size_t lines);

/** \return true if this process ignores a signal, as SIGHUP under `nohup` */
bool IsIgnored(int signal);

} // namespace ns3::ddl

#endif // DDL_CHILD_PROCESS_H
