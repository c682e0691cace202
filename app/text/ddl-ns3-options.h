// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_NS3_OPTIONS_H
#define DDL_NS3_OPTIONS_H

#include <string>
#include <vector>

namespace ns3::ddl
{

/** \return true if the option is `Print...`, which ns3::CommandLine answers before it exits */
bool IsNs3Question(const std::string& name);

/** \return true if the option is ns-3's own: `ns3::Class::Attribute`, a global value, `Print...` */
bool IsNs3Option(const std::string& name);

/**
 * Do what ns-3 users expect of every program: `--ns3::Class::Attribute=value`, `--RngRun=7`,
 * `--PrintHelp`. Everything is checked before ns-3 sees it: ns-3 ends the program on a value that
 * it cannot read, and follows null pointers where a type is not of the kind that is needed.
 *
 * \param options options with their dashes; IsNs3Option() is true for each
 * \throws InputError with all complaints, before anything is set
 */
void PassToNs3(const std::vector<std::string>& options);

} // namespace ns3::ddl

#endif // DDL_NS3_OPTIONS_H
