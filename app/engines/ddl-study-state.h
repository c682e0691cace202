// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_STUDY_STATE_H
#define DDL_STUDY_STATE_H

#include "ddl-batch.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** A run of a submitted task, by what identifies it in a later call. */
struct SubmittedRun
{
    std::string name;
    std::vector<std::string> command; //!< words of MakeOnceCommand
};

/** A task that a batch system has taken. */
struct SubmittedTask
{
    BatchTask task;                 //!< without its runs, which have other indices in another call
    std::vector<SubmittedRun> runs; //!< in the order in which they go
};

/** What a call has submitted, for a later one to collect: the file `state.json`. */
struct StudyState
{
    std::string batch;       //!< name of the batch system, as Batch::GetName
    std::size_t nextTask{0}; //!< number of the next task
    std::vector<SubmittedTask> tasks;
};

/** \return path of the script of a task */
std::filesystem::path GetTaskScript(const std::filesystem::path& folder, std::size_t number);

/**
 * \param folder folder of the study's tasks
 * \return what an earlier call has submitted and nobody has collected; nothing if there is none
 * \throws RunError when the file is damaged
 */
std::optional<StudyState> ReadStudyState(const std::filesystem::path& folder);

/** Replace the file in one step. \throws RunError when it cannot be written */
void WriteStudyState(const std::filesystem::path& folder, const StudyState& state);

/**
 * Refuse to make runs that another engine has been given, for they would be made twice.
 *
 * \param folder folder of the study's tasks
 * \param batch name of the batch system that is asked for now; "": none
 * \throws RunError when an earlier call has submitted tasks to another one
 */
void RefuseOtherBatch(const std::filesystem::path& folder, const std::string& batch);

} // namespace ns3::ddl

#endif // DDL_STUDY_STATE_H
