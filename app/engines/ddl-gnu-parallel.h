// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_GNU_PARALLEL_H
#define DDL_GNU_PARALLEL_H

#include "ddl-batch.h"
#include "ddl-engine.h"

#include <memory>
#include <string>

namespace ns3::ddl
{

/** \return a line on what to install for GNU parallel; "" if it is there */
std::string FindMissingParallel();

/** \return GNU parallel, on the hosts of a file of sshlogins or on this machine */
std::unique_ptr<Batch> MakeGnuParallel(const EngineOptions& options);

} // namespace ns3::ddl

#endif // DDL_GNU_PARALLEL_H
