// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ENGINE_H
#define DDL_ENGINE_H

#include "app/text/ddl-arguments.h"
#include "ddl-study-plan.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** Where the runs of a study are carried out, and what a batch system is asked for. */
struct EngineOptions
{
    std::string name{"local"};     //!< "local", "slurm" or "parallel"
    std::string account;           //!< account that Slurm charges; "": its default
    std::string partition;         //!< Slurm's partition; "": its default
    std::string qos;               //!< Slurm's quality of service; "": its default
    std::vector<std::string> more; //!< further options of sbatch, srun or GNU parallel
    std::string sshLogins;         //!< GNU parallel's file of hosts; "": this machine
    bool isDetached{false};        //!< submit, and do not wait
    bool isPlanned{false};         //!< print the plan, and run nothing
    bool isResumed{false};         //!< collect what an earlier call has submitted
    bool hasJobs{false};           //!< the user has said how many runs at a time
    std::size_t jobs{1};           //!< runs at a time; GNU parallel: on each host
    std::filesystem::path folder;  //!< folder of the study, which all machines share
};

/** Declare the options of all commands that have engines. */
void AddEngineOptions(Arguments& arguments);

/**
 * \param arguments parsed arguments with AddEngineOptions
 * \return the options that they give; jobs, isResumed and folder are left to the caller
 * \throws InputError that lists what is wrong: an engine that does not exist or is not installed,
 *         an option of another engine
 */
EngineOptions ReadEngineOptions(const Arguments& arguments);

/** How a run has ended. */
struct RunEnd
{
    int status{0};     //!< exit status, 128 + signal if a signal ended it
    double seconds{0}; //!< wall-clock time that it took
    std::string cause; //!< why it failed if its exit status does not tell; else ""
};

/** How an engine's work has ended. */
enum class StudyEnd
{
    COMPLETE,    //!< all runs have ended
    INTERRUPTED, //!< Ctrl-C; what was submitted is cancelled
    DETACHED     //!< runs are submitted, and under way or waiting
};

/** Functions that an engine calls; each has to be there. A number is the index of a run. */
struct StudyListener
{
    std::function<void(std::size_t)> preparing;            //!< results of earlier calls may go
    std::function<void(std::size_t)> starting;             //!< when it is known that a run starts
    std::function<void(std::size_t, const RunEnd&)> ended; //!< after a run; its log is in place
    std::function<void()> tick;                            //!< about once a second
    std::function<void(const std::string&)> say;           //!< a line for the user
};

/**
 * Carries out the runs of a study. Whatever the engine, results, logs and exit statuses are the
 * same: only the place differs.
 */
class Engine
{
  public:
    Engine() = default;
    virtual ~Engine() = default;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    /**
     * Carry out runs. The longest go first where the engine knows how long they take.
     *
     * \param runs runs, with different names
     * \param listener gets the calls; after an interruption only for runs that are over
     * \throws RunError when a log cannot be written, or a batch system refuses the tasks
     */
    StudyEnd Run(const std::vector<StudyRun>& runs, const StudyListener& listener);

  private:
    virtual StudyEnd DoRun(const std::vector<StudyRun>& runs, const StudyListener& listener) = 0;
};

/** \return the engine that the options name */
std::unique_ptr<Engine> MakeEngine(const EngineOptions& options);

} // namespace ns3::ddl

#endif // DDL_ENGINE_H
