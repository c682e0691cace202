// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_LIVE_JOBS_H
#define DDL_LIVE_JOBS_H

#include "ddl-control-message.h"
#include "ddl-job-record.h"
#include "ddl-priority-book.h"

#include "ns3/data-rate.h"
#include "ns3/ddl-scheduler-view.h"

#include <map>
#include <set>
#include <vector>

namespace ns3::ddl
{

// What messages say of jobs that take part in network scheduling (JobRecord::live), and what the
// network scheduler and the priorities of machines see of it. Messages may cross: those of an
// earlier stage or run, or of a job that has left, change nothing.

/**
 * The job's leader has reported the end of the stage, which has to be the current one.
 * \param table of all jobs
 */
void NoteDone(const JobTable& table, const StageDone& message);
/** A leader has reported the progress of a job. */
void NoteProgress(const JobTable& table, const JobProgress& progress);
/** A leader has reported the start of a coflow. \return whether its job is live */
bool NoteCoflow(const JobTable& table, const CoflowStarted& message, Time now);
/** A leader has reported the end of its job's oldest coflow. \return whether its job is live */
bool NoteCoflow(const JobTable& table, const CoflowEnded& message);
/** A machine has reported the bytes that it has moved for a job. */
void NoteBytes(const JobTable& table, HostId machine, const JobBytes& bytes);

/** \return machines that lead a job which is in the middle of a stage */
std::set<HostId> ListBusyLeaders(const JobTable::Groups& live);
/** \return machines of the jobs with a coflow under way */
std::set<HostId> ListCoflowMachines(const JobTable::Groups& live);

/**
 * \param live groups
 * \param kind of units
 * \return the live jobs that use the network, with the machines whose NICs they use; where coflows
 *         are ordered, those with a coflow under way, by the oldest one
 */
std::vector<PresentJob> ListPresentJobs(const JobTable::Groups& live, UnitKind kind);

/**
 * Load of each port, in seconds at its full rate. Numbered as in PortLoad; idle ports are absent.
 */
using LoadByPort = std::map<uint32_t, double>;

/**
 * Add the seconds that bytes take at each port.
 *
 * \param bytes of one repetition
 * \param times how often they are moved, 0 or more
 * \param rates of the machines' NICs, by HostId
 * \param loads to which they are added
 */
void AddPortLoads(const std::vector<HostBytes>& bytes,
                  double times,
                  const std::vector<DataRate>& rates,
                  LoadByPort& loads);

/** \return the same loads as a list, ports ascending */
std::vector<PortLoad> ListPortLoads(const LoadByPort& loads);

/** Which units a network scheduler wants to see, and with how much foresight. */
struct ViewRequest
{
    UnitKind kind{UnitKind::STAGE};
    bool clairvoyant{false}; //!< count only the stages that each job will really run
    Time now;
};

/**
 * Build what a network scheduler sees: its units (stages, jobs or coflows) and what each of them
 * still has to move.
 *
 * STAGE: one unit for the current stage of each cojob and one for each stage to come that a job may
 * run. JOB: one unit for each live job, with all its stages to come. COFLOW: one unit for each job
 * with a coflow under way, the oldest one. Load of a stage on a port = sum over its live jobs of
 * iterations left x bytes per iteration there / capacity (Grouper §III-B); of a coflow = what is
 * left of its bytes there / capacity, all of them until a machine reports.
 *
 * \param request whose view
 * \param rates of the machines' NICs, by HostId
 * \param live groups, each with a current stage
 */
SchedulerView BuildSchedulerView(const ViewRequest& request,
                                 const std::vector<DataRate>& rates,
                                 const JobTable::Groups& live);

} // namespace ns3::ddl

#endif // DDL_LIVE_JOBS_H
