// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_SLURM_H
#define DDL_SLURM_H

#include "ddl-batch.h"
#include "ddl-engine.h"

#include <memory>
#include <string>

namespace ns3::ddl
{

/** \return a line on what to install for Slurm; "" if its commands are there */
std::string FindMissingSlurm();

/**
 * \return Slurm: job arrays by `sbatch`; in an allocation (SLURM_JOB_ID is set) steps by `srun`
 *         instead, and nothing is submitted
 */
std::unique_ptr<Batch> MakeSlurm(const EngineOptions& options);

/** \return number of CPUs in Slurm's notation: 180 for "72(x2),36"; 0 if it is none */
std::size_t CountSlurmCpus(const std::string& text);

/**
 * \param state a state as squeue and sacct give it: "TIMEOUT", "CANCELLED by 1000"
 * \return how a task in that state is doing
 */
TaskState ReadSlurmState(const std::string& state);

/**
 * \param end last lines that Slurm and a task have written
 * \return what they say about the task's end; OVER if nothing
 */
TaskState ReadSlurmLog(const std::string& end);

/**
 * \param config output of `scontrol show config`
 * \return most tasks of a job array; ANY_NUMBER if it does not say
 */
std::size_t ReadSlurmArrayLimit(const std::string& config);

/**
 * \param rows output of `sacctmgr --noheader --parsable2`: numbers between bars, empty: no limit
 * \return the least number; ANY_NUMBER if there is none
 */
std::size_t ReadLeastSlurmLimit(const std::string& rows);

} // namespace ns3::ddl

#endif // DDL_SLURM_H
