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
 * \param arguments what the program takes
 * \param argc from main
 * \param argv from main
 * \param body the program's work; returns its exit status
 * \return the exit status: that of \p body, 2 after InputError, 1 after any other exception, and 1
 *         instead of 0 when standard output did not take all that was written to it (a full disk)
 */
int RunProgram(Arguments& arguments, int argc, char** argv, const std::function<int()>& body);

/**
 * Fix the resolution of ns-3's times at nanoseconds, where it is anyway. Until then ns-3 keeps a
 * list of all Time objects, so that each costs a search of it: most of the time of reading a large
 * scenario. Once in a process, before any simulation.
 */
void SettleTimes();

/**
 * Do a part of a program, and print errors on stderr.
 *
 * \param body returns its exit status
 * \return the exit status: that of \p body, 2 after InputError, 1 after any other exception
 */
int RunGuarded(const std::function<int()>& body);

} // namespace ns3::ddl

#endif // DDL_PROGRAM_H
