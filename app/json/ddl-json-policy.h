// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_JSON_POLICY_H
#define DDL_JSON_POLICY_H

#include "ddl-json-value.h"
#include "ddl-policy-spec.h"

#include <optional>
#include <string>

namespace ns3::ddl
{

/**
 * Reads a policy: its name, `"lwf"`, or an object with its attributes, `{"type": "lwf", "Kappa":
 * 2}`.
 *
 * Values of attributes are written as they are for ns-3: numbers, truth values, strings, lists of
 * these, and objects, `{"type": "ns3::UniformRandomVariable", "Max": 2}`. Only their form is
 * checked here; PolicySpec::MakeFactory() checks name and attributes.
 *
 * \param value where the policy stands
 * \param fallback name of the policy if there is none, or if the object has no "type"
 */
PolicySpec ReadPolicy(const JsonValue& value, const std::string& fallback);

/** \return the value of an attribute as ns-3 reads it; none if it cannot be one */
std::optional<std::string> AttributeText(const Json& value);

} // namespace ns3::ddl

#endif // DDL_JSON_POLICY_H
