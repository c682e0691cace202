// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_STUDY_PLAN_H
#define DDL_STUDY_PLAN_H

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** What a run is expected to cost. */
struct RunPrice
{
    std::optional<double> cpuSeconds; //!< CPU time, runs alone included; none: not known
    std::optional<double> memoryMb;   //!< largest resident memory, 10^6 bytes; none: not known
};

/**
 * A run of a study as data: the process that carries it out, its runs alone included, where its
 * results go, and what it is expected to cost. Runs do not depend on each other.
 */
struct StudyRun
{
    std::string name;                 //!< unique in the study; can be the name of a file
    std::vector<std::string> command; //!< path of ddl-run and its arguments
    std::filesystem::path folder;     //!< folder of the results
    RunPrice price;

    /** \return file that takes the output of the run */
    std::filesystem::path GetLog() const
    {
        return folder / "log.txt";
    }
};

/** \return a text as one word of a POSIX shell */
std::string QuoteForShell(const std::string& text);

/**
 * \return assignments that a process needs on another machine to be this program's child in all but
 *         place, "NAME=VALUE": libraries, plugins, ns-3's settings, and one run alone at a time
 */
std::vector<std::string> ListSharedEnvironment();

/**
 * \return the words of a command that carries out a run anywhere: paths are absolute, and it does
 *         nothing if the results are there already (see RunOnce)
 */
std::vector<std::string> MakeOnceCommand(const StudyRun& run);

/** \return one line for a POSIX shell that carries out a run, from whatever folder */
std::string FormatRunLine(const StudyRun& run);

/**
 * \param runs runs of a study
 * \return JSON of the plan: folder and environment of the commands; for each run its name, folder,
 * words of its command, line for a shell, and price (`cpu_s`, `memory_mb`; null if not known)
 */
std::string FormatPlan(const std::vector<StudyRun>& runs);

/** \return lines for a shell, one for each run, in their order */
std::string FormatPlanLines(const std::vector<StudyRun>& runs);

} // namespace ns3::ddl

#endif // DDL_STUDY_PLAN_H
