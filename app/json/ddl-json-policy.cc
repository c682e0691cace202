// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-json-policy.h"

#include "ns3/attribute-container.h"
#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/ddl-attribute-check.h"
#include "ns3/ddl-policy.h"
#include "ns3/ddl-quantile-random-variable.h"
#include "ns3/ddl-quantity.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

namespace ns3::ddl
{

namespace
{

/** \return the parts of "A=1|B=ns3::X[C=2|D=3]|" before the bars that stand outside of brackets */
std::vector<std::string>
SplitOutside(const std::string& text)
{
    std::vector<std::string> parts(1);
    uint32_t depth = 0;
    for (const char c : text)
    {
        depth += (c == '[') ? 1 : 0;
        depth -= (c == ']' && depth > 0) ? 1 : 0;
        if (c == '|' && depth == 0)
        {
            parts.emplace_back();
        }
        else
        {
            parts.back() += c;
        }
    }
    if (parts.back().empty()) // ns-3 writes a bar at the end, too
    {
        parts.pop_back();
    }
    return parts;
}

/** \return the attributes that a factory sets, read from its printed text: it has no getter */
std::map<std::string, std::string>
ReadSettings(const ObjectFactory& factory)
{
    std::ostringstream printed;
    printed << factory;
    const std::string text = printed.str();
    std::map<std::string, std::string> settings;
    const auto open = text.find('[');
    if (open == std::string::npos)
    {
        return settings;
    }
    for (const auto& attribute : SplitOutside(text.substr(open + 1, text.rfind(']') - open - 1)))
    {
        const auto equals = attribute.find('=');
        settings[attribute.substr(0, equals)] = attribute.substr(equals + 1);
    }
    return settings;
}

/** \return true for an attribute that objects can be made with, and that has a text */
bool
CanBeWritten(const TypeId::AttributeInformation& attribute)
{
    return (attribute.flags & TypeId::ATTR_CONSTRUCT) && attribute.accessor->HasSetter() &&
           !dynamic_cast<const PointerChecker*>(PeekPointer(attribute.checker));
}

/**
 * \param attribute an attribute that can be written
 * \param given the attribute's value, or a text that stands for one ("10us")
 * \return the value as users write it: true, 4, 0.5, "10us"
 */
Json
ToJson(const TypeId::AttributeInformation& attribute, const AttributeValue& given)
{
    const auto own = attribute.checker->CreateValidValue(given);
    const AttributeValue& value = own ? *own : given;
    if (const auto flag = dynamic_cast<const BooleanValue*>(&value))
    {
        return flag->Get();
    }
    if (const auto whole = dynamic_cast<const UintegerValue*>(&value))
    {
        return whole->Get();
    }
    if (const auto whole = dynamic_cast<const IntegerValue*>(&value))
    {
        return whole->Get();
    }
    if (const auto counts = dynamic_cast<const AttributeContainerValue<UintegerValue>*>(&value))
    {
        Json list = Json::array();
        for (const auto& count : counts->Get())
        {
            list.push_back(count);
        }
        return list.size() == 1 ? list[0] : list; // one number stands for all
    }
    if (const auto times = dynamic_cast<const AttributeContainerValue<TimeValue>*>(&value))
    {
        Json list = Json::array();
        for (const Time& time : times->Get())
        {
            list.push_back(FormatAttribute(TimeValue(time), MakeTimeChecker()));
        }
        return list;
    }
    if (const auto reals = dynamic_cast<const AttributeContainerValue<DoubleValue>*>(&value))
    {
        Json list = Json::array();
        for (const double real : reals->Get())
        {
            list.push_back(real);
        }
        return list;
    }
    const auto real = dynamic_cast<const DoubleValue*>(&value);
    if (real && std::isfinite(real->Get())) // JSON has no infinity
    {
        return real->Get();
    }
    return FormatAttribute(value, attribute.checker);
}

/** \return text of a scalar as ns-3 reads it; none for an object or a list */
std::optional<std::string>
ScalarText(const Json& value)
{
    if (value.is_string())
    {
        return value.get<std::string>();
    }
    return value.is_number() || value.is_boolean() ? std::make_optional(value.dump())
                                                   : std::nullopt;
}

/** \return text of a list as ns-3 reads it: "1,2,3" */
std::optional<std::string>
ListText(const Json& list)
{
    std::string text;
    for (std::size_t i = 0; i < list.size(); ++i)
    {
        const auto item = ScalarText(list[i]);
        if (!item)
        {
            return std::nullopt;
        }
        text += (i == 0 ? "" : ",") + *item;
    }
    return text;
}

/** \return text of an object as ns-3 reads it: "ns3::Type[Attribute=value|Attribute=value]" */
std::optional<std::string>
ObjectText(const Json& object)
{
    std::string type;
    std::string settings;
    for (const auto& [name, value] : object.items())
    {
        const auto text = ScalarText(value);
        if (!text)
        {
            return std::nullopt;
        }
        if (name == "type")
        {
            type = *text;
            continue;
        }
        settings += (settings.empty() ? "" : "|") + name + "=" + *text;
    }
    return type.empty() ? std::nullopt : std::make_optional(type + "[" + settings + "]");
}

/** \return `{"type": "srsf-n", "N": 2}` for `srsf-2`; the same as given if it is no such short form
 */
PolicySpec
Expand(const PolicySpec& given, TypeId family)
{
    const auto dash = given.name.rfind('-');
    const std::string number = dash == std::string::npos ? "" : given.name.substr(dash + 1);
    if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos)
    {
        return given;
    }
    const auto policies = ListPolicies(family);
    const std::string general = given.name.substr(0, dash) + "-n";
    const bool isExact = std::count(policies.begin(), policies.end(), given.name) > 0;
    if (isExact || std::count(policies.begin(), policies.end(), general) == 0)
    {
        return given;
    }
    PolicySpec expanded = given;
    expanded.name = general;
    expanded.attributes.insert(expanded.attributes.begin(), {"N", number, given.where});
    return expanded;
}

/**
 * ns-3 draws again until a value is within the distribution's Bound. A Bound of 0 means that there
 * is none, except for a normal distribution, whose Bound limits both sides.
 *
 * \return about which share of the draws is within the Bound, 0 to 1
 */
double
FindShareWithinBound(const ObjectFactory& factory)
{
    const Ptr<RandomVariableStream> variable = factory.Create<RandomVariableStream>();
    if (const auto normal = DynamicCast<NormalRandomVariable>(variable))
    {
        const double variance = normal->GetVariance();
        return variance == 0 ? 1 : normal->GetBound() / std::sqrt(variance);
    }
    if (const auto exponential = DynamicCast<ExponentialRandomVariable>(variable))
    {
        const double bound = exponential->GetBound() / std::max(exponential->GetMean(), 0.0);
        return exponential->GetBound() == 0 ? 1 : 1 - std::exp(-bound);
    }
    if (const auto weibull = DynamicCast<WeibullRandomVariable>(variable))
    {
        const double bound = weibull->GetBound() / std::max(weibull->GetScale(), 0.0);
        const double share = std::exp(-std::pow(bound, weibull->GetShape()));
        return weibull->GetBound() == 0 ? 1 : weibull->GetShape() < 0 ? share : 1 - share;
    }
    if (const auto pareto = DynamicCast<ParetoRandomVariable>(variable))
    {
        const double bound = pareto->GetBound() / std::max(pareto->GetScale(), 0.0);
        const double shape = pareto->GetShape();
        const double share = shape < 0 ? std::pow(std::min(bound, 1.0), -shape)
                                       : 1 - std::pow(std::max(bound, 1.0), -shape);
        return pareto->GetBound() == 0 ? 1 : share;
    }
    return 1;
}

/** \return a complaint if drawing from a distribution is impossible or would never end, or "" */
std::string
CheckDistribution(const ObjectFactory& factory)
{
    constexpr double LEAST = 1e-3; // at most a thousand draws for one value
    if (factory.GetTypeId() == QuantileRandomVariable::GetTypeId())
    {
        return factory.Create<QuantileRandomVariable>()->FindProblem();
    }
    if (factory.GetTypeId() == EmpiricalRandomVariable::GetTypeId() ||
        factory.GetTypeId() == DeterministicRandomVariable::GetTypeId())
    {
        return "has no attribute for its values (take a " +
               GetShortName(RandomVariableStream::GetTypeId(),
                            QuantileRandomVariable::GetTypeId()) +
               ")";
    }
    if (!factory.GetTypeId().IsChildOf(RandomVariableStream::GetTypeId()) ||
        FindShareWithinBound(factory) >= LEAST)
    {
        return "";
    }
    return "hardly a draw is within Bound (a larger Bound, or a narrower distribution)";
}

} // namespace

