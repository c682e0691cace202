// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JSON_POLICY_H
#define DDL_JSON_POLICY_H

#include "ddl-json-text.h"

#include "ns3/ddl-error.h"
#include "ns3/object-factory.h"
#include "ns3/type-id.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::ddl
{

/** A value that a user gives to an attribute of a policy. */
struct PolicyAttribute
{
    std::string name;  //!< name of the attribute, "Kappa"
    std::string text;  //!< value as ns-3 reads it, "2"
    std::string where; //!< where the value was written: "file:line" or "--set"
};

/**
 * A policy as a user names it, with its attributes: `"lwf"`, `{"type": "lwf", "Kappa": 2}`.
 *
 * A name that ends in a dash and a whole number is short for the policy whose name ends in `-n`,
 * with the attribute N set to that number: `srsf-2` is `{"type": "srsf-n", "N": 2}`.
 */
struct PolicySpec
{
    std::string name; //!< short name or full TypeId name
    std::vector<PolicyAttribute> attributes{};
    std::string where{};   //!< where the policy was written, "file:line" or "--set", for messages
    std::string pointer{}; //!< JSON pointer of the policy, for messages

    /**
     * Resolves the name in a family and checks every attribute without setting any.
     *
     * \param family TypeId of the family (see FindPolicy)
     * \param diagnostics gets what is wrong: no such policy, no such attribute (the nearest and all
     *        others are offered, with their help), a value out of range
     * \return factory for the policy; without a TypeId when there is no such policy, and without
     *         the attributes that are wrong
     */
    ObjectFactory MakeFactory(TypeId family, std::vector<Diagnostic>& diagnostics) const;
};

/** \return text of an attribute's value as ns-3 reads it; none if the JSON cannot be one */
std::optional<std::string> AttributeText(const Json& value);

/** \return a value as text with all digits; ns-3's own text of a time or a real number has six */
std::string FormatAttribute(const AttributeValue& value, Ptr<const AttributeChecker> checker);

/**
 * \return all attributes that objects of a factory are made with, those of parent types last: name,
 *         as ns-3 writes it, and value (true, 4, 0.5, "10us"). An attribute that the factory does
 *         not set has its default, which the user may have changed (`--ns3::ddl::X::Y=Z`)
 */
std::vector<std::pair<std::string, Json>> AttributesOf(const ObjectFactory& factory);

/**
 * \param family TypeId of the policy's family
 * \param factory factory of the policy
 * \return the policy as a user names it, with all attributes: "random", or
 *         {"type": "lwf", "Kappa": 2}
 */
Json PolicyJson(TypeId family, const ObjectFactory& factory);

} // namespace ns3::ddl

#endif // DDL_JSON_POLICY_H
