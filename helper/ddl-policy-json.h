// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_POLICY_JSON_H
#define DDL_POLICY_JSON_H

#include "ddl-json-text.h"

#include "ns3/object-factory.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace ddl
{

/** \return the attributes that a factory sets: name and value text, as ns-3 writes them */
std::vector<std::pair<std::string, std::string>> AttributesOf(const ObjectFactory& factory);

/**
 * \param family of the policy
 * \param factory of the policy
 * \return as a user names it: "lwf", or {"type": "lwf", "Kappa": "2"}
 */
Json PolicyJson(TypeId family, const ObjectFactory& factory);

} // namespace ddl
} // namespace ns3

#endif // DDL_POLICY_JSON_H
