// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LIVE_JOBS_H
#define DDL_LIVE_JOBS_H

#include "ddl-control-message.h"
#include "ddl-job-record.h"
#include "ddl-priority-book.h"

#include <set>
#include <vector>

namespace ns3::ddl
{

// What messages say of jobs that take part in network scheduling (JobRecord::live), and what
// follows from it. Messages may cross: those of an earlier stage or run, or of a job that has left,
// change nothing.

/**
 * The job's leader has reported the end of the stage, which has to be the current one.
 * \param table of all jobs
 */
void NoteDone(const JobTable& table, const StageDone& message);
/** Progress of a job. */
void NoteProgress(const JobTable& table, const JobProgress& progress);
/** A coflow begins. \return whether its job is live */
bool NoteCoflow(const JobTable& table, const CoflowStarted& message, Time now);
/** A coflow, the oldest of its job, is over. \return whether its job is live */
bool NoteCoflow(const JobTable& table, const CoflowEnded& message);
/** What a machine has moved for a job. */
void NoteBytes(const JobTable& table, HostId machine, const JobBytes& bytes);

/** \return machines that lead a job which is in the middle of a stage */
std::set<HostId> ListBusyLeaders(const JobTable::Groups& live);
/** \return machines of the jobs with a coflow under way */
std::set<HostId> ListCoflowMachines(const JobTable::Groups& live);

/**
 * \param live groups
 * \param kind of units
 * \return all live jobs with the machines whose NICs they use; where coflows are ordered, those
 *         with a coflow under way, by the oldest one
 */
std::vector<PresentJob> ListPresentJobs(const JobTable::Groups& live, UnitKind kind);

} // namespace ns3::ddl

#endif // DDL_LIVE_JOBS_H
