// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_TASK_SCRIPT_H
#define DDL_TASK_SCRIPT_H

#include "ddl-batch.h"
#include "ddl-study-plan.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * Make the script of a task, for a POSIX shell. It carries out run after run. The output of a run
 * goes to `logs/NAME.txt`; when it is over, exit status and seconds appear as `ended/NAME`. A run
 * that has ended is left out, so that the script can be run again after its machine went away. A
 * run that was asked to stop (SIGHUP, SIGINT, SIGTERM) has not ended, and ends the script.
 *
 * \param folder absolute path of the folder of the study's tasks
 * \param task the task
 * \param runs all runs of the study
 * \return text of the script
 */
std::string FormatTaskScript(const std::filesystem::path& folder,
                             const BatchTask& task,
                             const std::vector<StudyRun>& runs);

} // namespace ns3::ddl

#endif // DDL_TASK_SCRIPT_H
