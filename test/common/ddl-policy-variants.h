// SPDX-License-Identifier: GPL-2.0-only
#ifndef DDL_POLICY_VARIANTS_H
#define DDL_POLICY_VARIANTS_H

#include "ns3/ddl-error.h"
#include "ns3/ddl-policy.h"
#include "ns3/string.h"

#include <cctype>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

namespace ns3::ddl
{
namespace test
{

/** A policy with one of its attributes at another value than by default. */
struct Variant
{
    std::string policy;    //!< short name of the policy
    TypeId type;           //!< TypeId of the policy
    std::string attribute; //!< name of the attribute; empty: all have their defaults
    std::string value;

    template <typename Family>
    Ptr<Family> Create() const
    {
        ObjectFactory factory;
        factory.SetTypeId(type);
        if (!attribute.empty())
        {
            factory.Set(attribute, StringValue(value));
        }
        return factory.Create<Family>();
    }
};

inline std::ostream&
operator<<(std::ostream& os, const Variant& variant)
{
    return os << variant.policy << " " << variant.attribute << "=" << variant.value;
}

/** \return a test's name: letters, digits and underscores only, different for each variant */
inline std::string
NameOf(const testing::TestParamInfo<Variant>& info)
{
    std::string name = info.param.policy + "_" + info.param.attribute;
    if (!info.param.attribute.empty())
    {
        name += "_" + std::to_string(info.index);
    }
    for (char& c : name)
    {
        c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    }
    return name;
}

/**
 * \return the values at the ends of what an attribute's checker lets pass, as text: both truth
 *         values, all names of an enumeration, the least and the greatest number or time; none for
 *         text
 */
inline std::vector<std::string>
ListExtremes(const TypeId::AttributeInformation& attribute)
{
    const std::string type = attribute.checker->GetValueTypeName();
    const std::string range = attribute.checker->GetUnderlyingTypeInformation();
    if (type == "ns3::BooleanValue")
    {
        return {"false", "true"};
    }
    if (type == "ns3::PointerValue")
    {
        return {}; // an object has no ends
    }
    std::vector<std::string> values;
    if (type == "ns3::EnumValue")
    {
        std::istringstream names(range);
        for (std::string name; std::getline(names, name, '|');)
        {
            values.push_back(name);
        }
        return values;
    }
    // "uint32_t 1:4294967295", "double 0:1", "Time +1ns:+9.2e+18ns"
    const auto space = range.find(' ');
    const auto colon = range.find(':', space);
    if (space == std::string::npos || colon == std::string::npos)
    {
        return {};
    }
    for (const std::string& value :
         {range.substr(space + 1, colon - space - 1), range.substr(colon + 1)})
    {
        const auto tried = attribute.checker->Create();
        if (tried->DeserializeFromString(value, attribute.checker) &&
            attribute.checker->Check(*tried))
        {
            values.push_back(value);
        }
    }
    return values;
}

/**
 * \param family TypeId of the family
 * \param more values of attributes, by name, which their checkers do not know: texts, and corner
 *        values that the documentation names
 * \return each policy of the family with its defaults, and with each attribute of its own at each
 *         of its extremes, one attribute at a time
 */
inline std::vector<Variant>
ListVariants(TypeId family, const std::map<std::string, std::vector<std::string>>& more = {})
{
    std::vector<Variant> variants;
    for (const std::string& name : ListPolicies(family))
    {
        const TypeId policy = FindPolicy(family, name);
        variants.push_back({name, policy, "", ""});
        for (TypeId type = policy; type != Policy::GetTypeId(); type = type.GetParent())
        {
            for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
            {
                const auto attribute = type.GetAttribute(i);
                auto values = ListExtremes(attribute);
                const auto named = more.find(attribute.name);
                if (named != more.end())
                {
                    values.insert(values.end(), named->second.begin(), named->second.end());
                }
                for (const std::string& value : values)
                {
                    variants.push_back({name, policy, attribute.name, value});
                }
            }
        }
    }
    return variants;
}

/** \return message of the RunError that a call throws; "" if it throws none. ns-3 loses the event
 * that throws, which is no leak of ours. */
inline std::string
RunErrorOf(const std::function<void()>& call)
{
#ifdef __SANITIZE_ADDRESS__
    const __lsan::ScopedDisabler events;
#endif
    try
    {
        call();
    }
    catch (const RunError& error)
    {
        return error.what();
    }
    return "";
}

} // namespace test
} // namespace ns3::ddl

#endif // DDL_POLICY_VARIANTS_H
