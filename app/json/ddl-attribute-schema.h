// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_ATTRIBUTE_SCHEMA_H
#define DDL_ATTRIBUTE_SCHEMA_H

#include "ddl-json-range.h"
#include "ddl-key-book.h"

#include "ns3/type-id.h"

namespace ns3::ddl
{

/** \return range of an attribute that is a whole number; {0, 0} for any other */
JsonRange<uint64_t> FindCountRange(const TypeId::AttributeInformation& attribute);

/** \return JSON schema of an attribute as users write it, without description and default */
Json AttributeSchema(const TypeId::AttributeInformation& attribute);

/** \return what an attribute may be, "from 1 to 8"; "": anything of its type */
std::string AttributeRange(const TypeId::AttributeInformation& attribute);

/** \return JSON schema of the name of a policy: the known ones, each with its line, or any */
Json NamesSchema(TypeId family);

/**
 * \param family of policies, or of random variables
 * \param book gets the schema of the family, and the table of its attributes
 * \return reference to it: a name, or an object with "type" and the attributes of all policies
 */
Json PolicySchema(TypeId family, KeyBook& book);

} // namespace ns3::ddl

#endif // DDL_ATTRIBUTE_SCHEMA_H
