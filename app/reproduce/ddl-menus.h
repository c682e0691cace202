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
    std::string title; //!< title of the list: "policies: network-scheduler"
    std::vector<NamedItem> items;
};

/** \return the kinds of menus: "policies", "models", "clusters", "scenarios", "papers", ... */
std::vector<std::string> ListMenuKinds();

/**
 * \param kind one of ListMenuKinds(), or "" for all of them
 * \return the menus of that kind: one, or for policies one for each family
 * \throws InputError when there is no menu of that kind
 */
std::vector<Menu> MakeMenus(const std::string& kind);

/**
 * Renew the tables of policies in a page of the documentation (RenewParts). They stand between the
 * lines `<!-- policies of FAMILY -->` and `<!-- end of policies -->`.
 *
 * \throws InputError when the last table has no end
 */
std::string RenewPolicyTables(const std::string& page);

} // namespace ns3::ddl

#endif // DDL_MENUS_H
