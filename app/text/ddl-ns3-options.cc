// SPDX-License-Identifier: GPL-2.0-only
#include "ddl-ns3-options.h"

#include "ddl-complaints.h"

#include "ns3/command-line.h"
#include "ns3/ddl-attribute-check.h"
#include "ns3/global-value.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <map>

namespace ns3::ddl
{

namespace
{

/** An option whose value names a class. ns-3 accepts any class, and crashes on a wrong one. */
struct Kind
{
    std::string option; //!< option whose value is the name of a class
    std::string base;   //!< base class that the class must have
};

const std::vector<Kind> KINDS = {
    {"SchedulerType", "ns3::Scheduler"},
    {"SimulatorImplementationType", "ns3::SimulatorImpl"},
    {"ns3::TcpL4Protocol::SocketType", "ns3::TcpCongestionOps"},
    {"ns3::TcpL4Protocol::RecoveryType", "ns3::TcpRecoveryOps"},
    {"ns3::TcpL4Protocol::RttEstimatorType", "ns3::RttEstimator"},
};

/** \return names of the classes that can be created and have a base class */
std::vector<std::string>
ListClasses(const std::string& base)
{
    const TypeId family = TypeId::LookupByName(base);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.IsChildOf(family) && type.HasConstructor())
        {
            names.push_back(type.GetName());
        }
    }
    if (base == "ns3::TcpCongestionOps")
    {
        names.emplace_back("ns3::TcpCubic"); // TcpCubic has another parent up to ns-3.37
    }
    return names;
}

/** \return a complaint about the class that an option names, or "" */
std::string
CheckKind(const std::string& option, const std::string& value)
{
    const auto kind = std::find_if(KINDS.begin(), KINDS.end(), [&option](const Kind& candidate) {
        return candidate.option == option;
    });
    if (kind == KINDS.end())
    {
        return "";
    }
    const auto names = ListClasses(kind->base);
    return std::count(names.begin(), names.end(), value) > 0
               ? ""
               : QuoteText(value) + " is no " + kind->base + " that can be created (one of " +
                     JoinNames(names) + ")" + SuggestName(value, names, "");
}

/** \return the names of all classes */
std::vector<std::string>
ListTypes()
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        names.push_back(TypeId::GetRegistered(i).GetName());
    }
    return names;
}

/** \return a complaint about `ns3::Class::Attribute` or its value, or "" */
std::string
CheckDefault(const std::string& path, const std::string& value)
{
    const auto colons = path.rfind("::");
    const std::string name = path.substr(0, colons);
    const std::string attribute = path.substr(colons + 2);
    TypeId type;
    if (!TypeId::LookupByNameFailSafe(name, &type))
    {
        return "there is no class " + name + SuggestName(name, ListTypes(), "");
    }
    // ns-3 sets an attribute at the class that has it, not at those derived from it.
    const std::string problem = CheckAttribute(type, attribute, value);
    bool isOwn = false;
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        isOwn = isOwn || type.GetAttribute(i).name == attribute;
    }
    return problem.empty() && !isOwn
               ? "is an attribute of a class that " + name + " is derived from, and is set there"
               : problem;
}

/** Attributes that every run sets, and the key of the scenario from which each follows. */
const std::map<std::string, std::string> SET_BY_SCENARIO = {
    {"ns3::ddl::Agent::Bands", "cluster.hosts.bands"},
    {"ns3::ddl::Agent::ControlAcks", "scheduler.acks"},
    {"ns3::ddl::Agent::Queues", "cluster.ports.queues"},
    {"ns3::ddl::Coordinator::CommonPriorities", "scheduler.priorities"},
    {"ns3::ddl::Coordinator::LastPriority", "cluster.ports.queues"},
    {"ns3::ddl::Coordinator::Levels", "cluster.ports.queues"},
    {"ns3::ddl::Coordinator::Period", "scheduler.period"},
    {"ns3::ddl::Fabric::EcmpSeed", "seed"},
    {"ns3::ddl::Fabric::FramingBytes", "cluster.topology.framingBytes"},
    {"ns3::ddl::Fabric::Mtu", "transport.mtu"},
    {"RngSeed", "seed"},
};

/** \return a complaint about an option, or "" */
std::string
CheckOption(const std::string& name, bool hasValue, const std::string& value)
{
    if (IsNs3Question(name))
    {
        TypeId type;
        return name == "PrintAttributes" && !TypeId::LookupByNameFailSafe(value, &type)
                   ? "there is no class " + QuoteText(value) + SuggestName(value, ListTypes(), "")
                   : "";
    }
    if (!hasValue)
    {
        return "needs a value: --" + name + "=VALUE";
    }
    const auto key = SET_BY_SCENARIO.find(name);
    if (key != SET_BY_SCENARIO.end())
    {
        return "has no effect, as the scenario sets it: --set=" + key->second + "=" + value;
    }
    const std::string problem = CheckKind(name, value);
    if (!problem.empty() || name.compare(0, 5, "ns3::") == 0)
    {
        return problem.empty() ? CheckDefault(name, value) : problem;
    }
    const auto global =
        std::find_if(GlobalValue::Begin(), GlobalValue::End(), [&name](const GlobalValue* known) {
            return known->GetName() == name;
        });
    return CheckAttributeText((*global)->GetChecker(), value);
}

} // namespace

bool
IsNs3Question(const std::string& name)
{
    static const std::string questions = " PrintHelp PrintVersion PrintGlobals PrintGroups "
                                         "PrintGroup PrintTypeIds PrintAttributes version ";
    return questions.find(" " + name + " ") != std::string::npos;
}

bool
IsNs3Option(const std::string& name)
{
    if (name.compare(0, 5, "ns3::") == 0 || IsNs3Question(name))
    {
        return true;
    }
    return std::any_of(GlobalValue::Begin(), GlobalValue::End(), [&name](const GlobalValue* value) {
        return value->GetName() == name;
    });
}

void
PassToNs3(const std::vector<std::string>& options)
{
    std::vector<Diagnostic> diagnostics;
    std::vector<std::string> words = {"ddl-run"};
    for (const auto& option : options)
    {
        const auto equals = option.find('=');
        const bool hasValue = equals != std::string::npos;
        const std::string problem = CheckOption(option.substr(2, equals - 2),
                                                hasValue,
                                                hasValue ? option.substr(equals + 1) : "");
        if (!problem.empty())
        {
            diagnostics.push_back({option.substr(0, equals), "", problem});
        }
        words.push_back(option);
    }
    if (!diagnostics.empty())
    {
        throw InputError(diagnostics);
    }
    CommandLine("ddl-run").Parse(words);
}

} // namespace ns3::ddl