ObjectFactory
PolicySpec::MakeFactory(TypeId family, std::vector<Diagnostic>& diagnostics) const
{
    ObjectFactory factory;
    const PolicySpec expanded = Expand(*this, family);
    try
    {
        factory.SetTypeId(FindPolicy(family, expanded.name));
    }
    catch (const InputError& error)
    {
        diagnostics.push_back({where, pointer, error.what()});
        return factory;
    }
    std::vector<std::string> names;
    for (const auto& [name, text, place] : expanded.attributes)
    {
        const bool isRepeated = std::count(names.begin(), names.end(), name) > 0;
        const std::string problem = isRepeated ? "already set by \"" + this->name + "\""
                                               : CheckAttribute(factory.GetTypeId(), name, text);
        names.push_back(name);
        if (problem.empty())
        {
            factory.Set(name, StringValue(text));
        }
        else
        {
            diagnostics.push_back({place, JsonPointer(pointer, name), problem});
        }
    }
    const std::string problem = CheckDistribution(factory);
    if (!problem.empty())
    {
        diagnostics.push_back({where, pointer, problem});
    }
    return factory;
}

std::optional<std::string>
AttributeText(const Json& value)
{
    if (value.is_array())
    {
        return ListText(value);
    }
    return value.is_object() ? ObjectText(value) : ScalarText(value);
}

