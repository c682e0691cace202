// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_MENUS_H
#define DDL_MENUS_H

#include "app/scenario/ddl-home.h"

#include <string>
#include <vector>

namespace ns3::ddl
{

/** A list of names that a user can choose from, as `ddl list` prints it. */
struct Menu
{
    std::string title; //!< "policies: network-scheduler"
    std::vector<NamedItem> items;
};

/** \return "policies", "models", "clusters", "scenarios", "papers", "figures" */
std::vector<std::string> ListMenuKinds();

/**
 * \param kind one of ListMenuKinds(), or "" for all of them
 * \return one menu, or several: policies have one for each family
 * \throws InputError when there is no such kind
 */
std::vector<Menu> MakeMenus(const std::string& kind);

} // namespace ns3::ddl

#endif // DDL_MENUS_H
