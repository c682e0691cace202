// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PROCESS_POOL_H
#define DDL_PROCESS_POOL_H

#include "ddl-child-process.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::ddl
{

class SignalWatch;

/**
 * Runs a list of programs, or copies of this process, a few at a time, in the order given. Ctrl-C
 * (or SIGTERM, or SIGHUP unless it is ignored, as under `nohup`) is passed on to those that run:
 * they get some seconds to write what they have, and are then killed. A second Ctrl-C kills them at
 * once.
 */
class ProcessPool
{
  public:
    /** A program to run, or a piece of work for a copy of this process. */
    struct Task
    {
        std::vector<std::string> command; //!< program and arguments
        std::filesystem::path log;        //!< file for standard output and error of the task
        std::function<int()> work{};      //!< the work if there is no command (ChildProcess::Setup)
    };

    /** Functions that the pool calls; each may be empty. A number is the index of a task. */
    struct Listener
    {
        std::function<void(std::size_t)> starting;   //!< before a task; may make the log's folder
        std::function<void(std::size_t, int)> ended; //!< after a task, with its exit status
        std::function<void()> tick;                  //!< whenever something ended, or once a second
        /** Called once, when the pool has blocked signals; gives true if one came earlier. */
        std::function<bool()> isStopped{};
    };

    /** \param width how many tasks run at a time, at least 1 */
    explicit ProcessPool(std::size_t width);

    /**
     * Run all tasks.
     *
     * \param tasks tasks to run
     * \param listener gets the calls; after an interruption only for tasks that end with status 0
     * \return false if the pool was interrupted
     * \throws RunError when a log cannot be written; running tasks are killed
     */
    bool Run(const std::vector<Task>& tasks, const Listener& listener);

  private:
    using Children = std::map<std::size_t, std::unique_ptr<ChildProcess>>;

    static void Start(const Task& task, std::size_t number, Children& running);
    static void Collect(Children& running, const std::function<void(std::size_t, int)>& ended);
    static void Stop(Children& running, SignalWatch& watch);

    std::size_t m_width;
};

/** A piece of work for a copy of this process. */
struct Piece
{
    std::filesystem::path folder; //!< made before it starts; its file `log` takes the output
    std::function<int()> work;    //!< returns the exit status; an exception is status 1
};

/** How pieces of work are run. */
struct PieceOptions
{
    uint32_t processes{1};             //!< number of processes at the same time
    std::function<bool()> isStopped{}; //!< gives true after Ctrl-C; may be empty
    /** Told how many are done, "samples: 3 of 5", repeatedly; may be empty. */
    std::function<void(const std::string&)> report{};
};

/**
 * Run pieces of work, each in a process of its own.
 *
 * \param pieces pieces to run
 * \param what name of the pieces in messages: "samples"
 * \param options how they are run
 * \param ended called after each piece, with its index and exit status; may be empty. An InputError
 *        that it throws is a failure of the piece
 * \return false if they were interrupted
 * \throws RunError after the last one, with the end of its log, when a piece failed
 */
bool RunPieces(const std::vector<Piece>& pieces,
               const std::string& what,
               const PieceOptions& options,
               const std::function<void(std::size_t, int)>& ended = nullptr);

/**
 * Divide the cores among processes that run at the same time. Each of them starts processes of its
 * own (the alone runs), by default one per core, which would be too many. So this sets
 * DDL_PROCESSES, the number that they use instead, unless the user has set it.
 *
 * \param processes number of processes that run at a time, at least 1
 */
void ShareCores(std::size_t processes);

/** \return CPU seconds of all children of this process that have ended, and of their children */
double GetChildrenCpuSeconds();

} // namespace ns3::ddl

#endif // DDL_PROCESS_POOL_H
