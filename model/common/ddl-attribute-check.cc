// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-attribute-check.h"

#include "ddl-error.h"
#include "ddl-quantity.h"

#include "ns3/attribute-container.h"
#include "ns3/string.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>

namespace ns3::ddl
{

namespace
{

std::vector<std::string>
Split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    return boost::split(parts, text, [separator](char c) { return c == separator; });
}

/** \return the value's class, "UintegerValue", without the namespace that some ns-3 names have */
std::string
ValueName(Ptr<const AttributeChecker> checker)
{
    const std::string prefix = "ns3::";
    const std::string name = checker->GetValueTypeName();
    return name.compare(0, prefix.size(), prefix) == 0 ? name.substr(prefix.size()) : name;
}

bool
IsDigits(const std::string& text)
{
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/** \return what an attribute takes, from ns-3's own description: "uint32_t 1:10", "Tree|Ring" */
std::string
DescribeAllowed(Ptr<const AttributeChecker> checker)
{
    std::string allowed = checker->HasUnderlyingTypeInformation()
                              ? checker->GetUnderlyingTypeInformation()
                              : ValueName(checker);
    const auto range = allowed.rfind(' ');
    const auto colon = allowed.find(':', range == std::string::npos ? allowed.size() : range);
    if (colon != std::string::npos && allowed.find('<') == std::string::npos)
    {
        allowed.replace(colon, 1, " to ");
    }
    return allowed;
}

std::string
Refuse(Ptr<const AttributeChecker> checker, const std::string& text)
{
    return QuoteText(text) + " is no value for this (" + DescribeAllowed(checker) + ")";
}

std::string
CheckEnumerator(Ptr<const AttributeChecker> checker, const std::string& text)
{
    const auto names = Split(checker->GetUnderlyingTypeInformation(), '|');
    if (std::find(names.begin(), names.end(), text) != names.end())
    {
        return "";
    }
    return QuoteText(text) + " is unknown (one of " + JoinNames(names) + ")" +
           SuggestName(text, names);
}

/** Checks `ns3::Type` or `ns3::Type[Attribute=value|...]`. */
std::string
CheckObject(const std::string& text)
{
    const auto open = text.find('[');
    const std::string name = text.substr(0, open);
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(name, &type) || !type.HasConstructor())
    {
        return QuoteText(name) + " is no class of ns-3 that can be created";
    }
    if (open == std::string::npos)
    {
        return "";
    }
    if (text.find(']') != text.size() - 1)
    {
        return QuoteText(text) + " must end in the only \"]\"";
    }
    const std::string inner = text.substr(open + 1, text.size() - open - 2);
    for (const auto& setting : inner.empty() ? std::vector<std::string>{} : Split(inner, '|'))
    {
        const auto equals = setting.find('=');
        const std::string value = equals == std::string::npos ? "" : setting.substr(equals + 1);
        const std::string problem = CheckAttribute(type, setting.substr(0, equals), value);
        if (!problem.empty())
        {
            return name + " " + setting.substr(0, equals) + ": " + problem;
        }
    }
    return "";
}

std::string
CheckList(Ptr<const AttributeChecker> items, const std::string& text)
{
    for (const auto& item : text.empty() ? std::vector<std::string>{} : Split(text, ','))
    {
        const std::string problem = CheckAttributeText(items, item);
        if (!problem.empty())
        {
            return problem;
        }
    }
    return "";
}

/**
 * Find texts on which ns-3's readers of numbers and quantities end the program, or which they
 * misread.
 *
 * \return what is wrong, or "" when ns-3 itself can check the text
 */
std::string
CheckSyntax(Ptr<const AttributeChecker> checker, const std::string& text)
{
    const std::string value = ValueName(checker);
    const bool isNegative = !text.empty() && text.front() == '-';
    std::string problem;
    if ((value == "UintegerValue" && !IsDigits(text)) ||
        (value == "IntegerValue" && !IsDigits(text.substr(isNegative ? 1 : 0))))
    {
        return Refuse(checker, text);
    }
    if (value == "DoubleValue" && !ParseNumber(text, problem))
    {
        return problem;
    }
    if (value == "TimeValue" && !ParseDuration(text, problem))
    {
        return problem;
    }
    if (value == "DataRateValue")
    {
        const auto rate = ParseRate(text, problem);
        return rate && rate->GetBitRate() == 0 ? QuoteText(text) + " is too little (above 0)"
                                               : problem;
    }
    return "";
}

std::string
ExplainUnknown(TypeId type, const std::string& name)
{
    std::vector<std::string> names;
    std::vector<std::string> lines;
    bool isLast = false;
    for (TypeId at = type; !isLast; at = at.GetParent())
    {
        for (std::size_t i = 0; i < at.GetAttributeN(); ++i)
        {
            names.push_back(at.GetAttribute(i).name);
            lines.push_back(names.back() + ": " + at.GetAttribute(i).help);
        }
        isLast = !at.HasParent() || at.GetParent() == at;
    }
    const std::string menu = boost::join(lines, "; ");
    return "unknown attribute of " + type.GetName() + " (" + (menu.empty() ? "it has none" : menu) +
           ")" + SuggestName(name, names);
}

} // namespace

std::string
SuggestName(const std::string& given,
            const std::vector<std::string>& legal,
            const std::string& quote)
{
    const std::string nearest = NearestName(given, legal);
    return nearest.empty() ? "" : "; did you mean " + quote + nearest + quote + "?";
}

std::string
CheckAttribute(TypeId type, const std::string& name, const std::string& text)
{
    return CheckAttribute(type, name, StringValue(text));
}

std::string
CheckAttribute(TypeId type, const std::string& name, const AttributeValue& value)
{
    TypeId::AttributeInformation info;
    if (!type.LookupAttributeByName(name, &info))
    {
        return ExplainUnknown(type, name);
    }
    if (!(info.flags & TypeId::ATTR_CONSTRUCT) || !info.accessor->HasSetter())
    {
        return "this attribute can only be read";
    }
    if (const auto text = dynamic_cast<const StringValue*>(&value))
    {
        // A default may stand for something else, such as a rate of 0 for that of the NIC.
        return text->Get() == info.originalInitialValue->SerializeToString(info.checker)
                   ? ""
                   : CheckAttributeText(info.checker, text->Get());
    }
    return info.checker->CreateValidValue(value)
               ? ""
               : "the value is of another kind, or out of range (" + DescribeAllowed(info.checker) +
                     ")";
}

std::string
CheckAttributeText(Ptr<const AttributeChecker> checker, const std::string& text)
{
    const std::string value = ValueName(checker);
    if (value == "StringValue")
    {
        return "";
    }
    if (text.find_first_of(" \t\r\n") != std::string::npos)
    {
        return Refuse(checker, text); // ns-3 reads up to a space and then ends the program
    }
    std::string problem = CheckSyntax(checker, text);
    const auto list = dynamic_cast<const AttributeContainerChecker*>(PeekPointer(checker));
    if (list && list->GetItemChecker())
    {
        problem = CheckList(list->GetItemChecker(), text);
    }
    else if (value.compare(0, 9, "EnumValue") == 0)
    {
        problem = CheckEnumerator(checker, text);
    }
    else if (value == "PointerValue")
    {
        problem = CheckObject(text);
    }
    if (problem.empty() && !checker->CreateValidValue(StringValue(text)))
    {
        problem = Refuse(checker, text);
    }
    return problem;
}

} // namespace ns3::ddl
