// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_POLICY_JSON_H
#define DDL_POLICY_JSON_H

#include "ddl-json-text.h"

#include "ns3/object-factory.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** \return a value as text. ns-3's own has six digits of a time or a real number; this has all */
std::string FormatAttribute(const AttributeValue& value, Ptr<const AttributeChecker> checker);

/**
 * \return all attributes that objects of a factory are made with, those of parent types last: name,
 *         as ns-3 writes it, and value (true, 4, 0.5, "10us"). What the factory does not set has
 * its default, as the user may have changed it (`--ns3::ddl::X::Y=Z`)
 */
std::vector<std::pair<std::string, Json>> AttributesOf(const ObjectFactory& factory);

/**
 * \param family of the policy
 * \param factory of the policy
 * \return as a user names it, with all attributes: "random", or {"type": "lwf", "Kappa": 2}
 */
Json PolicyJson(TypeId family, const ObjectFactory& factory);

} // namespace ns3::ddl

#endif // DDL_POLICY_JSON_H
