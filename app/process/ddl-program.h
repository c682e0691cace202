// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PROGRAM_H
#define DDL_PROGRAM_H

#include "app/text/ddl-arguments.h"

#include <functional>

namespace ns3::ddl
{

/**
 * Do what all programs of this module do: parse the arguments, answer `--help`, run, and print
 * errors on stderr. The simulator's event list is the WheelScheduler unless the user chose another.
 *
 * \param arguments declared arguments of the program
 * \param argc the argument of main
 * \param argv the argument of main
 * \param body the program's work; returns its exit status
 * \return the exit status: that of \p body, 2 after InputError, 1 after any other exception, and 1
 *         instead of 0 when standard output did not take all that was written to it (a full disk)
 */
int RunProgram(Arguments& arguments, int argc, char** argv, const std::function<int()>& body);

/**
 * Fix the resolution of ns-3's times at nanoseconds, the default. Until then ns-3 keeps a list of
 * all Time objects and searches it for each of them, which is most of the time of reading a large
 * scenario. Call it once in a process, before any simulation.
 */
void SettleTimes();

/**
 * Do a part of a program, and print errors on stderr.
 *
 * \param body the work; returns its exit status
 * \return the exit status: that of \p body, 2 after InputError, 1 after any other exception
 */
int RunGuarded(const std::function<int()>& body);

} // namespace ns3::ddl

#endif // DDL_PROGRAM_H
