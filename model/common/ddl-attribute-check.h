// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ATTRIBUTE_CHECK_H
#define DDL_ATTRIBUTE_CHECK_H

#include "ns3/attribute.h"
#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3::ddl
{

/**
 * Check the value of an attribute before ns-3 gets it: ns-3 ends the program on a text that it
 * cannot read, takes -3 for a huge unsigned number, and reads past the end on an unknown
 * enumerator.
 *
 * Numbers, truth values, strings, times, rates, enumerators, lists and objects described as
 * `ns3::Type[Attribute=value|...]` are checked; other types are left to ns-3's own reader.
 *
 * \param type the TypeId of the object
 * \param name the name of the attribute
 * \param text the attribute's value, as ns-3 reads it from text
 * \return "what is wrong (what is allowed); did you mean X?", or "" when the object takes the value
 */
std::string CheckAttribute(TypeId type, const std::string& name, const std::string& text);

/** Check the value of an attribute that a C++ script sets; a StringValue is read as text. */
std::string CheckAttribute(TypeId type, const std::string& name, const AttributeValue& value);

/**
 * Check a value that belongs to no object, such as that of an ns3::GlobalValue.
 *
 * \param checker the checker that ns-3 has for the value
 * \param text the value, as ns-3 reads it from text
 * \return "what is wrong (what is allowed)", or "" when the checker takes the value
 */
std::string CheckAttributeText(Ptr<const AttributeChecker> checker, const std::string& text);

/**
 * \param given a name that is not legal
 * \param legal the names that are legal
 * \param quote the quotation mark on both sides of the name in the answer
 * \return `; did you mean "NAME"?` with the nearest legal name, or "" when none is near
 */
std::string SuggestName(const std::string& given,
                        const std::vector<std::string>& legal,
                        const std::string& quote = "\"");

} // namespace ns3::ddl

#endif // DDL_ATTRIBUTE_CHECK_H