std::string
FormatAttribute(const AttributeValue& value, Ptr<const AttributeChecker> checker)
{
    if (const auto time = dynamic_cast<const TimeValue*>(&value))
    {
        return FormatDuration(time->Get());
    }
    if (const auto rate = dynamic_cast<const DataRateValue*>(&value))
    {
        return FormatRate(rate->Get());
    }
    if (const auto times = dynamic_cast<const AttributeContainerValue<TimeValue>*>(&value))
    {
        Json list = Json::array();
        for (const Time& time : times->Get())
        {
            list.push_back(FormatAttribute(TimeValue(time), MakeTimeChecker()));
        }
        return list;
    }
    const auto real = dynamic_cast<const DoubleValue*>(&value);
    if (real && std::isfinite(real->Get()))
    {
        return Json(real->Get()).dump();
    }
    return value.SerializeToString(checker);
}

std::vector<std::pair<std::string, Json>>
AttributesOf(const ObjectFactory& factory)
{
    const auto settings = ReadSettings(factory);
    std::vector<std::pair<std::string, Json>> attributes;
    TypeId type = factory.GetTypeId();
    for (bool isLast = false; !isLast; type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation attribute = type.GetAttribute(i);
            const auto set = settings.find(attribute.name);
            if (!CanBeWritten(attribute))
            {
                continue;
            }
            attributes.emplace_back(attribute.name,
                                    set == settings.end()
                                        ? ToJson(attribute, *attribute.initialValue)
                                        : ToJson(attribute, StringValue(set->second)));
        }
        isLast = !type.HasParent() || type.GetParent() == type;
    }
    return attributes;
}

Json
PolicyJson(TypeId family, const ObjectFactory& factory)
{
    const std::string name = GetShortName(family, factory.GetTypeId());
    const auto attributes = AttributesOf(factory);
    if (attributes.empty())
    {
        return name;
    }
    Json policy = {{"type", name}};
    for (const auto& [attribute, value] : attributes)
    {
        policy[attribute] = value;
    }
    return policy;
}

} // namespace ns3::ddl
