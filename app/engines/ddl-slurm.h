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

} // namespace ns3::ddl

#endif // DDL_SLURM_H
