// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JSON_TEXT_H
#define DDL_JSON_TEXT_H

#include <nlohmann/json.hpp>
#include <string>

namespace ns3::ddl
{

/** JSON whose objects keep the order in which the user wrote their keys. */
using Json = nlohmann::ordered_json;

/** \return pointer of a member or element of the value at \p parent (RFC 6901) */
std::string JsonPointer(const std::string& parent, const std::string& token);

/** \return pointer of the object or list that holds the value at \p pointer, which is not "" */
std::string ParentPointer(const std::string& pointer);

/**
 * \return the value as people name it in messages: `3.7`, `the string "x"`, `an object`, `a list`
 */
std::string DescribeJson(const Json& value);

/**
 * \return text of a JSON file: two spaces per level, keys in their order, numbers in the shortest
 *         form that reads back to the same value, a newline at the end. Equal values give equal
 *         bytes; not-a-number and infinity become null
 */
std::string DumpJson(const Json& value);

} // namespace ns3::ddl

#endif // DDL_JSON_TEXT_H
