// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_KEY_BOOK_H
#define DDL_KEY_BOOK_H

#include "ddl-json-text.h"

#include <map>
#include <string>
#include <vector>

namespace ns3::ddl
{

/** The keys of an object, as the tables of the documentation list them. */
struct KeyRow
{
    std::string name;
    std::string fallback; //!< default
    std::string range;
    std::string kind; //!< of the object that alone has the key; "": all have it
    std::string help;
};

/** What the descriptions of a document add up to. */
struct KeyBook
{
    Json definitions = Json::object();                 //!< of the schema
    std::map<std::string, std::vector<KeyRow>> tables; //!< by path, "cluster.topology"; attributes
                                                       //!< by family, "network-scheduler"
};

} // namespace ns3::ddl

#endif // DDL_KEY_BOOK_H
