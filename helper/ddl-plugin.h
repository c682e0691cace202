// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_PLUGIN_H
#define DDL_PLUGIN_H

#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * Load shared libraries. Their policies, whose TypeIds they register when loaded, can then be
 * chosen by name like those of this module. They stay loaded.
 *
 * \param files paths of shared libraries
 * \throws InputError that lists every file that cannot be loaded, and why
 */
void LoadPlugins(const std::vector<std::string>& files);

/** \return "NAME HASH" of each loaded plugin: name of the file, and hash of its content */
std::vector<std::string> ListPlugins();

} // namespace ns3::ddl

#endif // DDL_PLUGIN_H
